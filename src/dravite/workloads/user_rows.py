"""Pod templates of kinds that dravite does not know, told by the user in a small file.

The format is described in docs/reference/pod-templates.md.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from dravite.api.field import ErrorType, FieldError, child, keyed
from dravite.api.near import nearest
from dravite.workloads.raw_paths import EACH
from dravite.workloads.rows import PodTemplateRow, PodTemplates, table_of

_ROOT: Final = "podTemplates"
_FIELDS: Final[Mapping[str, tuple[str, tuple[type, ...]]]] = {
    # wire name: (name of the row's attribute, accepted types)
    "apiVersion": ("group", (str,)),
    "kind": ("kind", (str,)),
    "template": ("template", (str,)),
    "optional": ("optional", (bool,)),
    "replicas": ("replicas", (str, int)),
    "defaultReplicas": ("default_replicas", (int,)),
    "size": ("size", (str, int)),
    "suspended": ("suspended", (str,)),
    "name": ("name", (str,)),
    "namesAreExact": ("inferred", (bool,)),
    "labels": ("labels", (dict,)),
    "perNode": ("per_node", (bool,)),
}
_REQUIRED: Final = ("apiVersion", "kind", "template")
_WORDS: Final = {bool: "true or false", int: "a whole number", str: "a text", dict: "a map"}


def parse_pod_templates(raw: Any) -> PodTemplates | tuple[FieldError, ...]:
    """The rows of a `--pod-templates` file, or everything that is wrong with it."""
    rows = raw.get(_ROOT) if isinstance(raw, Mapping) else None
    if not isinstance(rows, list):
        return (FieldError(type=ErrorType.REQUIRED, field=_ROOT, detail="a list of pod templates is needed"),)
    made: list[PodTemplateRow] = []
    errors: list[FieldError] = []
    for position, item in enumerate(rows):
        path = child(_ROOT, position)
        faults = _faults(item, path)
        errors.extend(faults)
        if not faults:
            made.append(_row(item))
    return tuple(errors) if errors else table_of(tuple(made))


def _row(item: Mapping[str, Any]) -> PodTemplateRow:
    values = {_FIELDS[name][0]: value for name, value in item.items()}
    values["group"] = str(values["group"]).rpartition("/")[0]
    if "inferred" in values:
        values["inferred"] = not values["inferred"]
    if "suspended" in values:
        values["suspended"] = (values["suspended"],)
    if values.get("per_node") and "name" not in values:
        values["name"] = "{name}-{node}"
    return PodTemplateRow(**values)


def _faults(item: Any, path: str) -> list[FieldError]:
    if not isinstance(item, Mapping):
        return [FieldError(type=ErrorType.TYPE_INVALID, field=path, value=item, detail="must be a map")]
    missing = [
        FieldError(type=ErrorType.REQUIRED, field=child(path, name), detail="is needed")
        for name in _REQUIRED
        if not item.get(name)
    ]
    return [*missing, *(fault for name, value in item.items() for fault in _field_faults(name, value, path))]


def _field_faults(name: Any, value: Any, path: str) -> list[FieldError]:
    place = child(path, str(name))
    if name not in _FIELDS:
        near = nearest(str(name), _FIELDS)
        detail = f"unknown field, did you mean {near}?" if near else "unknown field"
        return [FieldError(type=ErrorType.INVALID, field=place, value=name, detail=detail)]
    _, types = _FIELDS[name]
    if not isinstance(value, types) or (isinstance(value, bool) and bool not in types):
        wanted = " or ".join(_WORDS[kind] for kind in types)
        return [FieldError(type=ErrorType.TYPE_INVALID, field=place, value=value, detail=f"must be {wanted}")]
    if isinstance(value, int) and value < 0:
        return [FieldError(type=ErrorType.INVALID, field=place, value=value, detail="must not be negative")]
    if isinstance(value, dict):
        return [
            FieldError(type=ErrorType.TYPE_INVALID, field=keyed(place, str(key)), value=text, detail="must be a text")
            for key, text in value.items()
            if not isinstance(text, str)
        ]
    if isinstance(value, str) and value.count(EACH) > 1:
        detail = f"`{EACH}` may stand in a path once"
        return [FieldError(type=ErrorType.INVALID, field=place, value=value, detail=detail)]
    return []
