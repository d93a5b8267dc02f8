"""Makes the table of protobuf fields from the published Go modules: `protobuf_fields MODULES… > FILE`.

Each module is the folder of `k8s.io/api` or `k8s.io/apimachinery` in a module cache; of types that are in several,
those of the first one count. A line is a type and its fields, each as number, name and kind:
`s` text, `b` truth, `i` whole number, `f` number, `y` bytes, or the name of a type in parentheses; before it `[` for a
list and `{` for a map, after it `?` where zero differs from nothing, and `!` where JSON has it even if it holds
nothing. A field without a name is part of its type.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Final, NamedTuple

FOLDERS: Final = (
    *("core/v1", "resource/v1", "resource/v1beta1", "resource/v1beta2", "resource/v1alpha3"),
    *("scheduling/v1", "scheduling/v1beta1", "scheduling/v1alpha3", "scheduling/v1alpha2"),
    *("apps/v1", "batch/v1", "coordination/v1", "events/v1", "networking/v1", "node/v1"),
    *("policy/v1", "rbac/v1", "storage/v1"),
    *("authorization/v1", "authentication/v1", "pkg/apis/meta/v1"),
)
_STRUCT: Final = re.compile(r"^type (\w+) struct \{\n(.*?)^\}", re.MULTILINE | re.DOTALL)
_NAMED: Final = re.compile(r"^type (\w+) (=?\s*[\w.\[\]*]+)$", re.MULTILINE)
_FIELD: Final = re.compile(
    r'^\s*(?:\w+\s+)?([\w.\[\]*]+)\s+`[^`]*?json:"([^"]*)"[^`]*?protobuf:"(\w+),(\d+)', re.MULTILINE
)
_SCALARS: Final = {
    "string": "s",
    "bool": "b",
    "byte": "y",
    **dict.fromkeys(("int", "int32", "int64", "uint8", "uint32", "uint64"), "i"),
    **dict.fromkeys(("float32", "float64"), "f"),
}
_ALIASES: Final = {
    "v1": "core/v1",
    "apiv1": "core/v1",
    "corev1": "core/v1",
    "metav1": "meta/v1",
    "schedulingv1alpha3": "scheduling/v1alpha3",
}


class _Package(NamedTuple):
    name: str
    text: str

    def named(self) -> Mapping[str, str]:
        return {match.group(1): match.group(2).lstrip("= ") for match in _NAMED.finditer(self.text)}


def main(arguments: Sequence[str]) -> Iterator[str]:
    packages = tuple(_packages(arguments))
    named = {(package.name, name): of for package in packages for name, of in package.named().items()}
    found: dict[str, dict[str, str]] = {}
    for package in packages:
        for struct in _STRUCT.finditer(package.text):
            name = f"{package.name}.{struct.group(1)}"
            is_older = name in found  # what the first module no longer has is not always there
            fields = found.setdefault(name, {})
            for field in _fields(struct.group(2), package.name, named):
                fields.setdefault(field.partition(":")[0], field.removesuffix("!") if is_older else field)
    yield from (f"{name} {' '.join(fields.values())}" for name, fields in found.items() if fields)


def _packages(modules: Sequence[str]) -> Iterator[_Package]:
    for folder in FOLDERS:
        for module in modules:
            found = sorted((Path(module) / folder).glob("*types*.go"))
            if found:
                yield _Package(folder.removeprefix("pkg/apis/"), "\n".join(path.read_text() for path in found))


def _fields(body: str, package: str, named: Mapping[tuple[str, str], str]) -> Iterator[str]:
    for match in _FIELD.finditer(body):
        go_type, json_tag, _, number = match.groups()
        name, *options = json_tag.split(",")
        if name != "-":
            code = _code(go_type, package, named)
            yield f"{number}:{name}:{code}{'!' if name and _is_always_there(code, options) else ''}"


def _is_always_there(code: str, options: Sequence[str]) -> bool:
    """Whether JSON has a field that holds nothing: Go leaves out no object that is no pointer, unless it is told to."""
    if "omitempty" not in options:
        return "omitzero" not in options
    return code.startswith("(") and not code.endswith("?") and "omitzero" not in options


def _code(go_type: str, package: str, named: Mapping[tuple[str, str], str]) -> str:
    if go_type.startswith("*"):
        return _code(go_type[1:], package, named) + "?"
    if go_type == "[]byte":
        return "y"
    if go_type.startswith("[]"):
        return "[" + _code(go_type[2:], package, named).rstrip("?")
    if go_type.startswith("map["):
        return "{" + _code(go_type.partition("]")[2], package, named)
    if go_type in _SCALARS:
        return _SCALARS[go_type]
    alias, _, name = go_type.rpartition(".")
    if alias == "types":
        return "s"
    home = _ALIASES.get(alias, alias) or package
    if alias == "v1" and package == "meta/v1":
        home = "meta/v1"
    inner = named.get((home, name))
    return f"({home}.{name})" if inner is None else _code(inner, home, named)
