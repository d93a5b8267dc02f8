"""What was found out about a "no", one type per kind of finding.

Values only: counts, names and values that were seen, never sentences. Every count can be added up by the reader:
the parts of an insight sum to its `devices`.
"""

from __future__ import annotations

from typing import Literal, TypeAlias

import msgspec

from dravite.api.meta import DeviceID, ObjectRef
from dravite.diagnosis.reasons import ConstraintID, Rejection
from dravite.snapshot.device_paths import DevicePath

Operator: TypeAlias = Literal[
    "==", "!=", "<", "<=", ">", ">=", "in", "includes", "matches", "contains", "startsWith", "endsWith", "has", "is"
]
OperandKind: TypeAlias = Literal["quantity", "version", "text", "number", "bool", "list", "presence"]


class Comparison(msgspec.Struct, frozen=True):
    """A clause of the form "this value must stand in that relation to a constant".

    `operand` is the constant as people write it (`80Gi`, `8.0.0`, `ATS`); `literal` is it as it stands in the
    expression. `negated` is set for `!path` and `!(…)`.
    """

    path: DevicePath
    operator: Operator
    operand: str
    kind: OperandKind
    literal: str = ""
    negated: bool = False


class SeenCount(msgspec.Struct, frozen=True):
    """A value and the devices that have it; `value` None means that they do not publish it at all."""

    value: str | None
    devices: int
    examples: tuple[DeviceID, ...] = ()


class ReadCount(msgspec.Struct, frozen=True):
    """What a clause read at one path, most frequent value first; the counts sum to the clause's `false_on`."""

    path: DevicePath
    values: tuple[SeenCount, ...]


class Clause(msgspec.Struct, frozen=True, kw_only=True):
    """One of the parts that a selector joins with `&&` at its top level.

    Attributes:
        text, offset: the part and where it begins in the expression, in code points.
        comparison: what it demands, where it has that form.
        true_on, false_on, error_on: on how many devices it is so by itself; they sum to the selector's `devices`.
        decides_on: devices on which it alone is false, while all other parts are true.
        seen: what it read on the devices on which it is false or an error.
        nearest: the seen value closest to a text operand, where one is close.
    """

    text: str
    offset: int
    comparison: Comparison | None = None
    true_on: int
    false_on: int
    error_on: int = 0
    decides_on: int = 0
    seen: tuple[ReadCount, ...] = ()
    nearest: str | None = None


class SelectorInsight(msgspec.Struct, frozen=True, kw_only=True):
    """One selector of a class or a request over all devices that reach it on the nodes that lack devices.

    A selector of a request is reached by the devices that the class selectors admit. `matched`, `refused` and
    `failed` sum to `devices`; devices in use are judged as well.
    """

    selector: ConstraintID
    request: str
    expression: str
    devices: int
    matched: int
    refused: int
    failed: int = 0
    matched_examples: tuple[DeviceID, ...] = ()
    clauses: tuple[Clause, ...] = ()


class NodeCount(msgspec.Struct, frozen=True):
    """On one node: `having` of `devices` devices publish something."""

    node: str
    having: int
    devices: int


class NameInsight(msgspec.Struct, frozen=True, kw_only=True):
    """A name that a selector, a constraint or a request uses and that devices do not publish.

    Attributes:
        asked_by: the selector, constraint or capacity request.
        request: the request (or alternative) that it applies to.
        path: the attribute, capacity or domain.
        problem: `domain-unknown` (no device has the domain), `name-unknown` (no device has the name),
            `is-capacity` / `is-attribute` (it is published as the other one), `other-domain` (published under
            another domain: `near` says which), `on-some` (some devices have it and others lack it).
        having, devices: how many of the devices concerned publish it.
        near: close names that are published, as full paths; the closest first.
        nodes: per node, who has it and who lacks it; only for `on-some`.
        lacking: the devices that lack it.
    """

    asked_by: ConstraintID
    request: str
    path: DevicePath
    problem: Literal["domain-unknown", "name-unknown", "is-capacity", "is-attribute", "other-domain", "on-some"]
    having: int
    devices: int
    near: tuple[DevicePath, ...] = ()
    nodes: tuple[NodeCount, ...] = ()
    lacking: tuple[DeviceID, ...] = ()


