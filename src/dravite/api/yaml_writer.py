"""Plain values → YAML that Kubernetes, and every other reader, reads back as the same values."""

from __future__ import annotations

from typing import Any, Final

import yaml

from dravite.api.yaml_scalars import resolve

_STRING: Final = "tag:yaml.org,2002:str"


class _Dumper(yaml.SafeDumper):
    """Keys in the order given, no anchors, and quotes around every text that some reader takes for something else."""

    def ignore_aliases(self, data: Any) -> bool:
        return True

    def increase_indent(self, flow: bool = False, indentless: bool = False) -> None:  # noqa: FBT001, FBT002
        super().increase_indent(flow, indentless)


def _represent_text(dumper: _Dumper, text: str) -> yaml.ScalarNode:
    if not isinstance(resolve(text), str):
        return dumper.represent_scalar(_STRING, text, style='"')
    block = "\n" in text and not any(line != line.rstrip() for line in text.split("\n"))
    return dumper.represent_scalar(_STRING, text, style="|" if block else None)


_Dumper.add_representer(str, _represent_text)


def write_yaml(value: Any) -> str:
    """One YAML document."""
    text: str = yaml.dump(value, Dumper=_Dumper, sort_keys=False, allow_unicode=True, width=2**16)
    return text


def write_documents(values: tuple[Any, ...]) -> str:
    """Several YAML documents, set apart by `---`."""
    return "---\n".join(write_yaml(value) for value in values)
