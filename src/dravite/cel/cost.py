"""What an expression costs at worst, from its tree alone.

Sizes decide costs, so the estimate follows where a value comes from: a path into the device, whose parts have known
largest sizes, or a literal, or the result of a call. Source: the estimator that the API server uses; the units are
CEL's (a name or a field costs 1, a constant nothing).
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final, TypeAlias

import msgspec

from dravite.cel.ast import Call, Comprehension, Constant, Expr, Ident, ListExpr, MapExpr, Select, StructExpr
from dravite.cel.bounds import NOTHING, ONE, UNBOUNDED, UNKNOWN, Bounds, exactly
from dravite.cel.check import Checked
from dravite.cel.device_sizes import largest_size
from dravite.cel.estimates import LIST_BASE, TRAVERSAL, Estimate, Operand, call_estimate, regex_cost
from dravite.cel.macros import ACCUMULATOR
from dravite.cel.types import Type, is_optional

Path: TypeAlias = tuple[str, ...]

_MAP_BASE: Final = 30
_STRUCT_BASE: Final = 40
_SCALARS: Final = frozenset({"bool", "double", "duration", "int", "timestamp", "uint"})
_TEXT_COMPARISONS: Final = frozenset(
    {
        *("less_string", "greater_string", "less_equals_string", "greater_equals_string"),
        *("less_bytes", "greater_bytes", "less_equals_bytes", "greater_equals_bytes", "equals", "not_equals"),
    }
)
_NO_RANGE: Final = Bounds(UNBOUNDED, 0)


def max_cost(checked: Checked) -> int | None:
    """The cost at worst, or None where nothing bounds it (the API server would refuse such an expression)."""
    most = _Estimator(checked).cost(checked.tree).most
    return None if most == UNBOUNDED else most


class _Entries(msgspec.Struct, frozen=True):
    """The sizes of keys (or indices) and values of a list or map."""

    kind: str
    key: Bounds
    value: Bounds

    def union(self, other: _Entries | None) -> _Entries | None:
        return other and _Entries(self.kind, self.key.union(other.key), self.value.union(other.value))


class _Variable(msgspec.Struct, frozen=True):
    path: Path
    size: Bounds | None
    entries: _Entries | None


class _Estimator:
    def __init__(self, checked: Checked) -> None:
        self.types = checked.types
        self.overloads = checked.overloads
        self.paths: dict[int, Path] = {}
        self.sizes: dict[int, Bounds] = {}
        self.entries: dict[int, _Entries] = {}
        self.variables: dict[str, list[_Variable]] = {}

    def cost(self, node: Expr) -> Bounds:
        match node:
            case Constant():
                return NOTHING
            case Ident():
                variable = self.variable(node.name)
                self.paths[node.id] = variable.path if variable else (node.name,)
                return ONE
            case Select():
                return self.select(node)
            case Call():
                return self.dyn(node) if node.function == "dyn" else self.call(node)
            case ListExpr():
                return self.list_literal(node)
            case MapExpr():
                return self.map_literal(node)
            case StructExpr():
                return self.sum_of(entry.value for entry in node.entries).plus(exactly(_STRUCT_BASE))
            case Comprehension():
                return self.bind(node) if is_bind(node) else self.loop(node)

    def variable(self, name: str) -> _Variable | None:
        found = self.variables.get(name)
        return found[-1] if found else None

    def path(self, node: Expr) -> Path:
        """Where in the device a value comes from; empty where it does not."""
        variable = self.variable(node.name) if isinstance(node, Ident) else None
        return variable.path if variable else self.paths.get(node.id, ())

    def sum_of(self, nodes: Iterable[Expr]) -> Bounds:
        total = NOTHING
        for node in nodes:
            total = total.plus(self.cost(node))
        return total

    # Sizes

    def size(self, node: Expr) -> Bounds | None:
        """How large a value can be: characters, bytes, elements or entries."""
        known = self.sizes.get(node.id)
        if known is not None:
            return known
        written = _written_size(node)
        if written is not None:
            return written
        declared = largest_size(self.path(node))
        if declared is not None:
            self.sizes[node.id] = _up_to(declared)
            return self.sizes[node.id]
        if _is_scalar(self.types[node.id]):
            return ONE
        variable = self.variable(node.name) if isinstance(node, Ident) else None
        return variable.size if variable else None

    def size_or_unknown(self, node: Expr) -> Bounds:
        size = self.size(node)
        return UNKNOWN if size is None else size

    def entry_sizes(self, node: Expr) -> _Entries | None:
        found = self.entries.get(node.id)
        if found is None and isinstance(node, Ident):
            variable = self.variable(node.name)
            return variable.entries if variable else None
        return found

    def note_size(self, node: Expr, size: Bounds | None) -> None:
        if size is not None:
            self.sizes[node.id] = size

    def note_entries(self, node: Expr, entries: _Entries | None) -> None:
        if entries is not None:
            self.entries[node.id] = entries

    # Literals and fields

    def select(self, node: Select) -> Bounds:
        cost = self.cost(node.operand)
        if node.test_only:
            return cost
        self.paths[node.id] = (*self.path(node.operand), node.field)
        return cost.plus(ONE) if self.types[node.operand.id].kind in ("map", "struct") else cost

    def list_literal(self, node: ListExpr) -> Bounds:
        cost, element = NOTHING, _NO_RANGE if node.elements else Bounds(0, 0)
        for each in node.elements:
            cost = cost.plus(self.cost(each))
            element = element.union(self.size_or_unknown(each))
        self.entries[node.id] = _Entries("list", ONE, element)
        return cost.plus(exactly(LIST_BASE))

    def map_literal(self, node: MapExpr) -> Bounds:
        cost, key, value = NOTHING, _NO_RANGE, _NO_RANGE
        if not node.entries:
            key = value = Bounds(0, 0)
        for entry in node.entries:
            cost = cost.plus(self.cost(entry.key)).plus(self.cost(entry.value))
            key = key.union(self.size_or_unknown(entry.key))
            value = value.union(self.size_or_unknown(entry.value))
        self.entries[node.id] = _Entries("map", key, value)
        return cost.plus(exactly(_MAP_BASE))

    # Loops

    def bind(self, node: Comprehension) -> Bounds:
        """`cel.bind`: a variable for a while."""
        cost = self.cost(node.iter_range).plus(self.cost(node.accu_init))
        self.push(node.accu_var, self.as_variable(node.accu_init))
        cost = cost.plus(self.cost(node.result))
        self.pop(node.accu_var)
        self.note_size(node, self.size(node.result))
        self.note_entries(node, self.entry_sizes(node.result))
        return cost

    def loop(self, node: Comprehension) -> Bounds:
        cost = self.cost(node.iter_range).plus(self.cost(node.accu_init))
        self.push(node.accu_var, self.as_variable(node.accu_init))
        for name, variable in self.loop_variables(node):
            self.push(name, variable)
        turn = self.cost(node.loop_condition)
        turn = self.cost(node.loop_step).plus(turn)
        self.pop(node.iter_var)
        if node.iter_var2:
            self.pop(node.iter_var2)
        cost = cost.plus(self.cost(node.result))
        self.pop(node.accu_var)
        turns = self.size_or_unknown(node.iter_range)
        self.note_loop_size(node, turns)
        return cost.plus(turns.times(turn))

    def note_loop_size(self, node: Comprehension, turns: Bounds) -> None:
        """A loop that gathers a list or map gathers at most one element a turn."""
        if isinstance(node.accu_init, Constant):
            self.note_size(node, self.size(node.accu_init))
        elif isinstance(node.accu_init, ListExpr | MapExpr):
            self.sizes[node.id] = turns
            self.note_entries(node, self.entry_sizes(node.loop_step))

    def as_variable(self, node: Expr) -> _Variable:
        return _Variable(self.path(node), self.size(node), self.entry_sizes(node))

    def loop_variables(self, node: Comprehension) -> list[tuple[str, _Variable]]:
        over = node.iter_range
        entries = self.entry_sizes(over)
        is_list = (entries.kind if entries else self.types[over.id].kind) == "list"
        path = self.path(over)
        key_size, value_size = (entries.key, entries.value) if entries else (None, None)
        value = _Variable((*path, "@items" if is_list else "@values"), value_size, None)
        if node.iter_var2:
            key = _Variable((*path, "@indices" if is_list else "@keys"), key_size, None)
            return [(node.iter_var, key), (node.iter_var2, value)]
        return [(node.iter_var, value if is_list else _Variable((*path, "@keys"), key_size, None))]

    def push(self, name: str, variable: _Variable) -> None:
        self.variables.setdefault(name, []).append(variable)

    def pop(self, name: str) -> None:
        self.variables[name].pop()

    # Calls

    def dyn(self, node: Call) -> Bounds:
        """`dyn(x)` is x, but for its type."""
        arg = node.args[0]
        cost = self.cost(arg)
        self.note_size(node, self.size(arg))
        self.note_entries(node, self.entry_sizes(arg))
        return cost.plus(ONE)

    def call(self, node: Call) -> Bounds:
        costs: list[Bounds] = []
        operands: list[Operand] = []
        for arg in node.args:
            costs.append(self.cost(arg))
            operands.append(self.operand(arg))
        overloads = self.overloads[node.id]
        if not overloads:
            return NOTHING
        before, target = NOTHING, None
        if node.target is not None:
            before = self.cost(node.target)
            target = self.operand(node.target)
        spread, size = _NO_RANGE, None
        call = _Invocation(node, target, tuple(operands), tuple(costs))
        for overload in overloads:
            estimate = self.overload_cost(call, overload)
            spread = spread.union(estimate.cost)
            if estimate.size is not None:
                size = estimate.size if size is None else size.union(estimate.size)
            size = self.index_size(node, overload, size)
            if size is None:
                size = self.size(node)
        self.note_size(node, size)
        return before.plus(spread)

    def index_size(self, node: Call, overload: str, size: Bounds | None) -> Bounds | None:
        """What is known of an element, and its path; for other calls the size as it is."""
        if overload not in ("index_list", "index_map"):
            return size
        entries = self.entry_sizes(node.args[0])
        step = "@items" if overload == "index_list" else "@values"
        self.paths[node.id] = (*self.path(node.args[0]), step)
        return entries.value if entries else None

    def operand(self, node: Expr) -> Operand:
        path = self.path(node)
        if path and path[0] in (ACCUMULATOR, "__result__"):
            path = ()
        item = largest_size((*path, "@items")) if path else None
        item_size = UNKNOWN if item is None else _up_to(item)
        return Operand(node, self.types[node.id], self.size(node), item_size)

    def overload_cost(self, call: _Invocation, overload: str) -> Estimate:
        """The cost of one way to understand a call, with its arguments."""
        args = call.args_cost()
        library = call_estimate(call.node.function, overload, call.target, call.args)
        if library is not None:
            return Estimate(library.cost.plus(args), library.size)
        match overload:
            case "logical_or" | "logical_and":
                left, right = call.costs
                return Estimate(Bounds(left.least, left.plus(right).most))
            case "conditional":
                return self.conditional(call)
            case "add_string" | "add_bytes" | "add_list":
                return self.addition(call, overload)
        own = _own_cost(call, overload)
        return Estimate(own.cost.plus(args), own.size)

    def conditional(self, call: _Invocation) -> Estimate:
        condition, accepted, refused = call.costs
        _, first, second = call.args
        one, other = self.entry_sizes(first.node), self.entry_sizes(second.node)
        self.note_entries(call.node, one and one.union(other))
        return Estimate(condition.plus(accepted.union(refused)), first.size.union(second.size))

    def addition(self, call: _Invocation, overload: str) -> Estimate:
        """Joining two texts costs their length, joining two lists nothing extra."""
        first, second = call.args
        size = first.size.plus(second.size)
        one, other = self.entry_sizes(first.node), self.entry_sizes(second.node)
        self.note_entries(call.node, one and one.union(other))
        own = ONE if overload == "add_list" else size.scaled(TRAVERSAL)
        return Estimate(own.plus(call.args_cost()), size)


class _Invocation(msgspec.Struct, frozen=True):
    """A call and what is known of its operands."""

    node: Call
    target: Operand | None
    args: tuple[Operand, ...]
    costs: tuple[Bounds, ...]

    def args_cost(self) -> Bounds:
        total = NOTHING
        for cost in self.costs:
            total = total.plus(cost)
        return total


def _own_cost(call: _Invocation, overload: str) -> Estimate:
    """The cost of the language's own functions, without arguments."""
    target, args = call.target, call.args
    match overload, len(args):
        case "string_format", _ if target is not None:
            return Estimate(target.size.scaled(TRAVERSAL))
        case "string_to_bytes", 1:
            size = args[0].size
            return Estimate(size.scaled(TRAVERSAL), Bounds(size.least, size.most * 4 % 2**64))
        case "bytes_to_string", 1:
            size = args[0].size
            return Estimate(size.scaled(TRAVERSAL), Bounds(size.least // 4, size.most))
        case "strings_quote", 1:
            size = args[0].size
            quoted = Bounds((size.least + 2) % 2**64, (size.most * 2 + 2) % 2**64)
            return Estimate(size.scaled(TRAVERSAL), quoted)
        case "starts_with_string" | "ends_with_string", 1:
            return Estimate(args[0].size.scaled(TRAVERSAL))
        case "in_list", 2:
            return Estimate(args[1].size.scaled(1))
        case "matches_string", 1 if target is not None:
            return Estimate(regex_cost(target.size, args[0].size))
        case "matches", 2:
            return Estimate(regex_cost(args[0].size, args[1].size))
        case "contains_string", 1 if target is not None:
            return Estimate(target.size.scaled(TRAVERSAL).times(args[0].size.scaled(TRAVERSAL)))
        case _ if overload in _TEXT_COMPARISONS:
            most = min(args[0].size.most, args[1].size.most)
            return Estimate(Bounds(1 if most else 0, most).scaled(TRAVERSAL))
    return Estimate(ONE)


def is_bind(node: Comprehension) -> bool:
    """Whether a comprehension is no loop but a name for a value, as `cel.bind` makes it."""
    over, condition = node.iter_range, node.loop_condition
    is_empty = isinstance(over, ListExpr) and not over.elements
    return is_empty and isinstance(condition, Constant) and condition.value is False


def _written_size(node: Expr) -> Bounds | None:
    """The size of what stands in the source."""
    match node:
        case Constant():
            return exactly(len(node.value) if isinstance(node.value, str | bytes) else 1)
        case ListExpr():
            return exactly(len(node.elements))
        case MapExpr():
            return exactly(len(node.entries))
    return None


def _is_scalar(t: Type) -> bool:
    return t.kind in _SCALARS or (is_optional(t) and _is_scalar(t.params[0]))


def _up_to(most: int) -> Bounds:
    return Bounds(0, most)
