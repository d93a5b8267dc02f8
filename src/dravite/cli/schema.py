"""`dravite schema`: JSON Schemas of kinds, and what a field of one means."""

from __future__ import annotations

import sys

from dravite.api.registry import KindInfo
from dravite.cli.arguments import Arguments, parse
from dravite.cli.dispatch import UsageError
from dravite.cli.exit_codes import ExitCode
from dravite.cli.faces import style
from dravite.render.document import json_text
from dravite.render.text import blocks_text
from dravite.render.view.schema import field_blocks
from dravite.schema import NoField, all_schemas, described_kind, find_field, json_schema, versions_of


def run(given: list[str]) -> int:
    """Print the schema of all kinds, of one, or the meaning of a field."""
    arguments = parse("schema", given)
    if len(arguments.words) > 1:
        message = "schema describes one kind or field at a time"
        raise UsageError(message)
    if not arguments.words:
        sys.stdout.write(json_text(all_schemas()))
        return ExitCode.YES
    kind, *path = arguments.words[0].split(".")
    info = chosen_kind(kind)
    version = chosen_version(info, arguments.api_version)
    sys.stdout.write(_field(info, version, path, arguments) if path else json_text(json_schema(info, version)))
    return ExitCode.YES


def chosen_kind(text: str) -> KindInfo:
    """The kind of a name as kubectl takes it. Raises `UsageError` for a kind without a schema."""
    found = described_kind(text)
    if isinstance(found, KindInfo):
        return found
    message = f"there is no schema of a kind {text!r}: dravite describes resource.k8s.io and scheduling.k8s.io"
    raise UsageError(message, f"did you mean {found}?" if found else "say `dravite schema` for all kinds")


def chosen_version(info: KindInfo, text: str | None) -> str:
    """The version that is asked for, with or without its group; the newest one if none is."""
    versions = versions_of(info)
    wanted = text if text is None or "/" in text else f"{info.group}/{text}"
    if wanted is None:
        return versions[0]
    if wanted not in versions:
        message = f"{info.kind} does not exist in {wanted}"
        raise UsageError(message, f"it exists in {', '.join(versions)}")
    return wanted


def _field(info: KindInfo, version: str, path: list[str], arguments: Arguments) -> str:
    found = find_field(info, version, path)
    if isinstance(found, NoField):
        message = f"{found.holder} has no field {found.name!r} in {version}"
        hint = f"did you mean {found.near}?" if found.near else f"it has {', '.join(found.known) or 'no fields'}"
        raise UsageError(message, hint)
    return blocks_text(field_blocks(found), style(arguments))
