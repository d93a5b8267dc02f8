"""Taints and tolerations: in the wrong place, without effect, and rules that taint everything or nothing."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, TypeAlias

from dravite.api.core_v1 import Node
from dravite.api.document import Problem
from dravite.api.field import child
from dravite.api.meta import DeviceID, ObjectRef
from dravite.api.resource_v1 import (
    DeviceTaint,
    DeviceTaintRule,
    DeviceToleration,
    ResourceClaim,
    ResourceSlice,
)
from dravite.lifecycle.eviction_tolerations import tolerates
from dravite.lint.demands import Demand, demands
from dravite.lint.finding import finding
from dravite.lint.pools import devices_of
from dravite.lint.world import Item, Placed, PodItem, World

NO_EFFECT: Final = "toleration-without-effect"
SECONDS: Final = "toleration-seconds-ignored"
OF_NODE: Final = "toleration-of-node-taint"
OF_DEVICE: Final = "toleration-of-device-taint"
SELECTS_ALL: Final = "taint-rule-selects-all"
SELECTS_NOTHING: Final = "taint-rule-selects-nothing"

NO_EXECUTE: Final = "NoExecute"
_Taints: TypeAlias = tuple[DeviceTaint, ...]


def of_tolerations(world: World) -> Iterator[Problem]:
    """Tolerations of claims, then those of pods."""
    for demand in demands(world):
        for position, toleration in enumerate(demand.wanted.tolerations):
            yield from _of_claim(world, demand, toleration, child(demand.path, "tolerations", position))
    for item in world.pods:
        if not item.around:
            yield from _of_pod(world, item)


def _of_claim(world: World, demand: Demand, toleration: DeviceToleration, path: str) -> Iterator[Problem]:
    subject = demand.item.subject
    taints = device_taints(world, demand.item)
    if not toleration.effect and _is_at_risk(toleration, taints):
        message = (
            f"the toleration of {toleration.key or 'every taint'} has no effect: it lets pods onto tainted devices, "
            "and eviction by a NoExecute taint only spares tolerations that say effect: NoExecute"
        )
        yield finding(subject, NO_EFFECT, message, path, "add effect: NoExecute, or the effect that is meant")
    if toleration.toleration_seconds is not None and toleration.effect != NO_EXECUTE:
        message = "tolerationSeconds counts only beside effect: NoExecute; here it is ignored"
        yield finding(subject, SECONDS, message, f"{path}.tolerationSeconds", "add effect: NoExecute")
    nodes = _tolerated_nodes(world, demand.item, toleration)
    if nodes and toleration.key and not any(taint.key == toleration.key for taint in taints or ()):
        message = (
            f"{toleration.key} is a taint of {_named(nodes)} and of no device that was given: tolerations of a claim "
            "are about device taints"
        )
        hint = "put the toleration into spec.tolerations of the pod"
        yield finding(subject, OF_NODE, message, path, hint)


def _is_at_risk(toleration: DeviceToleration, taints: _Taints | None) -> bool:
    """Whether the missing effect can matter: without devices it can."""
    return taints is None or any(taint.effect == NO_EXECUTE and tolerates(toleration, taint) for taint in taints)


def _of_pod(world: World, item: PodItem) -> Iterator[Problem]:
    """Tolerations of node taints that name the taint of a device."""
    if not item.pod.spec.resource_claims or not item.pod.spec.tolerations:
        return
    taints = {taint.key for taint in device_taints(world, item) or ()}
    of_nodes = {taint.key for node in world.beside(Node, item) for taint in node.object.spec.taints}
    for position, toleration in enumerate(item.pod.spec.tolerations):
        if toleration.key in taints - of_nodes:
            message = (
                f"{toleration.key} is a taint of devices and of no node that was given: tolerations of a pod are "
                "about node taints"
            )
            hint = "put the toleration into the request of the claim, under exactly or the alternative"
            yield finding(item.subject, OF_DEVICE, message, child("spec", "tolerations", position), hint)


def device_taints(world: World, near: Placed) -> _Taints | None:
    """All taints of the devices that are given, those of rules included; None where no devices are."""
    slices = world.beside(ResourceSlice, near)
    devices = [device for _, _, device in devices_of(slices)]
    if not devices:
        return None
    rules = (item.object.spec for item in world.beside(DeviceTaintRule, near))
    return (
        *(taint for device in devices for taint in device.taints),
        *(spec.taint for spec in rules if spec.device_selector is not None),
    )


def _tolerated_nodes(world: World, near: Item, toleration: DeviceToleration) -> tuple[str, ...]:
    return tuple(
        item.ref.name
        for item in world.beside(Node, near)
        if any(taint.key == toleration.key for taint in item.object.spec.taints)
    )


def of_rules(world: World) -> Iterator[Problem]:
    """DeviceTaintRules that reach further than anybody means, or nowhere."""
    for item in world.targets(DeviceTaintRule):
        rule: DeviceTaintRule = item.object
        selector = rule.spec.device_selector
        if selector is None:
            message = "has no deviceSelector and taints nothing"
            hint = "name driver, pool and device under spec.deviceSelector"
            yield finding(item.subject, SELECTS_NOTHING, message, "spec", hint)
        elif selector.driver is None and selector.pool is None and selector.device is None:
            yield _selects_all(world, item)
        elif world.complete and item.good and not _selected(world, item):
            message = "its deviceSelector matches none of the devices given"
            yield finding(item.subject, SELECTS_NOTHING, message, "spec.deviceSelector")


def _selects_all(world: World, item: Item) -> Problem:
    rule: DeviceTaintRule = item.object
    devices = _selected(world, item)
    what = f"all {len(devices)} devices that are given" if devices else "every device of the cluster"
    message = f"DeviceTaintRule {item.ref.name} has an empty deviceSelector and taints {what}"
    pods = _evicted(world, item) if rule.spec.taint.effect == NO_EXECUTE else ()
    if pods:
        message += f"; {len(pods)} {'pod' if len(pods) == 1 else 'pods'} would be evicted: {_named(pods)}"
    hint = "name driver, pool and device under spec.deviceSelector, and try it with effect: None first"
    return finding(item.subject, SELECTS_ALL, message, "spec.deviceSelector", hint)


def _selected(world: World, item: Item) -> frozenset[DeviceID]:
    """The devices that a rule taints: published ones, and allocated ones even if they are not (B2.3)."""
    selector = item.object.spec.device_selector
    published = (
        DeviceID(one.object.spec.driver, one.object.spec.pool.name, device.name)
        for one, _, device in devices_of(world.beside(ResourceSlice, item))
    )
    allocated = (device for claim in world.beside(ResourceClaim, item) for device, _ in held(claim))
    return frozenset(
        device
        for device in (*published, *allocated)
        if selector.driver in (None, device.driver)
        and selector.pool in (None, device.pool)
        and selector.device in (None, device.device)
    )


def held(item: Item) -> Iterator[tuple[DeviceID, tuple[DeviceToleration, ...]]]:
    """The devices of a claim, with what was tolerated when they were allocated."""
    allocation = item.object.status.allocation
    for result in allocation.devices.results if allocation is not None else ():
        yield DeviceID(result.driver, result.pool, result.device), result.tolerations


def _evicted(world: World, item: Item) -> tuple[str, ...]:
    """The pods that lose a device to the rule, by namespace and name, each once."""
    taint = item.object.spec.taint
    selected = _selected(world, item)
    found: dict[str, None] = {}
    for claim in world.beside(ResourceClaim, item):
        hit = any(
            device in selected and not any(one.effect == NO_EXECUTE and tolerates(one, taint) for one in tolerated)
            for device, tolerated in held(claim)
        )
        for user in claim.object.status.reserved_for if hit else ():
            if user.resource == "pods" and world.has(ObjectRef("Pod", claim.ref.namespace, user.name)):
                found[f"{claim.ref.namespace}/{user.name}"] = None
    return tuple(sorted(found))


def _named(names: tuple[str, ...], shown: int = 6) -> str:
    more = f" and {len(names) - shown} more" if len(names) > shown else ""
    return ", ".join(names[:shown]) + more
