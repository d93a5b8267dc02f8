"""One claim compiled: demands and constraints, and the checks that come before any device is taken.

What is wrong with a claim is an error only once a node is asked: Kubernetes finds it while it allocates, so it comes
after everything that is found earlier on that node. The texts are Kubernetes' own (R-1 to R-4).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final, TypeAlias

from dravite.allocator.demands import (
    CapacityDemand,
    Check,
    ClaimDemand,
    ClaimSource,
    Collect,
    Constraint,
    CountDevices,
    Demand,
    DerivedAttribute,
    Request,
    Selector,
)
from dravite.api.field import child, keyed
from dravite.api.meta import ObjectRef
from dravite.api.resource_v1 import (
    DeviceClass,
    DeviceConstraint,
    DeviceRequest,
    DeviceSelector,
    DeviceSubRequest,
    ExactDeviceRequest,
    ResourceClaim,
)
from dravite.diagnosis.reasons import ConstraintID
from dravite.diagnosis.verdicts import AttemptError
from dravite.snapshot.inventory import Inventory
from dravite.snapshot.selector_verdicts import compiled_derived_attribute, compiled_selector
from dravite.snapshot.variants import variant

MAX_DEVICES: Final = 32
"""Devices that one claim can get (AllocationResultsMaxSize)."""

_Wanted: TypeAlias = ExactDeviceRequest | DeviceSubRequest


def claim_ref(claim: ResourceClaim) -> ObjectRef:
    """The claim as others refer to it."""
    return ObjectRef("ResourceClaim", claim.metadata.namespace, claim.metadata.name)


class ClaimCompiler:
    """Compiles one claim and stops at the first error.

    Attributes:
        checks: what comes before any device of the claim is taken; an error ends it.
    """

    def __init__(
        self, claim: ResourceClaim, source: ClaimSource, inventory: Inventory, off: frozenset[ConstraintID]
    ) -> None:
        self.checks: list[Check] = []
        self._claim = claim
        self._title = f"{claim.metadata.namespace}/{claim.metadata.name}"
        self._source = source
        self._classes = inventory.classes
        self._features = inventory.features
        self._is_stable = variant(inventory.features) == "stable"
        self._off = off

    def compile(self, number: int) -> ClaimDemand:
        """The claim, which is number `number` of the problem, as far as it could be read."""
        devices = self._claim.spec.devices
        requests: list[Request] = []
        for index, request in enumerate(devices.requests):
            path = child(self._source.path, "devices", "requests", index)
            if self._id(path) in self._off:
                continue
            place = (number, len(requests))
            requests.append(self._request(request, path, place))
            if self.is_stopped:
                break
            self.checks.append(CountDevices(*place))
        constraints = () if self.is_stopped else self._constraints(devices.constraints)
        return ClaimDemand(claim_ref(self._claim), self._title, tuple(requests), constraints, devices.config)

    @property
    def is_stopped(self) -> bool:
        """Whether something is wrong with the claim; the error is the last of the checks."""
        return bool(self.checks) and isinstance(self.checks[-1], AttemptError)

    def _id(self, path: str) -> ConstraintID:
        return ConstraintID(self._source.object, path)

    def _error(self, kind: str, text: str, request: str | None = None, path: str | None = None) -> AttemptError:
        message = f"claim {self._title}, {text}"
        return AttemptError(kind=kind, message=message, claim=self._source.object, request=request, path=path)

    def _request(self, request: DeviceRequest, path: str, place: tuple[int, int]) -> Request:
        """The request, with the demands that come before the first fault."""
        demands: list[Demand] = []
        fault = self._gated(request, path)
        for where, wanted in _alternatives(request, path):
            fault = fault or self._faulty(request.name, wanted, where)
            if fault is not None:
                self.checks.append(fault)
                break
            demand = self._demand(request.name, wanted, where)
            if demand.takes_all:
                self.checks.append(Collect(*place, len(demands)))
            demands.append(demand)
        return Request(self._id(path), request.name, tuple(demands), bool(request.first_available))

    def _gated(self, request: DeviceRequest, path: str) -> AttemptError | None:
        """R-1 (a) and (b): fields whose feature is off."""
        if request.first_available and "PrioritizedList" not in self._features:
            text = f"request {request.name}: has subrequests, but the DRAPrioritizedList feature is disabled"
            return self._error("feature", text, request.name, child(path, "firstAvailable"))
        if "ConsumableCapacity" in self._features or self._is_stable:
            return None
        text = "has capacity requests, but the DRAConsumableCapacity feature is disabled"
        if request.exactly is not None and request.exactly.capacity is not None:
            place = child(path, "exactly", "capacity")
            return self._error("feature", f"request {request.name}: {text}", request.name, place)
        for index, wanted in enumerate(request.first_available):
            if wanted.capacity is not None:
                place = child(path, "firstAvailable", index, "capacity")
                return self._error("feature", f"subrequest {wanted.name}: {text}", wanted.name, place)
        return None

    def _faulty(self, request: str, wanted: _Wanted, path: str) -> AttemptError | None:
        """R-1 (c): what is wrong with one way to serve a request."""
        label = wanted.name if isinstance(wanted, DeviceSubRequest) else request
        kind, field, text = self._fault(wanted) or ("", "", "")
        if kind:
            separator = "," if text.startswith(" selector") else ":"
            return self._error(kind, f"request {label}{separator}{text}", label, child(path, field))
        return None

    def _fault(self, wanted: _Wanted) -> tuple[str, str, str] | None:
        """Kind, field and text of the first fault, in the order in which Kubernetes looks."""
        if wanted.derived_attributes and "DerivedAttributes" not in self._features:
            text = " cannot handle request with derived attributes, the feature is disabled"
            return ("feature", "derivedAttributes", text)
        for index, selector in enumerate(wanted.selectors):
            if selector.cel is None:
                text = f" selector #{index}: CEL expression empty (unsupported selector type?)"
                return ("request", f"selectors[{index}]", text)
        if _admin_access(wanted) is not None and "AdminAccess" not in self._features:
            return ("feature", "adminAccess", " admin access is requested, but the feature is disabled")
        name = wanted.device_class_name
        if not name:
            return ("class", "deviceClassName", " missing device class name (unsupported request type?)")
        device_class = self._classes.get(name)
        if device_class is None:
            text = f' could not retrieve device class {name}: deviceclass.resource.k8s.io "{name}" not found'
            return ("class", "deviceClassName", text)
        if wanted.allocation_mode not in ("ExactCount", "All"):
            return ("request", "allocationMode", f" unsupported count mode {wanted.allocation_mode}")
        if any(selector.cel is None for selector in device_class.spec.selectors):
            # Kubernetes crashes here; its API server lets no such class in.
            return ("class", "deviceClassName", f" class {name} has a selector without a CEL expression")
        return None

    def _demand(self, request: str, wanted: _Wanted, path: str) -> Demand:
        alternative = wanted.name if isinstance(wanted, DeviceSubRequest) else None
        takes_all = wanted.allocation_mode == "All"
        size_id = self._id(child(path, "allocationMode" if takes_all else "count"))
        sized = size_id not in self._off
        device_class = self._classes[wanted.device_class_name]
        selectors = (*self._class_selectors(device_class), *self._own_selectors(wanted.selectors, path))
        capacity = self._capacity(wanted, path)
        return Demand(
            id=self._id(path),
            size_id=size_id,
            name=request if alternative is None else f"{request}/{alternative}",
            parent=request,
            label=request if alternative is None else alternative,
            takes_all=takes_all and sized,
            count=wanted.count if sized else 1 if takes_all else min(wanted.count, 1),
            admin=bool(_admin_access(wanted)),
            class_name=wanted.device_class_name,
            class_config=device_class.spec.config,
            selectors=selectors,
            capacity=capacity,
            tolerations=wanted.tolerations,
            derived=self._derived(wanted, path),
            traits=(
                tuple(selector.expression for selector in selectors),
                tuple((demand.name, demand.amount.text) for demand in capacity),
                wanted.tolerations,
            ),
        )

    def _class_selectors(self, device_class: DeviceClass) -> Iterable[Selector]:
        ref = ObjectRef("DeviceClass", "", device_class.metadata.name)
        owner = f"class {device_class.metadata.name}"
        return self._selectors(device_class.spec.selectors, ConstraintID(ref, "spec"), owner)

    def _own_selectors(self, selectors: Sequence[DeviceSelector], path: str) -> Iterable[Selector]:
        return self._selectors(selectors, self._id(path), f"claim {self._title}")

    def _selectors(self, selectors: Sequence[DeviceSelector], place: ConstraintID, owner: str) -> Iterable[Selector]:
        for index, selector in enumerate(selectors):
            constraint = ConstraintID(place.object, child(place.path, "selectors", index, "cel", "expression"))
            if selector.cel is not None and constraint not in self._off:
                expression = selector.cel.expression
                yield Selector(constraint, owner, index, expression, compiled_selector(expression))

    def _capacity(self, wanted: _Wanted, path: str) -> tuple[CapacityDemand, ...]:
        if wanted.capacity is None or "ConsumableCapacity" not in self._features:
            return ()
        place = child(path, "capacity", "requests")
        demands = (
            CapacityDemand(self._id(keyed(place, name)), name, amount)
            for name, amount in sorted(wanted.capacity.requests.items())
        )
        return tuple(demand for demand in demands if demand.id not in self._off)

    def _derived(self, wanted: _Wanted, path: str) -> tuple[DerivedAttribute, ...]:
        return tuple(
            DerivedAttribute(
                self._id(child(path, "derivedAttributes", index, "expression")),
                attribute.name,
                attribute.expression,
                compiled_derived_attribute(attribute.expression),
            )
            for index, attribute in enumerate(wanted.derived_attributes)
        )

    def _constraints(self, constraints: Sequence[DeviceConstraint]) -> tuple[Constraint, ...]:
        compiled: list[Constraint] = []
        for index, constraint in enumerate(constraints):
            distinct = None if self._is_stable else constraint.distinct_attribute
            attribute = distinct if constraint.match_attribute is None else constraint.match_attribute
            path = child(self._source.path, "devices", "constraints", index)
            if attribute is None:
                text = f"constraint #{index}: empty constraint (unsupported constraint type?)"
                self.checks.append(self._error("request", text, path=path))
                break
            is_match = constraint.match_attribute is not None
            place = self._id(child(path, "matchAttribute" if is_match else "distinctAttribute"))
            if place not in self._off:
                requests = frozenset(constraint.requests)
                compiled.append(Constraint(place, "match" if is_match else "distinct", attribute, requests))
        return tuple(compiled)


def _alternatives(request: DeviceRequest, path: str) -> Iterable[tuple[str, _Wanted]]:
    """The ways to serve a request with their places; alternatives win over `exactly` (R-2)."""
    if request.first_available:
        for index, alternative in enumerate(request.first_available):
            yield child(path, "firstAvailable", index), alternative
    elif request.exactly is not None:
        yield child(path, "exactly"), request.exactly


def _admin_access(wanted: _Wanted) -> bool | None:
    return wanted.admin_access if isinstance(wanted, ExactDeviceRequest) else None
