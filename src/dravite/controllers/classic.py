"""Drivers with a controller (1.31) on a server: reading what objects say of them, and writing what is decided."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, Final

from dravite.api.codec import convert_plain
from dravite.api.meta import ObjectRef, controller_of
from dravite.api.node_selector import NodeSelector
from dravite.api.releases import Profile
from dravite.api.resource_v1 import ResourceClaim
from dravite.controllers.commands import Command, Create, Delete, Patch
from dravite.controllers.view import Item, View
from dravite.lifecycle.group_claims import POD_CLAIM_NAME
from dravite.snapshot.classic import Classic, Control, Talk
from dravite.snapshot.snapshot import Key
from dravite.workloads.raw_paths import look_up

TALK: Final = "PodSchedulingContext"
_KINDS: Final = ("ResourceClaim", "DeviceClass", TALK)


def classic_of(view: View, profile: Profile) -> Classic | None:
    """All that is known of such drivers; None in releases without them."""
    if profile.release != "1.31":
        return None
    classic = Classic(is_on=profile.enabled("DRAControlPlaneController"))
    for kind in _KINDS:
        for item in view.of(kind):
            classic = with_news(classic, item.ref, item)
    return classic


def with_news(classic: Classic, ref: ObjectRef, item: Item | None) -> Classic:
    """The same once an object is as it is now, or gone; the very same where that says nothing new."""
    key = (ref.namespace, ref.name)
    match ref.kind:
        case "ResourceClaim":
            control = _control(item) if item is not None else None
            known = classic.claims.get(key)
            return classic if (control or None) == known else classic.with_control(key, control)
        case "PodSchedulingContext":
            talk = _talk(item) if item is not None else None
            return classic if talk == classic.talks.get(key) else classic.with_talk(key, talk)
        case "DeviceClass":
            nodes = _nodes(item) if item is not None else None
            return classic if nodes == classic.suitable.get(ref.name) else classic.with_nodes(ref.name, nodes)
        case _:
            return classic


def talk_commands(before: Classic | None, after: Classic | None, view: View) -> Iterator[Command]:
    """The requests that make of PodSchedulingContexts what is to be said."""
    resource = view.resource(TALK)
    if before is None or after is None or resource is None or before.talks is after.talks:
        return
    for key in sorted(before.talks.keys() | after.talks.keys()):
        was, is_, item = before.talks.get(key), after.talks.get(key), view.get(TALK, *key)
        if was == is_:
            continue
        if is_ is None:
            if item is not None:
                yield Delete(resource=resource, namespace=key[0], name=key[1], uid=item.uid)
        elif item is None:
            yield Create(resource, key[0], {"metadata": _metadata(key, is_), "spec": _spec(is_)})
        else:
            spec = {"selectedNode": is_.selected or None, "potentialNodes": list(is_.potential) or None}
            yield Patch(resource, *key, {"spec": spec}, "", item.revision)


def newly_asked(before: Classic | None, after: Classic | None) -> frozenset[Key]:
    """The claims that drivers are asked to free from now on."""
    if before is None or after is None or before.claims is after.claims:
        return frozenset()
    asked = (key for key, control in after.claims.items() if control.is_to_be_freed)
    return frozenset(key for key in asked if not before.control(key).is_to_be_freed)


def with_request(commands: Iterable[Command], item: Item) -> Iterator[Command]:
    """The commands for a claim, with the request to free it in the same write as the rest of its status."""
    status: dict[str, Any] = {"deallocationRequested": True}
    for command in commands:
        if isinstance(command, Patch) and command.part == "status":
            status |= command.patch["status"]
        else:
            yield command
    yield Patch(item.resource, item.namespace, item.name, {"status": status}, "status", item.revision)


def controller_of_template(claim: ResourceClaim, view: View) -> str:
    """The driver that is to allocate a claim which is made from a template; empty for the scheduler."""
    owner = controller_of(claim.metadata)
    pod = view.get("Pod", claim.metadata.namespace, owner.name) if owner is not None else None
    entry = claim.metadata.annotations.get(POD_CLAIM_NAME)
    entries = pod.typed.spec.resource_claims if pod is not None else ()
    named = (one.resource_claim_template_name for one in entries if one.name == entry)
    template = view.get("ResourceClaimTemplate", claim.metadata.namespace, next(named, None) or "")
    return str(look_up(template.plain, ("spec", "spec", "controller")) or "") if template is not None else ""


def _control(item: Item) -> Control | None:
    spec, status = item.plain.get("spec") or {}, item.plain.get("status") or {}
    control = Control(
        controller=spec.get("controller") or "",
        allocated_by=(status.get("allocation") or {}).get("controller") or "",
        is_to_be_freed=bool(status.get("deallocationRequested")),
    )
    return control if control != Control() else None


def _talk(item: Item) -> Talk:
    spec, status = item.plain.get("spec") or {}, item.plain.get("status") or {}
    owner = next((one for one in item.meta.owner_references if one.controller and one.kind == "Pod"), None)
    said = {one["name"]: tuple(one.get("unsuitableNodes") or ()) for one in status.get("resourceClaims") or ()}
    return Talk(
        owner=owner.uid if owner is not None else "",
        uid=item.uid,
        selected=spec.get("selectedNode") or "",
        potential=tuple(spec.get("potentialNodes") or ()),
        unsuitable=said,
    )


def _nodes(item: Item) -> NodeSelector | None:
    given = (item.plain.get("spec") or {}).get("suitableNodes")
    found = convert_plain(given, NodeSelector) if given else None
    return found if isinstance(found, NodeSelector) else None


def _metadata(pod: Key, talk: Talk) -> dict[str, Any]:
    owner: dict[str, Any] = {"apiVersion": "v1", "kind": "Pod", "name": pod[1], "uid": talk.owner, "controller": True}
    if talk.potential:
        owner["blockOwnerDeletion"] = True  # only the scheduler says so; it always names nodes
    return {"name": pod[1], "namespace": pod[0], "ownerReferences": [owner]}


def _spec(talk: Talk) -> dict[str, Any]:
    spec = {"selectedNode": talk.selected, "potentialNodes": list(talk.potential)}
    return {name: value for name, value in spec.items() if value}
