"""Findings for programs that show them beside the code: SARIF 2.1.0, and GitHub's workflow commands."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from dravite.api.document import Problem
from dravite.lint import RULES

SARIF: Final = "https://json.schemastore.org/sarif-2.1.0.json"
_LEVELS: Final[Mapping[str, str]] = {"error": "error", "warning": "warning", "info": "note"}
_COMMANDS: Final[Mapping[str, str]] = {"error": "error", "warning": "warning", "info": "notice"}


def sarif_document(problems: Sequence[Problem], version: str, page: Callable[[str], str]) -> dict[str, Any]:
    """One SARIF run.

    Args:
        problems: the findings, in order.
        version: of dravite.
        page: the documentation page of a code, in Markdown.
    """
    codes = list(dict.fromkeys(problem.type for problem in problems))
    driver = {
        "name": "dravite",
        "semanticVersion": version,
        "rules": [_rule(code, page(code)) for code in codes],
    }
    results = [_result(problem, codes.index(problem.type)) for problem in problems]
    return {"$schema": SARIF, "version": "2.1.0", "runs": [{"tool": {"driver": driver}, "results": results}]}


def _rule(code: str, page: str) -> dict[str, Any]:
    rule = RULES[code]
    return {
        "id": code,
        "shortDescription": {"text": f"{rule.title[0].upper()}{rule.title[1:]}."},
        "help": {"text": page, "markdown": page},
        "defaultConfiguration": {"level": _LEVELS[rule.severity]},
    }


def _result(problem: Problem, rule: int) -> dict[str, Any]:
    location: dict[str, Any] = {}
    if problem.file:
        region = {"region": {"startLine": problem.line}} if problem.line else {}
        location["physicalLocation"] = {"artifactLocation": {"uri": _uri(problem.file)}, **region}
    if problem.object:
        name = f"{problem.object} {problem.field}" if problem.field else problem.object
        location["logicalLocations"] = [{"fullyQualifiedName": name, "kind": "object"}]
    return {
        "ruleId": problem.type,
        "ruleIndex": rule,
        "level": _LEVELS[problem.severity],
        "message": {"text": _sentence(problem)},
        **({"locations": [location]} if location else {}),
    }


def _uri(file: str) -> str:
    return file.removeprefix("./").replace("%", "%25").replace(" ", "%20")


def _sentence(problem: Problem) -> str:
    parts = [f"{problem.object}: {problem.message}" if problem.object else problem.message]
    if problem.hint:
        parts.append(f"Hint: {problem.hint}")
    return "\n".join(parts)


def github_text(problems: Sequence[Problem]) -> str:
    """One workflow command a line; GitHub puts them beside the lines of a pull request."""
    return "".join(f"{_command(problem)}\n" for problem in problems)


def _command(problem: Problem) -> str:
    place = {"file": problem.file, "line": problem.line, "title": problem.type}
    given = ",".join(f"{key}={_property(str(value))}" for key, value in place.items() if value is not None)
    return f"::{_COMMANDS[problem.severity]} {given}::{_data(_sentence(problem))}"


def _data(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")
