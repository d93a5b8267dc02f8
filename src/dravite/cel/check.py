"""The type checker: which overloads a call can mean, and which type every node has.

It goes through the whole tree and reports every fault, with the sentences of Kubernetes' checker. It also settles
names: `optional.of(x)` is one function and no method call, a qualified type name is one name.
"""

from __future__ import annotations

from collections.abc import Mapping

import msgspec

from dravite.cel.ast import (
    Call,
    Comprehension,
    Constant,
    Expr,
    FieldEntry,
    Ident,
    ListExpr,
    MapEntry,
    MapExpr,
    Select,
    StructExpr,
)
from dravite.cel.declarations import Overload, overloads
from dravite.cel.environment import Environment
from dravite.cel.errors import Fault
from dravite.cel.messages import message_of
from dravite.cel.names import Names, dotted_name, message_type
from dravite.cel.types import (
    ANY,
    BOOL,
    DYN,
    ERROR,
    INT,
    STRING,
    Type,
    is_dyn,
    is_optional,
    list_of,
    literal_type,
    map_of,
    optional_of,
    same,
    unwrap_optional,
)
from dravite.cel.unify import Unifier, more_general, substitute


class Checked(msgspec.Struct, frozen=True):
    """A tree whose meaning is settled.

    Attributes:
        tree: the tree with qualified names resolved. A name that starts with a dot is the global one, although a
            loop has a variable of the same name.
        types: the type of every node, by its number.
        overloads: what a call can mean, by the call's number: overload ids in the order of the table.
        constants: names that stand for a value, by the node's number: a `Type`, or the number of an enum.
    """

    tree: Expr
    types: Mapping[int, Type]
    overloads: Mapping[int, tuple[str, ...]]
    constants: Mapping[int, object]


def check(tree: Expr, environment: Environment) -> Checked | list[Fault]:
    """Check a whole tree; the faults come in the order in which they were found."""
    checker = _Checker(environment)
    settled = checker.visit(tree)
    if checker.faults:
        return checker.faults
    bindings = checker.unifier.bindings
    types = {
        n: t if not t.params and t.kind != "param" else substitute(bindings, t, unbound_as_dyn=True)
        for n, t in checker.types.items()
    }
    return Checked(settled, types, checker.overloads, checker.names.constants)


