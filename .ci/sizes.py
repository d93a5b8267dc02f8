"""Counts the house's sizes: lines of a file, lines and parameters of a function, and the median function.

    python .ci/sizes.py FOLDER...

A file or function beyond its limit needs an entry with a reason in sizes.toml beside this script; an entry that is
no longer needed is a fault too, so that the list only shrinks.
"""

from __future__ import annotations

import ast
import statistics
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path

FILE_LINES, FUNCTION_LINES, PARAMETERS, MEDIAN = 400, 40, 5, 10


def functions(tree: ast.AST) -> Iterator[ast.FunctionDef | ast.AsyncFunctionDef]:
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            yield node


def length(function: ast.FunctionDef | ast.AsyncFunctionDef) -> int:
    """Lines from `def` to the end, the docstring not counted: contracts may be as long as they must."""
    total = (function.end_lineno or function.lineno) - function.lineno + 1
    first = function.body[0]
    if isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant) and isinstance(first.value.value, str):
        total -= (first.end_lineno or first.lineno) - first.lineno + 1
    return total


def parameters(function: ast.FunctionDef | ast.AsyncFunctionDef) -> int:
    given = [*function.args.posonlyargs, *function.args.args, *function.args.kwonlyargs]
    return len([one for one in given if one.arg not in ("self", "cls")])


def over_the_limit(path: Path, tree: ast.AST, lines: int) -> Iterator[tuple[str, str]]:
    """Every size beyond its limit as (name, what is wrong); the name is what sizes.toml lists."""
    if lines > FILE_LINES:
        yield path.as_posix(), f"{lines} lines, at most {FILE_LINES}"
    for function in functions(tree):
        name = f"{path.as_posix()}:{function.name}"
        if length(function) > FUNCTION_LINES:
            yield name, f"{length(function)} lines, at most {FUNCTION_LINES}"
        if parameters(function) > PARAMETERS:
            yield name, f"{parameters(function)} parameters, at most {PARAMETERS}"


def main(folders: list[str]) -> int:
    allowed: dict[str, str] = tomllib.loads(Path(__file__).with_name("sizes.toml").read_text())["allowed"]
    seen: set[str] = set()
    lengths: list[int] = []
    faults: list[str] = [] if folders else ["no folder is named: python .ci/sizes.py FOLDER..."]
    for path in sorted(file for folder in folders for file in Path(folder).rglob("*.py")):
        text = path.read_text()
        tree = ast.parse(text)
        lengths += [length(function) for function in functions(tree)]
        for name, fault in over_the_limit(path, tree, text.count("\n")):
            seen.add(name)
            if name not in allowed:
                faults.append(f"{name}: {fault}")
    faults += [f"{name}: listed in sizes.toml and within its limits" for name in sorted(set(allowed) - seen)]
    median = statistics.median(lengths) if lengths else 0
    if median > MEDIAN:
        faults.append(f"the median function has {median} lines, at most {MEDIAN}")
    sys.stdout.write(
        "\n".join([*faults, f"sizes: {len(lengths)} functions, median {median:g} lines, {len(faults)} faults\n"])
    )
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
