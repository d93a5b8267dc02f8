"""The pieces that a plan is made of: one closure per node, in a counting and in a plain edition.

A step takes the frame of one evaluation and gives a value or a `Failure`. Both editions of a piece give the same
values; the counting one also charges the frame's meter. Nothing here knows trees or names.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from dravite.cel.equality import NO_OVERLOAD, equal
from dravite.cel.prices import Counted, Price
from dravite.cel.show import show
from dravite.cel.values import NONE, UNHASHABLE, Failure, Halt, Map, Optional, key_of

Frame = list[object]
Step = Callable[[Frame], object]
Build = Callable[[Mapping[str, object]], object]

DEVICE: Final = 0
METER: Final = 1
FIRST_SLOT: Final = 2
LIMIT_TEXT: Final = "operation cancelled: actual cost limit exceeded"


class Meter:
    """What one evaluation has cost so far. It ends the evaluation when the limit is passed."""

    __slots__ = ("cost", "limit")

    def __init__(self, limit: int) -> None:
        self.cost = 0
        self.limit = limit

    def charge(self, amount: int) -> None:
        """Add an amount. What falls below zero wraps around, as Kubernetes' counter does, and passes any limit."""
        self.cost += amount
        if self.cost > self.limit or self.cost < 0:
            self.cost %= 2**64
            raise Halt(LIMIT_TEXT)


def meter_of(frame: Frame) -> Meter:
    """The meter of a counted evaluation."""
    return frame[METER]  # type: ignore[return-value]


def constant(value: object) -> Step:
    return lambda _: value


def located(value: object, node: int) -> object:
    """The value; a failure that nobody has placed yet arose at `node`."""
    if type(value) is Failure and not value.node:
        value.node = node
    return value


# Calls


def call(arguments: tuple[Step, ...], apply: Callable[..., object], node: int) -> Step:
    """Evaluate the arguments and apply; the first failing argument is the answer.

    With two arguments the second is evaluated although the first has failed: it may end the evaluation.
    """
    if len(arguments) == 2:
        return _binary(*arguments, apply, node)
    return _unary(arguments[0], apply, node) if len(arguments) == 1 else lazy_call(arguments, apply, node)


def lazy_call(arguments: tuple[Step, ...], apply: Callable[..., object], node: int) -> Step:
    """Evaluate one argument after the other and apply; the first failing argument ends it."""

    def run(frame: Frame) -> object:
        values = []
        for argument in arguments:
            value = argument(frame)
            if type(value) is Failure:
                return value
            values.append(value)
        return located(apply(*values), node)

    return run


def _unary(argument: Step, apply: Callable[..., object], node: int) -> Step:
    def run(frame: Frame) -> object:
        value = argument(frame)
        if type(value) is Failure:
            return value
        value = apply(value)
        return located(value, node) if type(value) is Failure else value

    return run


def _binary(first: Step, second: Step, apply: Callable[..., object], node: int) -> Step:
    def run(frame: Frame) -> object:
        left = first(frame)
        right = second(frame)
        if type(left) is Failure:
            return left
        if type(right) is Failure:
            return right
        value = apply(left, right)
        return located(value, node) if type(value) is Failure else value

    return run


def counted_call(arguments: tuple[Step, ...], apply: Callable[..., object], price: Price, node: int) -> Step:
    """As `call`, but every argument is evaluated, and the call is charged whatever comes out."""
    if isinstance(price, int):
        return charged(_eager_call(arguments, apply, None, node), price)
    return _eager_call(arguments, apply, lambda frame, *found: meter_of(frame).charge(price(*found)), node)


def audited_call(arguments: tuple[Step, ...], apply: Callable[..., object], price: Counted, node: int) -> Step:
    """As `counted_call` without a charge, for the few prices that end an evaluation where they cannot be told."""
    return _eager_call(arguments, apply, lambda _, *found: price(*found), node)


def _eager_call(
    arguments: tuple[Step, ...], apply: Callable[..., object], then: Callable[..., object] | None, node: int
) -> Step:
    def run(frame: Frame) -> object:
        values = [argument(frame) for argument in arguments]
        for value in values:
            if type(value) is Failure:
                result: object = value
                break
        else:
            result = located(apply(*values), node)
        if then is not None:
            then(frame, values, result)
        return result

    return run


def counted_lazy_call(arguments: tuple[Step, ...], apply: Callable[..., object], price: Price, node: int) -> Step:
    """As `call`: a failing argument ends it, and then the call costs nothing unless that was the last argument."""
    last = len(arguments) - 1

    def run(frame: Frame) -> object:
        values: list[object] = []
        result: object = None
        for index, argument in enumerate(arguments):
            result = argument(frame)
            values.append(result)
            if type(result) is Failure:
                if index < last:
                    return result
                break
        else:
            result = located(apply(*values), node)
        meter_of(frame).charge(price if isinstance(price, int) else price(values, result))
        return result

    return run