class _Checker:
    def __init__(self, environment: Environment) -> None:
        self.environment = environment
        self.types: dict[int, Type] = {}
        self.overloads: dict[int, tuple[str, ...]] = {}
        self.faults: list[Fault] = []
        self.names = Names()
        self.unifier = Unifier()

    def visit(self, node: Expr) -> Expr:
        match node:
            case Constant():
                self.types[node.id] = literal_type(node.value)
                return node
            case Ident():
                return self.ident(node)
            case Select():
                return self.select(node)
            case Call():
                return self.optional_select(node) if node.function == "_?._" else self.call(node)
            case ListExpr():
                return self.list_literal(node)
            case MapExpr():
                return self.map_literal(node)
            case StructExpr():
                return self.struct_literal(node)
            case Comprehension():
                return self.comprehension(node)

    def fault(self, offset: int, message: str) -> None:
        self.faults.append(Fault(offset, message))

    def assign(self, first: Type, second: Type) -> bool:
        return self.unifier.assign(first, second)

    def resolved(self, t: Type) -> Type:
        return substitute(self.unifier.bindings, t)

    # Names

    def ident(self, node: Ident) -> Expr:
        found = self.names.resolve(node.id, node.name)
        if found is None:
            self.types[node.id] = ERROR
            self.undeclared(node.offset, node.name)
            return node
        name, self.types[node.id] = found
        return node if name == node.name else Ident(node.id, node.offset, name)

    def undeclared(self, offset: int, name: str) -> None:
        self.fault(offset, f"undeclared reference to '{name}' (in container '')")

    def qualified(self, node: Select) -> Expr | None:
        """A chain of selections that is one global name."""
        name = dotted_name(node)
        found = None if name is None else self.names.resolve_qualified(node.id, name)
        if found is None:
            return None
        plain, self.types[node.id] = found
        return Ident(node.id, node.offset, plain)

    # Fields

    def select(self, node: Select) -> Expr:
        named = None if node.test_only else self.qualified(node)
        if named is not None:
            return named
        operand = self.visit(node.operand)
        found = self.field_type(node, operand, node.field)
        self.types[node.id] = BOOL if node.test_only else self.resolved(found)
        return Select(node.id, node.offset, operand, node.field, node.test_only)

    def optional_select(self, node: Call) -> Expr:
        field = node.args[1]
        assert isinstance(field, Constant)  # noqa: S101 - the parser makes no other
        operand = self.visit(node.args[0])
        self.types[field.id] = STRING
        found = unwrap_optional(self.field_type(node, operand, str(field.value)))
        self.types[node.id] = self.resolved(optional_of(found))
        self.overloads[node.id] = ("select_optional_field",)
        return Call(node.id, node.offset, node.function, None, (operand, field))

    def field_type(self, node: Select | Call, operand: Expr, field: str) -> Type:
        """The type of a field; of an optional operand it is optional, too."""
        operand_type = self.resolved(self.types[operand.id])
        target = unwrap_optional(operand_type)
        result = DYN
        match target.kind:
            case "map":
                result = target.params[1]
            case "struct":
                result = self.struct_field(node.offset, target.name, field)
            case "param":
                self.assign(DYN, target)
            case kind if kind not in ("dyn", "any", "error"):
                self.fault(node.offset, f"type '{target.label}' does not support field selection")
        return optional_of(result) if is_optional(operand_type) else result

    def struct_field(self, offset: int, type_name: str, field: str) -> Type:
        fields = self.environment.fields(type_name)
        if fields is None:
            self.fault(offset, f"unexpected failed resolution of '{type_name}'")
            return ERROR
        found = fields.get(field)
        if found is None:
            self.fault(offset, f"undefined field '{field}'")
        return found or ERROR

    # Calls

    def call(self, node: Call) -> Expr:
        args = tuple([self.visit(arg) for arg in node.args])
        if node.target is None:
            name = node.function.removeprefix(".")
            declared = self.declared(name)
            if declared is None:
                self.types[node.id] = ERROR
                self.undeclared(node.offset, node.function)
                return node
            settled = Call(node.id, node.offset, name, None, args)
            self.resolve(settled, declared)
            return settled
        return self.method(node, node.target, args)

    def declared(self, function: str) -> tuple[Overload, ...] | None:
        return overloads(function) if self.environment.declares(function) else None

    def method(self, node: Call, target: Expr, args: tuple[Expr, ...]) -> Expr:
        prefix = dotted_name(target)
        if prefix is not None:
            name = f"{prefix}.{node.function}".removeprefix(".")
            namespaced = self.declared(name)
            if namespaced is not None:
                settled = Call(node.id, node.offset, name, None, args)
                self.resolve(settled, namespaced)
                return settled
        receiver = self.visit(target)
        declared = self.declared(node.function)
        settled = Call(node.id, node.offset, node.function, receiver, args)
        if declared is None:
            self.types[node.id] = ERROR
            self.undeclared(node.offset, node.function)
        else:
            self.resolve(settled, declared)
        return settled

    def resolve(self, node: Call, declared: tuple[Overload, ...]) -> None:
        """Find all overloads that fit, and the type of the call."""
        if node.function in ("_&&_", "_||_"):
            self.logical(node, declared[0])
            return
        style = "global" if node.target is None else "member"
        operands = node.args if node.target is None else (node.target, *node.args)
        given = [self.types[operand.id] for operand in operands]
        fitting: list[str] = []
        result: Type | None = None
        for overload in declared:
            if overload.style != style:
                continue
            answer = self.unifier.fit(overload, given)
            if answer is None:
                continue
            fitting.append(overload.id)
            if result is None:
                result = answer
            elif not is_dyn(result) and not same(answer, result):
                result = DYN
        if result is None:
            self.no_overload(node, given)
        self.types[node.id] = result or ERROR
        self.overloads[node.id] = tuple(fitting)

    def logical(self, node: Call, overload: Overload) -> None:
        result = BOOL
        for arg in node.args:
            found = self.types[arg.id]
            if not self.assign(found, BOOL):
                self.mismatch(arg.offset, BOOL, found)
                result = ERROR
        self.types[node.id] = result
        self.overloads[node.id] = (overload.id,)

    def no_overload(self, node: Call, given: list[Type]) -> None:
        labels = [substitute(self.unifier.bindings, t, unbound_as_dyn=True).label for t in given]
        receiver = f"{labels.pop(0)}." if node.target is not None else ""
        applied = f"{receiver}({', '.join(labels)})"
        self.fault(node.offset, f"found no matching overload for '{node.function}' applied to '{applied}'")

    def mismatch(self, offset: int, expected: Type, found: Type) -> None:
        self.fault(offset, f"expected type '{expected.label}' but found '{found.label}'")

    # Literals

    def list_literal(self, node: ListExpr) -> Expr:
        common: Type | None = None
        elements: list[Expr] = []
        for position, given in enumerate(node.elements):
            element = self.visit(given)
            elements.append(element)
            found = self.types[element.id]
            if position in node.optional:
                found = self.optional_value(element.offset, found)
            common = self.join(common, found)
        self.types[node.id] = list_of(common or self.unifier.fresh())
        return ListExpr(node.id, node.offset, tuple(elements), node.optional)

    def optional_value(self, offset: int, found: Type) -> Type:
        """The type inside what `?x` names, which must be optional."""
        value = unwrap_optional(found)
        if not is_optional(found) and not is_dyn(found):
            self.mismatch(offset, optional_of(found), found)
        return value

    def join(self, common: Type | None, found: Type) -> Type:
        """The type of all elements so far. Whether a literal may mix types is for `literal_rules` to say."""
        if common is None:
            return found
        return more_general(common, found) if self.assign(common, found) else DYN

    def map_literal(self, node: MapExpr) -> Expr:
        keys: Type | None = None
        values: Type | None = None
        entries: list[MapEntry] = []
        for entry in node.entries:
            key = self.visit(entry.key)
            keys = self.join(keys, self.types[key.id])
            value = self.visit(entry.value)
            found = self.types[value.id]
            if entry.optional:
                found = self.optional_value(value.offset, found)
            values = self.join(values, found)
            entries.append(MapEntry(entry.id, entry.offset, key, value, entry.optional))
        keys = keys or self.unifier.fresh()
        self.types[node.id] = map_of(keys, values or self.unifier.fresh())
        return MapExpr(node.id, node.offset, tuple(entries))

    def struct_literal(self, node: StructExpr) -> Expr:
        name = node.type_name.removeprefix(".")
        named = message_type(name)
        if named is None:
            self.undeclared(node.offset, node.type_name)
            self.types[node.id] = ERROR
            return node
        message = message_of(named)
        if message is None:
            self.fault(node.offset, f"'{named.name}' is not a message type")
            named = ERROR
        self.types[node.id] = named
        entries = tuple([self.struct_entry(message or name, entry) for entry in node.entries])
        return StructExpr(node.id, node.offset, name, entries)

    def struct_entry(self, message: str, entry: FieldEntry) -> FieldEntry:
        value = self.visit(entry.value)
        expected = ANY if message == "map" else self.struct_field(entry.offset, message, entry.field)
        found = self.types[value.id]
        if entry.optional:
            found = self.optional_value(value.offset, found)
        if not self.assign(expected, found):
            message = (
                f"expected type of field '{entry.field}' is '{expected.label}' but provided type is '{found.label}'"
            )
            self.fault(entry.offset, message)
        return FieldEntry(entry.id, entry.offset, entry.field, value, entry.optional)

    # Loops

    def comprehension(self, node: Comprehension) -> Expr:
        if node.iter_var2 and not self.environment.newer:
            self.fault(node.offset, "undeclared reference to a macro with two variables (in container '')")
        over = self.visit(node.iter_range)
        start = self.visit(node.accu_init)
        gathered = self.types[start.id]
        first, second = self.loop_types(over, self.resolved(self.types[over.id]), two=bool(node.iter_var2))
        self.names.enter({node.accu_var: gathered})
        variables = {node.iter_var: first}
        if node.iter_var2:
            variables[node.iter_var2] = second
        self.names.enter(variables)
        condition = self.visit(node.loop_condition)
        self.must_be(condition, BOOL)
        step = self.visit(node.loop_step)
        self.must_be(step, gathered)
        self.names.leave()
        result = self.visit(node.result)
        self.names.leave()
        self.types[node.id] = self.resolved(self.types[result.id])
        return Comprehension(
            node.id,
            node.offset,
            over,
            node.iter_var,
            node.iter_var2,
            node.accu_var,
            start,
            condition,
            step,
            result,
        )

    def loop_types(self, over: Expr, t: Type, *, two: bool) -> tuple[Type, Type]:
        """The types of the loop's variables."""
        match t.kind:
            case "list":
                return (INT, t.params[0]) if two else (t.params[0], ERROR)
            case "map":
                return t.params[0], t.params[1]
            case "dyn" | "error" | "param":
                self.assign(DYN, t)
                return DYN, DYN
        reason = "cannot be range of a comprehension (must be list, map, or dynamic)"
        self.fault(over.offset, f"expression of type '{t.label}' {reason}")
        return ERROR, ERROR

    def must_be(self, node: Expr, expected: Type) -> None:
        found = self.types[node.id]
        if not self.assign(expected, found):
            self.mismatch(node.offset, expected, found)
