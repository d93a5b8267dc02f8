"""Expressions against devices: answers questions as the recordings have them, and compares the two.

A question is a JSON object with `expression` and `device`; see `Question` for the rest.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

import msgspec

from dravite.api.codec import from_plain
from dravite.api.resource_v1 import Device
from dravite.api.semver import Semver
from dravite.cel import (
    COST_LIMIT,
    STORED,
    CelError,
    Program,
    Result,
    activate,
    compile_derived_attribute,
    compile_selector,
    new_environment,
    run,
    with_hint,
)
from dravite.cel.results import as_attribute_value, as_bool
from dravite.cel.values import Failure

PROFILES: Final[Mapping[str, frozenset[str]]] = {
    "default": frozenset({"ConsumableCapacity"}),
    "ga": frozenset(),
    "all": frozenset({"ConsumableCapacity", "ListTypeAttributes"}),
    "none": frozenset(),
}
"""What each profile switches on, as far as expressions are concerned."""

EXACT: Final = ("outcome", "outputType", "maxCost")

Answer = dict[str, Any]


class Question(msgspec.Struct, frozen=True, forbid_unknown_fields=True, rename="camel"):
    """One expression and one device.

    Attributes:
        device: the driver's name, and the fields of a device that expressions can see.
        env: `stored` (the scheduler's environment) or `new` (the API server's for new objects).
        features: what is enabled; wins over `profile`.
        derived: whether the expression is one of a derived attribute.
    """

    expression: str
    device: dict[str, Any]
    name: str = ""
    profile: str = ""
    features: tuple[str, ...] | None = None
    env: str = "stored"
    derived: bool = False
    cost_limit: int | None = None


def main(_: Sequence[str]) -> Iterator[str]:
    """One answer for each question on standard input."""
    for line in sys.stdin:
        if line.strip() and not line.startswith("#"):
            yield msgspec.json.encode(answer_line(line)).decode()


def answer_line(line: str) -> Answer:
    """The answer to a question as it was read."""
    try:
        question = msgspec.json.decode(line, type=Question)
    except msgspec.DecodeError as error:
        return {"expression": "", "outcome": "input-error", "error": str(error)}
    named = {"name": question.name} if question.name else {}
    return {**named, "expression": question.expression, **answer(question)}


def answer(question: Question) -> Answer:
    """The answer: `outcome`, and what belongs to it."""
    fields = dict(question.device)
    driver = fields.pop("driver", "")
    device = from_plain(fields, Device)
    if isinstance(device, tuple):
        return {"outcome": "input-error", "error": "; ".join(str(fault) for fault in device)}
    assert isinstance(device, Device)
    program = _compiled(question)
    if isinstance(program, CelError):
        return {"outcome": "compile-error", "error": program.message}
    known: Answer = {"outputType": program.output_type}
    if program.max_cost is not None:
        known["maxCost"] = program.max_cost
    activation = activate(driver, device)
    if isinstance(activation, CelError):
        return {"outcome": "runtime-error", "error": activation.message, **known}
    result = run(program, activation, COST_LIMIT if question.cost_limit is None else question.cost_limit)
    return {**_judged(question, result), **known, "cost": result.cost}


def _compiled(question: Question) -> Program | CelError:
    features = frozenset(question.features) if question.features is not None else None
    if features is None:
        features = PROFILES[question.profile or "default"]
    environment = new_environment(features) if question.env == "new" else STORED
    compiler = compile_derived_attribute if question.derived else compile_selector
    return compiler(question.expression, environment)


def _judged(question: Question, result: Result) -> Answer:
    if result.error is not None:
        return {"outcome": "runtime-error", "error": with_hint(result.error).message}
    if not question.derived:
        verdict = as_bool(result.value)
        return _failed(verdict) if isinstance(verdict, Failure) else {"outcome": "true" if verdict else "false"}
    value = as_attribute_value(result.value)
    if isinstance(value, Failure):
        return _failed(value)
    return {"outcome": "value", **({} if value == () else {"value": _attribute(value)})}


def _failed(failure: Failure) -> Answer:
    return {"outcome": "runtime-error", "error": failure.message}


def _attribute(value: object) -> Answer:
    """The value as the field of a DeviceAttribute."""
    many = isinstance(value, tuple)
    first = value[0] if isinstance(value, tuple) else value
    kind = {bool: "bool", int: "int", str: "string", Semver: "version"}[type(first)]
    plain = [_plain(one) for one in value] if isinstance(value, tuple) else _plain(value)
    return {f"{kind}s" if many else kind: plain}


def _plain(value: object) -> object:
    return value.text if isinstance(value, Semver) else value


def differences(vector: Mapping[str, Any]) -> list[str]:
    """What differs between a recorded answer and ours, one line per fact."""
    expected = vector["expected"]
    found = answer(msgspec.convert(vector["question"], Question))
    facts = [fact for fact in EXACT if expected.get(fact) != found.get(fact)]
    if expected.get("cost") is not None and expected["cost"] != found.get("cost"):
        facts.append("cost")
    if (expected.get("value") or None) != (found.get("value") or None):
        facts.append("value")
    if _error(expected) != _error(found):
        facts.append("error")
    return [f"{fact}: {found.get(fact)!r}, recorded {expected.get(fact)!r}" for fact in facts]


def _error(answer: Mapping[str, Any]) -> str:
    """The text that has to agree: of a compile error the first line."""
    text: str = answer.get("error") or ""
    return text.split("\n", 1)[0] if answer["outcome"] == "compile-error" else text