def equality(first: Step, second: Step, *, wanted: bool) -> Step:
    """`==` or `!=`. What cannot be compared is a failure of the one and makes the other true."""

    def run(frame: Frame) -> object:
        left = first(frame)
        right = second(frame)
        if type(left) is Failure:
            return left
        if type(right) is Failure:
            return right
        same = equal(left, right)
        return same if wanted else same is not True

    return run


def equal_to_text(first: Step, text: str) -> Step:
    """`== "text"`, the clause of most selectors."""

    def run(frame: Frame) -> object:
        left = first(frame)
        if type(left) is str:
            return left == text
        return left if type(left) is Failure else equal(left, text)

    return run


# Logic


def junction(terms: tuple[Step, ...], *, decisive: bool, node: int) -> Step:
    """`||` (decisive: true) or `&&` (decisive: false): a deciding term wins, wherever failures are."""

    def run(frame: Frame) -> object:
        failed: Failure | None = None
        for term in terms:
            value = term(frame)
            if value is decisive:
                return decisive
            if failed is None and type(value) is not bool:
                failed = value if isinstance(value, Failure) else Failure(NO_OVERLOAD, node)
        return not decisive if failed is None else failed

    return run


def not_strictly_false(argument: Step) -> Step:
    """What loops go on by: everything but false."""

    def run(frame: Frame) -> object:
        value = argument(frame)
        return value if type(value) is bool else True

    return run


def counted_not_strictly_false(argument: Step) -> Step:
    def run(frame: Frame) -> object:
        value = argument(frame)
        meter_of(frame).charge(1)
        return value if type(value) is bool else True

    return run


def alternative(first: Step, second: Step, *, unwrap: bool, node: int) -> Step:
    """`a.or(b)`, or with `unwrap` `a.orValue(b)`: the second is evaluated only where it is needed. Both are free."""

    def run(frame: Frame) -> object:
        optional = first(frame)
        if not isinstance(optional, Optional):
            return optional if type(optional) is Failure else Failure(NO_OVERLOAD, node)
        if optional is NONE:
            return second(frame)
        return optional.value if unwrap else optional

    return run


def membership(wanted: Step, keys: frozenset[object]) -> Step:
    """`x in [constants]`: one look into a set; free of charge."""

    def run(frame: Frame) -> object:
        value = wanted(frame)
        if type(value) is Failure:
            return value
        if type(value) in UNHASHABLE:
            message = f"internal error: runtime error: hash of unhashable type {UNHASHABLE[type(value)]}"
            raise Halt(message)
        return key_of(value) in keys

    return run


# Literals


def list_literal(elements: tuple[Step, ...], optional: frozenset[int], node: int) -> Step:
    def run(frame: Frame) -> object:
        values: list[object] = []
        for index, element in enumerate(elements):
            value = element(frame)
            if type(value) is Failure:
                return value
            if index in optional:
                if not isinstance(value, Optional):
                    return Failure(
                        f"cannot initialize optional list element from non-optional value {show(value)}", node
                    )
                if value is NONE:
                    continue
                value = value.value
            values.append(value)
        return tuple(values)

    return run


def map_literal(entries: tuple[tuple[Step, Step, bool], ...], node: int) -> Step:
    """Keys and values in turn; an optional entry without a value removes what was there."""

    def run(frame: Frame) -> object:
        values: dict[object, object] = {}
        for key_step, value_step, optional in entries:
            key = key_step(frame)
            if type(key) is Failure:
                return key
            value = value_step(frame)
            if type(value) is Failure:
                return value
            if optional and not isinstance(value, Optional):
                return _not_optional(show(key), value, node)
            if optional and value is NONE:
                values.pop(key_of(key), None)
                continue
            values[key_of(key)] = value.value if optional and isinstance(value, Optional) else value
        return Map(values)

    return run


def struct_literal(entries: tuple[tuple[str, Step, bool], ...], build: Build, node: int) -> Step:
    def run(frame: Frame) -> object:
        values: dict[str, object] = {}
        for name, value_step, optional in entries:
            value = value_step(frame)
            if type(value) is Failure:
                return value
            if optional and not isinstance(value, Optional):
                return _not_optional(name, value, node)
            if optional and value is NONE:
                values.pop(name, None)
                continue
            values[name] = value.value if optional and isinstance(value, Optional) else value
        return located(build(values), node)

    return run


def _not_optional(key: str, value: object, node: int) -> Failure:
    return Failure(f"cannot initialize optional entry '{key}' from non-optional value {show(value)}", node)


def charged(step: Step, amount: int) -> Step:
    """The step, and a fixed price for it."""

    def run(frame: Frame) -> object:
        value = step(frame)
        meter_of(frame).charge(amount)
        return value

    return run
