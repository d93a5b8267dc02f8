"""The door: an expression becomes a program, or an error that says why it cannot.

Read, check, judge the literals, estimate, in this order. Nothing here depends on a device.
"""

from __future__ import annotations

from collections.abc import Callable

import msgspec

from dravite.cel.ast import Expr
from dravite.cel.check import Checked, check
from dravite.cel.cost import max_cost
from dravite.cel.environment import STORED, Environment
from dravite.cel.errors import CelError, compile_error
from dravite.cel.syntax import parse
from dravite.cel.types import Type


class Program(msgspec.Struct, frozen=True):
    """A compiled expression.

    Attributes:
        expression: the source.
        checked: the tree with its types and overloads.
        output_type: the type of the answer, as Kubernetes writes it.
        max_cost: the estimated cost at worst, in CEL's units; None when nothing bounds it.
        reads: what of a device the answer depends on: `("driver",)`, `("attributes", domain, name)`, or a shorter
            path for everything below it; None when it cannot be told.
    """

    expression: str
    checked: Checked
    output_type: str
    max_cost: int | None
    reads: frozenset[tuple[str, ...]] | None

    @property
    def tree(self) -> Expr:
        return self.checked.tree


def compile_selector(expression: str, environment: Environment = STORED) -> Program | CelError:
    """Compile the expression of a device selector, which answers with a bool or something unknown."""
    return _compile(expression, environment, environment.why_no_selector)


def compile_derived_attribute(expression: str, environment: Environment = STORED) -> Program | CelError:
    """Compile the expression of a derived attribute, which answers with a value that an attribute may have."""
    return _compile(expression, environment, environment.why_no_derived_attribute)


def _compile(expression: str, environment: Environment, why_not: Callable[[Type], str | None]) -> Program | CelError:
    parsed = parse(expression)
    if parsed.tree is None:
        return compile_error(expression, parsed.faults)
    checked = check(parsed.tree, environment)
    if isinstance(checked, list):
        return compile_error(expression, checked)
    output = checked.types[checked.tree.id]
    refused = why_not(output)
    if refused is not None:
        return CelError("compile", refused, expression)
    return Program(expression, checked, output.text, max_cost(checked), None)
