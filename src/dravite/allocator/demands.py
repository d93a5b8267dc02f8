"""What claims ask for, taken apart: each demand and constraint with the address where somebody asked for it.

Values only. How they are made from claims is `problem`'s business, whether a device meets them `eligibility`'s.
"""

from __future__ import annotations

from typing import Literal, TypeAlias

import msgspec

from dravite.api.meta import ObjectRef
from dravite.api.quantity import Quantity
from dravite.api.resource_v1 import (
    DeviceClaimConfiguration,
    DeviceClassConfiguration,
    DeviceToleration,
)
from dravite.cel import CelError, Program
from dravite.diagnosis.reasons import ConstraintID
from dravite.diagnosis.verdicts import AttemptError


class Selector(msgspec.Struct, frozen=True):
    """One CEL selector of a class or a claim.

    Attributes:
        id: where it stands.
        owner: how Kubernetes names that place in an error: `class gpu` or `claim ns/name`.
        index: its position there.
        program: the compiled expression, or why it does not compile.
    """

    id: ConstraintID
    owner: str
    index: int
    expression: str
    program: Program | CelError


class CapacityDemand(msgspec.Struct, frozen=True):
    """An amount of one capacity that is asked for."""

    id: ConstraintID
    name: str
    amount: Quantity


class DerivedAttribute(msgspec.Struct, frozen=True):
    """An attribute that a request computes for constraints (KEP-6080)."""

    id: ConstraintID
    name: str
    expression: str
    program: Program | CelError


class Demand(msgspec.Struct, frozen=True, kw_only=True):
    """One way to serve a request: the request itself, or one of its alternatives.

    Attributes:
        id: where it stands.
        size_id: where its count stands, or its mode for `All`.
        name: the request's name in results: `r`, or `r/sub` (R-18).
        parent: the request's own name.
        label: the name that errors use: an alternative goes by its own name alone.
        takes_all: allocation mode All.
        count: devices wanted; without meaning for All.
        admin: admin access.
        class_name: the device class.
        class_config: configuration that the class brings along.
        selectors: those of the class, then its own (CEL-1).
        capacity: amounts asked for.
        tolerations: of device taints.
        derived: computed attributes.
        traits: all that the verdict on a device depends on; equal for demands that every device meets alike.
    """

    id: ConstraintID
    size_id: ConstraintID
    name: str
    parent: str
    label: str
    takes_all: bool
    count: int
    admin: bool
    class_name: str
    class_config: tuple[DeviceClassConfiguration, ...]
    selectors: tuple[Selector, ...]
    capacity: tuple[CapacityDemand, ...]
    tolerations: tuple[DeviceToleration, ...]
    derived: tuple[DerivedAttribute, ...]
    traits: tuple[object, ...]


class Request(msgspec.Struct, frozen=True):
    """One request: demands of which exactly one is met, in order of preference (R-17).

    Attributes:
        id: where it stands; switched off, the request is gone.
        prioritized: whether it lists alternatives, be it only one.
    """

    id: ConstraintID
    name: str
    demands: tuple[Demand, ...]
    prioritized: bool


class Constraint(msgspec.Struct, frozen=True):
    """matchAttribute or distinctAttribute over the devices of some requests of one claim.

    Attributes:
        requests: names as written, of requests or `request/alternative`; empty means all (CON-2).
    """

    id: ConstraintID
    kind: Literal["match", "distinct"]
    attribute: str
    requests: frozenset[str]

    def applies_to(self, demand: Demand) -> bool:
        """Whether devices of this demand are bound by it."""
        return not self.requests or demand.parent in self.requests or demand.name in self.requests


class ClaimDemand(msgspec.Struct, frozen=True):
    """One claim.

    Attributes:
        ref: the claim.
        title: `namespace/name`, as errors write it.
    """

    ref: ObjectRef
    title: str
    requests: tuple[Request, ...]
    constraints: tuple[Constraint, ...] = ()
    config: tuple[DeviceClaimConfiguration, ...] = ()


class Collect(msgspec.Struct, frozen=True):
    """A check on a node: find all devices of an `All` demand (R-9, R-10)."""

    claim: int
    request: int
    demand: int


class CountDevices(msgspec.Struct, frozen=True):
    """A check on a node: with the least that this request takes, is the claim within 32 devices (R-4)?"""

    claim: int
    request: int


Check: TypeAlias = Collect | CountDevices | AttemptError
"""What is looked at before any device is taken, in Kubernetes' order; an error stands where it is met (R-1)."""


class ClaimSource(msgspec.Struct, frozen=True):
    """Where a claim's spec was written: the claim, or the template that it was made from.

    Attributes:
        path: the field that holds the spec: `spec`, or `spec.spec` in a template.
    """

    object: ObjectRef
    path: str = "spec"
