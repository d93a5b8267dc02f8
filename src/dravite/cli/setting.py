"""What `--set` is to say for an object of the input to become another one, as far as a few short words do."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any, Final

import msgspec

from dravite.admission.amending import ref_of
from dravite.api.codec import decode_raw
from dravite.api.core_v1 import Pod
from dravite.api.meta import ObjectRef, controller_of
from dravite.explain.remedies.proposals import object_of
from dravite.render.view import sight
from dravite.snapshot.changes import Editable
from dravite.snapshot.snapshot import Snapshot

MOST_FIELDS: Final = 3
LONGEST: Final = 160
"""How long a value may be: what nobody reads is not worth a word."""

_PLAIN: Final = re.compile(r"[A-Za-z][\w./-]*|[0-9]+(?:m|[KMGTP]i?)")
_YAML_WORDS: Final = frozenset({"true", "false", "yes", "no", "on", "off", "y", "n", "null"})


def settings(changed: Editable, start: Snapshot) -> tuple[str, ...]:
    """The words behind the flags; none for what is new, for what a controller has made, and where much is different."""
    ref = ObjectRef(changed.kind, changed.metadata.namespace, changed.metadata.name)
    before, place = object_of(start, ref), start.manifests.places.get(ref)
    if before is None or place is None:
        return ()
    document = place.document
    written = ref_of(document, ref.namespace)
    same_form = document.api_version == changed.api_version or isinstance(changed, Pod)
    if written is None or not same_form or (written == ref and controller_of(changed.metadata) is not None):
        return ()
    there = sight.at(decode_raw(document), f"{place.prefix}.spec" if place.prefix else "spec")
    fields = list(_differences(_spec(before), _spec(changed), "spec", there))
    if len(fields) > MOST_FIELDS or any(len(_said(value)) > LONGEST for _, value in fields):
        return ()
    name = "/".join(part for part in (written.kind.lower(), written.namespace, written.name) if part)
    prefix = f"{place.prefix}." if place.prefix else ""
    return tuple(f"{name}:{prefix}{path}={_said(value)}" for path, value in fields)


def _spec(one: Editable) -> Any:
    return msgspec.json.decode(msgspec.json.encode(one, enc_hook=str)).get("spec", {})


def _differences(before: Any, after: Any, path: str, written: Any) -> Iterator[tuple[str, Any]]:
    """The fields that are different, with what they are to be; None for those that are to go.

    `written` is what the document has there: a list may be shorter in it than in the object, which has defaults.
    """
    if before == after:
        return
    if isinstance(before, dict) and isinstance(after, dict):
        there = written if isinstance(written, dict) else {}
        for key in (*before, *(key for key in after if key not in before)):
            yield from _differences(before.get(key), after.get(key), path + _step(key), there.get(key))
    elif isinstance(after, list) and isinstance(written, list) and isinstance(before, list):
        yield from _in_list(before, after, path, written)
    elif isinstance(before, list) and isinstance(after, list) and after[: len(before)] == before:
        yield path, after[len(before) :]
    else:
        yield path, after


def _in_list(before: list[Any], after: list[Any], path: str, written: list[Any]) -> Iterator[tuple[str, Any]]:
    if len(after) > len(before) and after[: len(before)] == before:
        for number, value in enumerate(after[len(before) :], len(written)):
            yield f"{path}[{number}]", value
    elif len(before) == len(after) == len(written):
        for number, (old, new) in enumerate(zip(before, after, strict=True)):
            yield from _differences(old, new, f"{path}[{number}]", written[number])
    else:
        yield path, after


def _step(key: str) -> str:
    return f"[{key}]" if "." in key else f".{key}"


def _said(value: Any) -> str:
    """The value on one line of YAML, without quotes where it needs none."""
    match value:
        case dict():
            return f"{{{', '.join(f'{key}: {_said(one)}' for key, one in value.items())}}}"
        case list():
            return f"[{', '.join(map(_said, value))}]"
        case str() if _PLAIN.fullmatch(value) and value.lower() not in _YAML_WORDS:
            return value
        case _:
            return json.dumps(value)
