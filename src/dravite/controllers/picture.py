"""A live picture of a cluster: the world that rehearsals play in, kept true by the news of a server.

It decides nothing. What is written by us and comes back as news changes nothing in it.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from typing import Any, Final

import msgspec

from dravite.api.core_v1 import Pod
from dravite.api.defaults import default
from dravite.api.meta import Model, ObjectRef
from dravite.api.releases import Profile
from dravite.api.resource_v1 import ResourceClaim, ResourceClaimConsumerReference
from dravite.api.scheduling_v1beta1 import PodGroup
from dravite.controllers.classic import TALK, classic_of, with_news
from dravite.controllers.view import Item, View
from dravite.rehearsal.controllers import remove_group
from dravite.rehearsal.editing import put, take_out
from dravite.rehearsal.pods import remove_pod
from dravite.rehearsal.world import Happening, Terms, World
from dravite.scheduler.reserve import is_group
from dravite.snapshot.changes import Editable
from dravite.snapshot.cluster_edits import with_pod_group, without_inferred_nodes
from dravite.snapshot.manifests import Manifests, PlannedPod
from dravite.snapshot.pod_claims import GROUP_CLAIMS
from dravite.snapshot.snapshot import Key, Snapshot, build, group_key, is_finished, key_of

FIELDS: Final[Mapping[str, str]] = {
    "Node": "nodes",
    "ResourceSlice": "slices",
    "DeviceClass": "classes",
    "ResourceClaim": "claims",
    "ResourceClaimTemplate": "templates",
    "DeviceTaintRule": "taint_rules",
    "Pod": "pods",
    "Namespace": "namespaces",
    "PodGroup": "pod_groups",
    "CompositePodGroup": "composite_pod_groups",
    "PodDisruptionBudget": "budgets",
    "Workload": "workloads",
    "ResourceQuota": "quotas",
}
"""The kinds that the picture shows, and where manifests have them."""

MOST_PIECES: Final = 50
"""So many nodes and slices are changed in the picture; for more a new one is made."""

MOST_GONE: Final = 10_000


class Picture:
    """The world as it is, with what was decided and is not yet written."""

    def __init__(self, profile: Profile, terms: Terms, seed: str) -> None:
        self.world = World(msgspec.structs.replace(build(Manifests(), profile), seed=seed), terms, 0.0)
        self.world.kubelets_run = False
        self._profile = profile
        self._is_begun = False
        self._put: dict[ObjectRef, Model] = {}
        # Groups stand in Workloads in 1.35 alone, and are read when a snapshot is built.
        self._unseen = () if profile.release == "1.35" else ("Workload",)

    @property
    def snapshot(self) -> Snapshot:
        """The cluster; pods whose binding is under way are on their nodes in it."""
        return self.world.snapshot

    def catch_up(self, changed: Iterable[ObjectRef], view: View) -> None:
        """Show objects as they are now."""
        refs = tuple(ref for ref in changed if ref.kind not in self._unseen)
        if not self._is_begun or any(ref.kind == "Workload" for ref in refs) or _is_much(refs):
            self._begin(view)
            return
        self.world.touched = None
        if any(ref.kind == "ResourceQuota" for ref in refs):
            manifests = msgspec.structs.replace(self.snapshot.manifests, quotas=_quotas(view))
            self.world.change(msgspec.structs.replace(self.snapshot, manifests=manifests))
        for ref in refs:
            item = view.get(ref.kind, ref.namespace, ref.name)
            self._hear_drivers(ref, item)
            if ref.kind in (TALK, "ResourceQuota"):
                continue
            obj = self._read(item) if item is not None else None
            if obj is None:
                self._take_out(ref)
            else:
                self._set(obj)
        self._miss_consumers(ref for ref in refs if ref.kind == "ResourceClaim")

    def _begin(self, view: View) -> None:
        """The whole picture at once, which is much quicker than piece by piece."""
        found: dict[str, tuple[Any, ...]] = {}
        self._put = {}
        for kind, field in FIELDS.items():
            if kind == "ResourceQuota":
                found[field] = _quotas(view)
                continue
            items = sorted(view.of(kind), key=lambda item: (item.meta.creation_timestamp or "", item.revision))
            read = {item.ref: obj for item in items if (obj := self._read(item)) is not None}
            self._put.update(read)
            found[field] = tuple(PlannedPod(obj) if isinstance(obj, Pod) else obj for obj in read.values())
        before = self.world.snapshot
        after = without_inferred_nodes(build(msgspec.structs.replace(Manifests(), **found), self._profile))
        kept: dict[str, Any] = {name: getattr(before, name) for name in ("expired", "search_start", "seed")}
        after = msgspec.structs.replace(after, **kept, classic=classic_of(view, self._profile))
        self.world.change(after, *(Happening(kind) for kind in ("node", "devices", "claims")))
        self._is_begun = True
        self._miss_consumers(ObjectRef("ResourceClaim", *key) for key, _ in after.claims.items())

    def _read(self, item: Item) -> Any:
        obj = item.typed
        if not isinstance(obj, Pod):
            return obj
        pod = default(obj, self._profile)
        binding = self.world.bindings.get(item.key)
        if binding is None or pod.spec.node_name:
            self.world.bindings.pop(item.key, None)
            return pod
        return msgspec.structs.replace(pod, spec=msgspec.structs.replace(pod.spec, node_name=binding.node))

    def _set(self, obj: Editable) -> None:
        world, ref = self.world, ObjectRef(obj.kind, *key_of(obj.metadata))
        before = self._before(ref)
        self._put[ref] = obj
        if isinstance(obj, Pod) and before is None and group_key(obj) is not None:
            world.touched = key_of(obj.metadata)  # whoever completes a group is tried before those who waited for it
        if before is None or _still(before) != _still(obj):
            if isinstance(before, Pod) and isinstance(obj, Pod) and before.metadata.uid != obj.metadata.uid:
                remove_pod(world, key_of(obj.metadata))
            if isinstance(before, Pod) and isinstance(obj, Pod) and _lasting(before) == _lasting(obj):
                world.note(world.snapshot.with_pod(obj))
                return
            put(world, obj)
        elif isinstance(obj, Pod):
            world.note(world.snapshot.with_pod(obj))
        elif isinstance(obj, ResourceClaim):
            world.note(world.snapshot.with_claims((obj,)))
        elif isinstance(obj, PodGroup):
            world.note(with_pod_group(world.snapshot, obj))

    def _hear_drivers(self, ref: ObjectRef, item: Item | None) -> None:
        """Note what an object says of drivers with a controller, in the release that has them."""
        classic = self.snapshot.classic
        after = with_news(classic, ref, item) if classic is not None else None
        if after is not classic:
            happened = (Happening("claims"),) if item is not None else ()  # what is gone wakes nobody
            self.world.change(msgspec.structs.replace(self.snapshot, classic=after), *happened)

    def _before(self, ref: ObjectRef) -> Any:
        """The object as the picture shows it."""
        key = (ref.namespace, ref.name)
        match ref.kind:
            case "Pod":
                planned = self.snapshot.pods.get(key)
                return planned.pod if planned is not None else None
            case "ResourceClaim":
                return self.snapshot.claims.get(key)
            case "PodGroup":
                return self.snapshot.pod_groups.get(key)
            case _:
                return self._put.get(ref)

    def _take_out(self, ref: ObjectRef) -> None:
        before = self._before(ref)
        self._put.pop(ref, None)
        if before is None:
            return
        self.world.gone.add(before.metadata.uid)
        if ref.kind == "Pod":
            remove_pod(self.world, (ref.namespace, ref.name))
        elif ref.kind == "PodGroup":
            remove_group(self.world, (ref.namespace, ref.name))
        else:
            take_out(self.world, ref)

    def forget(self) -> None:
        """Forget who is gone and named by no claim any more, once they are many."""
        gone = self.world.gone
        if len(gone) > MOST_GONE:
            claims = [claim for _, claim in self.snapshot.claims.items()]
            gone &= {entry.uid for claim in claims for entry in claim.status.reserved_for} | {
                owner.uid for claim in claims for owner in claim.metadata.owner_references
            }

    def _miss_consumers(self, claims: Iterable[ObjectRef]) -> None:
        """Who has reserved a claim and is not there is gone: nothing is hidden from this picture."""
        for ref in claims:
            claim = self.snapshot.claims.get((ref.namespace, ref.name))
            for entry in claim.status.reserved_for if claim is not None else ():
                found = self._consumer((ref.namespace, entry.name), entry)
                if found is not None and found != entry.uid:
                    self.world.gone.add(entry.uid)

    def _consumer(self, key: Key, entry: ResourceClaimConsumerReference) -> str | None:
        """The uid of the object that a consumer names, empty where there is none; None for what is not known here."""
        if entry.resource == "pods" and not entry.api_group:
            planned = self.snapshot.pods.get(key)
            return planned.pod.metadata.uid if planned is not None else ""
        if is_group(entry, entry.name) and self._profile.enabled(GROUP_CLAIMS):
            group = self.snapshot.pod_groups.get(key)
            return group.metadata.uid if group is not None else ""
        return None


def _quotas(view: View) -> tuple[Mapping[str, Any], ...]:
    """All quotas without their status: the claims that there are say what is used, and say it in time."""
    items = sorted(view.of("ResourceQuota"), key=lambda item: item.key)
    return tuple({field: value for field, value in item.plain.items() if field != "status"} for item in items)


def _is_much(refs: Collection[ObjectRef]) -> bool:
    """Whether a new picture is made more quickly than this one is edited."""
    return sum(ref.kind in ("Node", "ResourceSlice") for ref in refs) > MOST_PIECES


def _still(obj: Editable) -> Model:
    """An object without what a server counts and stamps."""
    meta = msgspec.structs.replace(obj.metadata, resource_version="", generation=0, creation_timestamp=None, uid="")
    if isinstance(obj, Pod):
        conditions = tuple(
            msgspec.structs.replace(one, last_transition_time=None, last_probe_time=None, observed_generation=0)
            for one in obj.status.conditions
        )
        status = msgspec.structs.replace(obj.status, conditions=conditions)
        return msgspec.structs.replace(obj, metadata=meta, status=status)
    return msgspec.structs.replace(obj, metadata=meta)


def _lasting(pod: Pod) -> object:
    """What of a pod matters to the scheduler: not how far its containers are, and not what was told about it."""
    meta = msgspec.structs.replace(pod.metadata, resource_version="", generation=0)
    status = msgspec.structs.replace(pod.status, phase="", start_time=None, conditions=())
    return is_finished(pod), msgspec.structs.replace(pod, metadata=meta, status=status)
