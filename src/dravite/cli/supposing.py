"""The flags that say what is to be different, carried out: on documents, on nodes, and on who has to go.

What cannot be done is a fault of the command line; all such faults are told at once.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from datetime import date
from typing import Any, Final

import msgspec

from dravite.admission.admit import admit
from dravite.admission.amending import NotSettable, ref_of, with_field, without
from dravite.admission.problems import in_order
from dravite.api.core_v1 import pod_ref
from dravite.api.document import Document, Problem
from dravite.api.json_text import plain_json
from dravite.api.meta import ObjectRef
from dravite.api.releases import Profile
from dravite.cli import flags
from dravite.cli.arguments import Arguments
from dravite.cli.change_problems import change_problems
from dravite.cli.control_plane import control_plane
from dravite.cli.counting import counted
from dravite.cli.dispatch import UsageError, gates_error
from dravite.cli.objects import Named, Objects, named
from dravite.cli.ownership import belongs
from dravite.cli.plugging import more_devices
from dravite.cli.question import Input
from dravite.cli.tainting import rule_document
from dravite.planning import supposed as s
from dravite.planning.leaving import Leaving, OwnerDeleted, PodDeleted, deleted
from dravite.planning.settings import planned_profile
from dravite.planning.supposed import MOST_NODES
from dravite.planning.whatif import Supposition
from dravite.snapshot.changes import AddNodes, Change, Cordon, RemoveObject, copied_names, with_changes
from dravite.snapshot.manifests import Manifests
from dravite.snapshot.snapshot import build
from dravite.workloads import PodTemplates
from dravite.workloads.raw_paths import listed

ENOUGH: Final = "enough"
"""Stands for a number of nodes that is to be found."""

_IDENTITY: Final = ("apiVersion", "kind", "metadata", "metadata.name", "metadata.namespace", "metadata.uid")
_OWNED_KINDS: Final = frozenset({"Workload", "PodGroup", "CompositePodGroup"})


class Scene(msgspec.Struct, frozen=True, kw_only=True):
    """The cluster as it is and as it would be, and what makes the difference.

    Attributes:
        manifests, profile: what was admitted with the change.
        told: what was said to be different.
        problems: what is wrong with the inputs, without what only says that an object of the cluster is replaced.
        enough_like: the node of which so many are to be added as are enough; empty where none are.
    """

    supposition: Supposition
    manifests: Manifests
    profile: Profile
    told: tuple[s.Supposed, ...]
    problems: tuple[Problem, ...]
    enough_like: str = ""


def suppose(
    arguments: Arguments, given: Input, files: Mapping[str, tuple[Document, ...]], kinds: PodTemplates, now: float
) -> Scene:
    """Carry out all flags in their order. `files` has what `--with` names. Raises `UsageError` with every fault."""
    making = _Making(given, files, kinds)
    for key, value in arguments.suppositions:
        making.try_to(key, value)
    making.check_claims()
    profile = making.changed_profile(arguments)
    if making.faults:
        first, *others = making.faults
        raise UsageError(str(first), first.hint, tuple(others))
    return making.scene(profile or given.profile, now)


class _Making:
    """A scene in the making. Alive only inside `suppose`."""

    def __init__(self, given: Input, files: Mapping[str, tuple[Document, ...]], kinds: PodTemplates) -> None:
        self.given, self.files, self.kinds = given, files, kinds
        self.before = build(given.manifests, given.profile)
        self.documents = given.documents
        self.edits: list[Change] = []
        self.drained: list[str] = []
        self.going: dict[ObjectRef, PodDeleted | OwnerDeleted] = {}
        self.told: list[s.Supposed] = []
        self.faults: list[UsageError] = []
        self.nodes = [node.metadata.name for node in self.before.nodes]
        self.numbers = 0
        self.claims: list[ObjectRef] = []
        self.edited: dict[ObjectRef, tuple[Document, Document]] = {}
        """Objects of which fields are set, as they were and as they are."""
        self.enough_like = ""

    def try_to(self, key: str, value: str) -> None:
        """Carry out one flag, or note what is wrong with it."""
        does = {
            flags.WITH.key: self._apply,
            flags.WITHOUT.key: self._delete,
            flags.SET.key: self._set,
            flags.REPLICAS.key: self._scale,
            flags.ADD_NODES.key: self._add_nodes,
            flags.ADD_DEVICES.key: self._add_devices,
            flags.CORDON.key: self._cordon,
            flags.UNCORDON.key: self._uncordon,
            flags.DRAIN.key: self._drain,
            flags.TAINT_DEVICE.key: self._taint,
        }
        try:
            does[key](value)
        except UsageError as fault:
            self.faults.append(fault)

    def check_claims(self) -> None:
        """Note the claims that are deleted and stay all the same, because somebody uses them."""
        for claim in self.claims:
            held = self.before.claims.get((claim.namespace, claim.name))
            users = [one.name for one in held.status.reserved_for if one.resource == "pods"] if held is not None else []
            left = [name for name in users if ObjectRef("Pod", claim.namespace, name) not in self.going]
            if left:
                pods = ", ".join(f"{claim.namespace}/{name}" for name in left)
                message = (
                    f"claim {claim.namespace}/{claim.name} stays until nobody uses it, and is in use by pod {pods}"
                )
                self.faults.append(UsageError(message, f"say --without pod/{claim.namespace}/{left[0]} too"))

    def changed_profile(self, arguments: Arguments) -> Profile | None:
        """The control plane that is supposed; None for the same. Gates stay where its release knows them."""
        if not arguments.to_release and not arguments.to_gates:
            return None
        old = self.given.profile
        release = arguments.to_release or old.release
        gates = [f"{name}={str(on).lower()}" for name, on in control_plane(old)["spec"]["featureGates"].items()]
        kept = [one for one in gates if release == old.release or isinstance(planned_profile(release, one), Profile)]
        found = planned_profile(release, ",".join([*kept, *arguments.to_gates]))
        if not isinstance(found, Profile):
            self.faults.append(gates_error(error.detail for error in found))
            return None
        on, off = sorted(found.gates - old.gates), sorted(old.gates - found.gates)
        self.told.append(s.ReleaseChanged(old.release, found.release, tuple(on), tuple(off)))
        return found

    def scene(self, profile: Profile, now: float) -> Scene:
        """Both clusters."""
        given, manifests = self.given, self.given.manifests
        if self.documents is not given.documents or profile is not given.profile:
            manifests = self._without_refused(self._admitted(profile), profile)
        after = self.before if manifests is given.manifests else build(manifests, profile)
        after = with_changes(after, self.edits) if self.edits else after
        leaving = (deleted(after, pod, cause) for pod, cause in self.going.items())
        return Scene(
            supposition=Supposition(
                before=self.before,
                after=after,
                leaving=tuple(one for one in leaving if isinstance(one, Leaving)),
                drained=tuple(self.drained),
                now=now,
            ),
            manifests=manifests,
            profile=profile,
            told=tuple(self.told),
            problems=change_problems(given.manifests, manifests, profile, self.told),
            enough_like=self.enough_like,
        )

    def _admitted(self, profile: Profile) -> Manifests:
        known = self.given.known if profile is self.given.profile else None
        return admit(self.documents, profile, self.given.namespace, self.kinds, known)

    def _without_refused(self, manifests: Manifests, profile: Profile) -> Manifests:
        """The same with objects as they were whose change a server would refuse; what is wrong with it stays told."""
        old = frozenset(self.given.manifests.problems)
        wrong = [one for one in manifests.problems if one.severity == "error" and one not in old]
        refused = {str(ref) for ref in self.edited} & {one.object for one in wrong}
        if not refused:
            return manifests
        kept = {id(after): before for ref, (before, after) in self.edited.items() if str(ref) in refused}
        self.documents = tuple(kept.get(id(one), one) for one in self.documents)
        found = self._admitted(profile)
        told = (*found.problems, *(one for one in wrong if one.object in refused))
        files = [one.origin.file for one in self.documents]
        return msgspec.structs.replace(found, problems=in_order(told, files))

    def _objects(self) -> Objects:
        return Objects(self.documents, self.given.manifests, self.given.namespace)

    def _apply(self, path: str) -> None:
        if not path:
            message = "--with takes a file or folder, not an empty path"
            raise UsageError(message, "is a variable of the shell unset?")
        known = set(self.given.manifests.origins)
        for one in self.files[path]:
            ref = ref_of(one, self.given.namespace)
            if ref is not None:
                self.told.append(s.Applied(ref, ref in known))
                self.nodes += [ref.name] if ref.kind == "Node" and ref.name not in self.nodes else []
        self.documents = (*self.documents, *self.files[path])

    def _delete(self, word: str) -> None:
        found = self._objects().find(named(flags.WITHOUT, word), self.nodes)
        self.told.append(s.Deleted(found))
        match found.kind:
            case "Pod":
                self._delete_pod(found)
            case "Node":
                self._delete_node(found)
            case _:
                self._delete_object(found)

    def _delete_pod(self, pod: ObjectRef) -> None:
        planned = self.before.pod(pod)
        if planned is not None and planned.owner is not None:
            owner = planned.owner
            message = (
                f"pod {pod.namespace}/{pod.name} is one that {owner.kind} {owner.name} makes, and it makes it again"
            )
            raise UsageError(message, f"say --without {owner.kind.lower()}/{pod.namespace}/{owner.name}, or --replicas")
        self.going[pod] = PodDeleted()

    def _delete_node(self, node: ObjectRef) -> None:
        """A node goes with the slices that are its own."""
        self.nodes.remove(node.name)
        if any(one.kind == "Node" for one in without(self.documents, {node}, self.given.namespace)):
            self.documents = without(self.documents, {node}, self.given.namespace)
        own = [one for one in self.given.manifests.slices if one.spec.node_name == node.name]
        gone = [ObjectRef("ResourceSlice", "", one.metadata.name) for one in own]
        self.edits += [RemoveObject(node), *(RemoveObject(one) for one in gone)]

    def _delete_object(self, found: ObjectRef) -> None:
        if found.kind == "ResourceClaim":
            self.claims.append(found)
        gone = self._with_owned(found)
        for planned in self.given.manifests.pods:
            pod = pod_ref(planned.pod)
            if planned.owner is None and belongs(planned.pod, gone):
                self.going.setdefault(pod, OwnerDeleted(found))
        self.documents = without(self.documents, gone, self.given.namespace)

    def _with_owned(self, found: ObjectRef) -> set[ObjectRef]:
        """An object and the workloads and groups that it owns, directly or through others."""
        kinds = {kind for _, kind in self.kinds} | _OWNED_KINDS
        candidates = [one for one in self.documents if one.kind in kinds]
        gone = {found}
        while True:
            more = {ref for one in candidates if (ref := _owned_by(one, gone, self.given.namespace)) is not None}
            if more <= gone:
                return gone
            gone |= more

    def _set(self, word: str) -> None:
        target, colon, rest = word.partition(":")
        path, equals, text = rest.partition("=")
        if not colon or not equals or not path:
            message = f"--set reads KIND/NAME:FIELD=VALUE, not {word!r}"
            raise UsageError(message, "as in --set job/train:spec.parallelism=4")
        found = self._objects().find(named(flags.SET, target), self.nodes)
        if path in _IDENTITY:
            message = f"--set {target}: {path} says which object it is, and cannot be set"
            raise UsageError(message, "take the object out with --without, and put another in with --with")
        self._set_field(found, path, _value(text))

    def _set_field(self, found: ObjectRef, path: str, value: Any) -> None:
        self._write(found, path, value)
        self.told.append(s.FieldSet(found, path, json.dumps(value)))

    def _write(self, found: ObjectRef, path: str, value: Any) -> None:
        """Write a field into the document of an object."""
        for position in range(len(self.documents) - 1, -1, -1):
            document = self.documents[position]
            if document.kind == found.kind and ref_of(document, self.given.namespace) == found:
                break
        else:
            message = f"{found} is not written anywhere, so no field of it can be set"
            raise UsageError(message, "set the field in the workload that makes it")
        changed = with_field(document, path, value)
        if isinstance(changed, NotSettable):
            where = f"{changed.field} of {found}" if changed.field else str(found)
            message = f"--set: {where} {changed.why}"
            raise UsageError(message)
        self.documents = (*self.documents[:position], changed, *self.documents[position + 1 :])
        self.edited[found] = (self.edited.get(found, (document,))[0], changed)

    def _scale(self, word: str) -> None:
        target, number = counted(flags.REPLICAS, word, "deploy/web=3", least=0)
        found = self._objects().find(named(flags.REPLICAS, target), self.nodes)
        rows = [row for (_, kind), many in self.kinds.items() if kind == found.kind for row in many]
        paths = {row.replicas for row in rows if isinstance(row.replicas, str) and "[*]" not in row.replicas}
        if len(paths) != 1:
            message = f"--replicas {target}: a {found.kind} has no number of replicas that says how many pods it has"
            said = f"{found.kind.lower()}/{found.namespace}/{found.name}"
            hint = f"say --set {said}:spec.parallelism={number}" if found.kind == "Job" else "set its fields with --set"
            raise UsageError(message, hint)
        self._set_field(found, paths.pop(), number)

    def _node(self, flag: flags.Flag, name: str) -> str:
        """A node that is there, as `gpu-01` or `node/gpu-01`. Raises `UsageError`."""
        if not name.removeprefix("node/"):
            message = f"{flag.names[-1]} takes the name of a node, not {name!r}"
            raise UsageError(message, "is a variable of the shell unset?")
        return self._objects().find(Named(flag, "node", "", name.removeprefix("node/")), self.nodes).name

    def _add_nodes(self, word: str) -> None:
        if word.endswith(f"={ENOUGH}"):
            self._add_enough(word.removesuffix(f"={ENOUGH}"))
            return
        name, number = counted(flags.ADD_NODES, word, "gpu-01=2", least=1)
        if number > MOST_NODES:
            message = f"--add-nodes adds at most {MOST_NODES} nodes at once, not {number}"
            raise UsageError(message)
        like = self._node(flags.ADD_NODES, name)
        made = copied_names(like, number, frozenset(self.nodes))
        self.nodes += made
        self.edits.append(AddNodes(like, number))
        self.told.append(s.NodesAdded(like, made))

    def _add_enough(self, name: str) -> None:
        if self.enough_like:
            message = f"--add-nodes finds one number at a time, here that of nodes like {self.enough_like}"
            raise UsageError(message, f"say {name}=1, or another number")
        self.enough_like = self._node(flags.ADD_NODES, name)

    def _add_devices(self, word: str) -> None:
        target, number = counted(flags.ADD_DEVICES, word, "gpu.example.com/gpu-01/gpu-0=2", least=1)
        more = more_devices(target, number, self.documents, self.given)
        self._write(more.slice, "spec.devices", more.devices)
        self.told.append(s.DevicesAdded(more.like, more.names))

    def _cordon(self, name: str) -> None:
        node = self._node(flags.CORDON, name)
        self.edits.append(Cordon(node))
        self.told.append(s.Cordoned(node))

    def _uncordon(self, name: str) -> None:
        node = self._node(flags.UNCORDON, name)
        self.edits.append(Cordon(node, lifted=True))
        self.told.append(s.Uncordoned(node))

    def _drain(self, name: str) -> None:
        node = self._node(flags.DRAIN, name)
        self.edits.append(Cordon(node))
        self.drained.append(node)
        self.told.append(s.Drained(node))

    def _taint(self, word: str) -> None:
        self.numbers += 1
        made = rule_document(word, self.given, self.numbers)
        self.documents = (*self.documents, made)
        ref = ref_of(made, self.given.namespace)
        self.told += [s.Applied(ref)] if ref is not None else []


def _owned_by(document: Document, owners: set[ObjectRef], namespace: str) -> ObjectRef | None:
    """The object of a document, if one of the owners controls it."""
    ref = ref_of(document, namespace)
    if ref is None:
        return None
    referred = listed(plain_json(document.body)["metadata"].get("ownerReferences"))
    controllers = (one for one in referred if isinstance(one, dict) and one.get("controller"))
    named_so = (ObjectRef(str(one.get("kind")), ref.namespace, str(one.get("name"))) for one in controllers)
    return ref if any(owner in owners for owner in named_so) else None


def _value(text: str) -> Any:
    """A value as YAML has it on one line: 4, true, "4", [a, b], {a: b}; what is no YAML is text."""
    import yaml

    try:
        return json.loads(json.dumps(yaml.safe_load(text), default=_time)) if text else ""
    except (yaml.YAMLError, TypeError, ValueError, RecursionError):
        return text


def _time(value: Any) -> str:
    """YAML has dates and times, Kubernetes has them as text. Raises TypeError for what else YAML has."""
    if not isinstance(value, date):
        message = f"{type(value).__name__} is nothing that Kubernetes has"
        raise TypeError(message)
    return str(value.isoformat()).replace("+00:00", "Z")