class AttributeGroup(msgspec.Struct, frozen=True):
    """The free and eligible devices of a node that share one value of a constraint's attribute, per request."""

    value: str | None
    devices: tuple[tuple[str, tuple[DeviceID, ...]], ...]


class ConstraintInsight(msgspec.Struct, frozen=True, kw_only=True):
    """What a matchAttribute or distinctAttribute left on one node (the nearest one).

    Attributes:
        kind: which of the two.
        needed: devices that the constraint binds, per request.
        groups: devices by value, the group that serves most first; devices without the attribute have value None.
        largest: the most devices that hold together under the constraint: the largest group for match, the number
            of distinct values for distinct.
    """

    constraint: ConstraintID
    kind: Literal["matchAttribute", "distinctAttribute"]
    attribute: str
    node: str
    needed: tuple[tuple[str, int], ...]
    groups: tuple[AttributeGroup, ...]
    largest: int


class AmountInsight(msgspec.Struct, frozen=True, kw_only=True):
    """A capacity or counter that is short, over all nodes that lack devices.

    Attributes:
        what: `capacity` or `counter`.
        name: the capacity, or `set/counter`.
        needed: the amount asked for (a capacity as the device's policy rounds it; a counter per device).
        largest: the most that any one device (or counter set) has left.
        largest_total: the most that any one device (or set) has at all.
        total: what is left on all of them together: it is no use, because an amount comes from one device.
        devices: devices that are short of it.
    """

    what: Literal["capacity", "counter"]
    request: str
    name: str
    needed: str
    largest: str
    largest_total: str
    total: str
    devices: int


class Holding(msgspec.Struct, frozen=True, kw_only=True):
    """A device in the way, the claim that has it and the pods that use the claim.

    `node` is where the devices are; `planned` is set where the claim got it in this very plan; `counters` where
    the device is in the way through a counter of its pool.
    """

    device: DeviceID
    claim: ObjectRef | None
    pods: tuple[ObjectRef, ...] = ()
    node: str | None = None
    planned: bool = False
    counters: bool = False


class UnmetLabel(msgspec.Struct, frozen=True, kw_only=True):
    """A part of the pod's node selection that keeps nodes out.

    `asked_by` is the pod and the field; `values_seen` the values of the label on the nodes kept out, None where
    the label is missing; the counts sum to `nodes`. `near` are labels of these nodes that may have been meant, as
    `key=value`, or the key alone where no value is asked for.
    """

    asked_by: ConstraintID
    key: str
    operator: str
    values: tuple[str, ...]
    nodes: int
    values_seen: tuple[tuple[str | None, int], ...]
    near: tuple[str, ...] = ()


class MissingName(msgspec.Struct, frozen=True, kw_only=True):
    """An object that is named and is not there.

    Attributes:
        named_by, field: where it is named.
        missing: what is not there.
        near: names of that kind that are close, in the same namespace.
        existing: all names of that kind there (the first few), and how many there are.
        elsewhere: objects of that kind and name in other namespaces.
        request: for a class, the request that names it.
        drivers: for a class, the drivers that publish devices at all.
        promised_by: for a template, the object for which a controller is to make it.
    """

    named_by: ObjectRef
    field: str
    missing: ObjectRef
    near: tuple[str, ...] = ()
    existing: tuple[str, ...] = ()
    existing_total: int = 0
    elsewhere: tuple[ObjectRef, ...] = ()
    request: str | None = None
    drivers: tuple[str, ...] = ()
    promised_by: ObjectRef | None = None


class RefusalGroup(msgspec.Struct, frozen=True, kw_only=True):
    """Devices that one request refuses for the same reason, in the order in which they are tried.

    Reasons are the same when they differ only in the device, its holders, its counter set and its amounts. Never
    empty.
    """

    rejections: tuple[Rejection, ...]

    @property
    def reason(self) -> Rejection:
        """The rejection of the first device, for all of them."""
        return self.rejections[0]

    @property
    def devices(self) -> tuple[DeviceID, ...]:
        """The devices that are refused."""
        return tuple(rejection.device for rejection in self.rejections)
