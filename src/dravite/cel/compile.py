"""The door: an expression becomes a program, or an error that says why it cannot.

Read, check, judge the literals, estimate, in this order. Nothing here depends on a device.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

import msgspec

from dravite.cel.ast import Expr
from dravite.cel.check import Checked, check
from dravite.cel.cost import max_cost
from dravite.cel.environment import STORED, Environment
from dravite.cel.errors import CelError, compile_error
from dravite.cel.fold import fold
from dravite.cel.literal_rules import literal_faults
from dravite.cel.reads import device_reads
from dravite.cel.syntax import parse
from dravite.cel.types import Type


class Program(msgspec.Struct, frozen=True):
    """A compiled expression.

    Attributes:
        expression: the source.
        checked: the tree with its types and overloads.
        constants: the values that need no device, by node. They cost nothing at run time.
        output_type: the type of the answer, as Kubernetes writes it.
        max_cost: the estimated cost at worst, in CEL's units; None when nothing bounds it.
        reads: what of a device the answer depends on: `("driver",)`, `("attributes", domain, name)`, or a shorter
            path for everything below it; None when it cannot be told.
    """

    expression: str
    checked: Checked
    constants: Mapping[int, object]
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
    faults = literal_faults(checked)
    if faults:
        return compile_error(expression, faults)
    output = checked.types[checked.tree.id]
    refused = why_not(output)
    if refused is not None:
        return CelError("compile", refused, expression)
    folded = fold(checked)
    if isinstance(folded, str):
        return CelError("compile", folded, expression)
    reads = device_reads(checked, folded)
    return Program(expression, checked, folded, output.text, max_cost(checked), reads)
