"""Running a program on a device: the door of the second half of CEL.

`run` counts what the evaluation costs, as Kubernetes does. `evaluate_selector` counts only where the estimate leaves
a doubt about the limit; both give the same answers.
"""

from __future__ import annotations

from typing import Final

import msgspec

from dravite.cel.ast import Expr, children
from dravite.cel.compile import Program
from dravite.cel.device import Activation
from dravite.cel.errors import CelError
from dravite.cel.plan import Edition, Plan, make_plan
from dravite.cel.results import AttributeValue, as_attribute_value, as_bool
from dravite.cel.steps import FIRST_SLOT, Frame, Meter
from dravite.cel.values import Failure, Halt

COST_LIMIT: Final = 1_000_000
"""What one evaluation may cost. Exactly the limit is allowed (CEL-20)."""

_DOUBT: Final = 1000
_MISSING_KEY: Final = "no such key:"
_HINT: Final = (
    ". consider using CEL optional chaining (.? followed by orValue()) or guarding the check with has() "
    "for optional fields"
)

Verdict = bool | CelError


class Result(msgspec.Struct, frozen=True):
    """What came out of one evaluation.

    Attributes:
        value: the value; None together with an error.
        error: why there is no value.
        cost: what the evaluation cost until it ended.
    """

    value: object
    error: CelError | None
    cost: int


class _Plans:
    """The plans of the programs that ran last; a program is known by its identity."""

    def __init__(self, capacity: int) -> None:
        self.capacity = capacity
        self.plans: dict[tuple[int, Edition], tuple[Program, Plan]] = {}

    def of(self, program: Program, edition: Edition) -> Plan:
        key = (id(program), edition)
        known = self.plans.get(key)
        if known is None:
            known = (program, make_plan(program.checked, program.constants, edition))
            while len(self.plans) >= self.capacity:
                self.plans.pop(next(iter(self.plans)), None)
            self.plans[key] = known
        return known[1]


_PLANS: Final = _Plans(capacity=512)


def run(program: Program, activation: Activation, cost_limit: int = COST_LIMIT) -> Result:
    """Evaluate, and count what it costs."""
    meter = Meter(cost_limit)
    value = _evaluated(_PLANS.of(program, "counted"), activation, meter)
    if isinstance(value, Failure):
        return Result(None, _error(program, value), meter.cost)
    return Result(value, None, meter.cost)


def run_uncounted(program: Program, activation: Activation) -> object:
    """Evaluate without a limit: the value, or a `Failure`."""
    return _evaluated(_PLANS.of(program, "plain"), activation, None)


def evaluate_selector(program: Program, activation: Activation, cost_limit: int = COST_LIMIT) -> Verdict:
    """Whether the device is selected, or why that cannot be said. A missing key comes with a hint (CEL-17)."""
    value = _limited(program, activation, cost_limit)
    if value is True or value is False:
        return value
    answer = value if isinstance(value, Failure) else as_bool(value)
    return answer if isinstance(answer, bool) else with_hint(_error(program, answer))


def evaluate_derived_attribute(
    program: Program, activation: Activation, cost_limit: int = COST_LIMIT
) -> AttributeValue | CelError:
    """The value of a derived attribute, or why there is none."""
    value = _limited(program, activation, cost_limit)
    answer = value if isinstance(value, Failure) else as_attribute_value(value)
    return _error(program, answer) if isinstance(answer, Failure) else answer


def with_hint(error: CelError) -> CelError:
    """The error of a missing key with Kubernetes' advice; any other error is itself."""
    if _MISSING_KEY not in error.message or error.message.endswith(_HINT):
        return error
    return msgspec.structs.replace(error, message=error.message + _HINT)


def _limited(program: Program, activation: Activation, cost_limit: int) -> object:
    """Estimates are not quite upper bounds: a few functions cost more than estimated, up to some hundred times."""
    estimate = program.max_cost
    if estimate is not None and estimate * _DOUBT <= cost_limit:
        return _evaluated(_PLANS.of(program, "plain"), activation, None)
    return _evaluated(_PLANS.of(program, "counted"), activation, Meter(cost_limit))


def _evaluated(plan: Plan, activation: Activation, meter: Meter | None) -> object:
    frame: Frame = [activation.device, meter]
    if plan.slots > FIRST_SLOT:
        frame.extend([None] * (plan.slots - FIRST_SLOT))
    try:
        return plan.step(frame)
    except Halt as halt:
        return Failure(str(halt))


def _error(program: Program, failure: Failure) -> CelError:
    return CelError("runtime", failure.message, program.expression, _offset(program.tree, failure.node))


def _offset(tree: Expr, node: int) -> int | None:
    """Where the node stands in the source; None for a failure that has no place."""
    waiting = [tree]
    while waiting and node:
        candidate = waiting.pop()
        if candidate.id == node:
            return candidate.offset
        waiting.extend(children(candidate))
    return None
