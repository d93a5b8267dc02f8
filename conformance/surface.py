"""Which classes and fields published Python clients have for the two groups: the tables that tests compare with.

    python -m conformance surface FOLDER [PACKAGE==VERSION…]

Each package is downloaded with pip and read as text, never imported. One table a package, one class a line:
`module Class field!:type ...` in the order of the constructor, `!` marking what is required; a class of the official
client names each field as `python_name=wireName`. `module Name = Type` is a name for another type.
"""

from __future__ import annotations

import ast
import re
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Final

PACKAGES: Final = (
    "lightkube-models==1.31.1.8",
    "lightkube-models==1.32.0.8",
    "lightkube-models==1.33.1.8",
    "lightkube-models==1.34.0.8",
    "lightkube-models==1.35.0.8",
    "lightkube-models==1.36.3.8",
    "lightkube-models==1.37.0.8",
    "kubernetes==37.0.2",
)

_MODULE: Final = re.compile(r"lightkube/models/((resource|scheduling)_v\w+|meta_v1|core_v1)\.py\Z")
_SHARED: Final = {
    "meta_v1": {"Condition", "ListMeta", "ManagedFieldsEntry", "ObjectMeta", "OwnerReference", "ShardInfo"},
    "core_v1": {"NodeSelector", "NodeSelectorRequirement", "NodeSelectorTerm"},
}
"""What objects of the two groups hold of other groups."""

_KINDS: Final = (
    "CompositePodGroup|DeviceClass|DeviceTaintRule|PodGroup|PriorityClass|ResourceClaim|ResourceClaimTemplate"
    "|ResourcePoolStatusRequest|ResourceSlice|Workload"
)
_ROOT: Final = re.compile(
    rf"((V\d((alpha|beta)\d)?)({_KINDS})(List)?|ResourceV1ResourceClaim|V\w+?WorkloadPodGroup\w+)\Z"
)
_CLASS_NAME: Final = re.compile(r"\b\w*V\d\w+")

Line = tuple[str, tuple[str, ...]]


def lightkube_lines(wheel: zipfile.ZipFile) -> Iterator[Line]:
    """Every class of the two groups in the modules of lightkube-models, and what they hold."""
    for name in sorted(wheel.namelist()):
        found = _MODULE.search(name)
        if found is None:
            continue
        module = found.group(1)
        wanted = _SHARED.get(module)
        for node in ast.parse(wheel.read(name)).body:
            if isinstance(node, ast.ClassDef) and (wanted is None or node.name in wanted):
                yield f"{module} {node.name}", tuple(_field(item) for item in _fields(node))
            elif isinstance(node, ast.Assign) and wanted is None:
                yield f"{module} {ast.unparse(node.targets[0])}", ("=", ast.unparse(node.value))


def _fields(node: ast.ClassDef) -> Iterator[ast.AnnAssign]:
    return (item for item in node.body if isinstance(item, ast.AnnAssign))


def _field(item: ast.AnnAssign) -> str:
    name = ast.unparse(item.target)
    if isinstance(item.value, ast.Call):  # a name that Python reserves; the wire name stands in the metadata
        name = f"{name}={name.rstrip('_')}"
    annotation = ast.literal_eval(item.annotation)
    kind = re.sub(r"\AOptional\[(.*)\]\Z", r"\1", annotation)
    return f"{name}{'' if annotation != kind else '!'}:{kind.replace(' ', '')}"


def official_lines(wheel: zipfile.ZipFile) -> Iterator[Line]:
    """Every class of the two groups in the official client, and those that they hold."""
    classes = dict(_official_classes(wheel))
    seen: set[str] = set()
    pending = [name for name in classes if _ROOT.match(name)]
    while pending:
        name = pending.pop()
        if name in classes and name not in seen:
            seen.add(name)
            pending.extend(found for field in classes[name] for found in _CLASS_NAME.findall(field.rpartition(":")[2]))
    for name in sorted(seen):
        yield f"client {name}", classes[name]


def _official_classes(wheel: zipfile.ZipFile) -> Iterator[Line]:
    for name in sorted(wheel.namelist()):
        if re.match(r"kubernetes/client/models/(resource_)?v\d\w*\.py\Z", name):
            for node in ast.parse(wheel.read(name)).body:
                if isinstance(node, ast.ClassDef):
                    yield node.name, tuple(_official_fields(node))


def _official_fields(node: ast.ClassDef) -> Iterator[str]:
    tables = {ast.unparse(item.target): item.value for item in _fields(node) if item.value is not None}
    types: Mapping[str, str] = ast.literal_eval(tables["openapi_types"])
    names: Mapping[str, str] = ast.literal_eval(tables["attribute_map"])
    declared = {ast.unparse(item.target): ast.unparse(item.annotation) for item in _fields(node)}
    for name, kind in types.items():
        optional = declared.get(name, "Optional[").startswith("Optional[")
        yield f"{name}={names[name]}{'' if optional else '!'}:{kind.replace(' ', '')}"


def table(package: str) -> str:
    """The table of one published package, `name==version`."""
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--only-binary=:all:"]
        subprocess.run([*command, "--dest", folder, package], check=True)  # noqa: S603 (pip, with a fixed argument list)
        with zipfile.ZipFile(next(Path(folder).glob("*.whl"))) as wheel:
            lines = official_lines(wheel) if package.startswith("kubernetes=") else lightkube_lines(wheel)
            return "".join(" ".join((name, *fields)) + "\n" for name, fields in lines)


def main(arguments: Sequence[str]) -> Iterator[str]:
    folder, *packages = arguments
    for package in packages or PACKAGES:
        path = Path(folder) / f"{package.replace('==', '-')}.txt"
        path.write_text(table(package))
        yield path.as_posix()
