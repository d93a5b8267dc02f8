"""From arguments to a plan: read, admit, picture, plan. All commands that need a cluster begin here."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, TypeAlias

import msgspec

from dravite.admission.admit import DEFAULT_NAMESPACE, admit
from dravite.admission.known import Known
from dravite.api.core_v1 import Pod
from dravite.api.document import Document
from dravite.api.meta import ObjectRef
from dravite.api.releases import Profile
from dravite.api.resource_v1 import DeviceClass, DeviceTaintRule, ResourceClaim, ResourceClaimTemplate, ResourceSlice
from dravite.cli.arguments import Arguments
from dravite.cli.control_plane import set_apart
from dravite.cli.dispatch import gates_error
from dravite.cli.exit_codes import ExitCode
from dravite.cli.progress import Tell, untold
from dravite.cli.workload_kinds import known_kinds
from dravite.diagnosis import verdicts as v
from dravite.diagnosis.observations import Saying
from dravite.planning.plan import Plan, ResourceAllocationOff, TakenAsGangs
from dravite.planning.planner import plan_until_interrupted
from dravite.planning.settings import Settings, planned_profile
from dravite.render import words
from dravite.render.view.plans import plan_note
from dravite.render.view.sight import Sight, Where
from dravite.snapshot.manifests import Manifests
from dravite.snapshot.snapshot import build
from dravite.sources import STDIN, read

if TYPE_CHECKING:  # files have no clock
    from dravite.render.view.live import Now

Object: TypeAlias = DeviceClass | ResourceClaim | ResourceClaimTemplate | ResourceSlice | DeviceTaintRule | Pod


class Cluster(msgspec.Struct, frozen=True, kw_only=True):
    """What an answer on a running cluster has besides what was read.

    Attributes:
        flags: what a command line must say to ask the same cluster again.
        hear: what Kubernetes said of pods before, and notes on what could not be heard.
        now: the moment of the answer.
        partial: whether some of what planning reads could not be read.
        namespace: the namespace that is asked about; None for all.
        files: whether files are planned on top; then their pods are asked about, and not all that wait.
        workloads: the workloads of those files.
    """

    flags: tuple[str, ...]
    hear: Callable[[Sequence[Pod]], tuple[Mapping[ObjectRef, tuple[Saying, ...]], tuple[str, ...]]]
    now: Now
    partial: bool = False
    namespace: str | None = None
    files: bool = False
    workloads: frozenset[ObjectRef] = frozenset()


class Input(msgspec.Struct, frozen=True):
    """What was read, for which release, and how to find a place in it.

    Attributes:
        notes: what the answer rests on.
        cluster: the running cluster that was asked; None where there were only files.
        namespace: where objects are that name no namespace.
        documents: what was admitted, for a command that admits it again with changes; nothing for others.
        known: what these documents came to one by one, for that command.
        tell: where to say what is being done.
    """

    manifests: Manifests
    profile: Profile
    sight: Sight
    notes: tuple[str, ...] = ()
    cluster: Cluster | None = None
    namespace: str = DEFAULT_NAMESPACE
    documents: tuple[Document, ...] = ()
    tell: Tell = untold
    known: Known | None = None


class Question(msgspec.Struct, frozen=True):
    """A plan, and the part of it that was asked about.

    Attributes:
        decisions: the pods that `-l` and `-n` leave, in the order in which they were handled.
    """

    input: Input
    plan: Plan
    decisions: tuple[v.PodDecision, ...]
    notes: tuple[str, ...]


def ask(arguments: Arguments, given: Input) -> Question:
    """Plan what was read. Raises `UsageError` for flags that cannot be meant."""
    given.tell("looking at nodes and devices")
    snapshot = build(given.manifests, given.profile)
    plan = plan_until_interrupted(snapshot, settings(arguments), watch(given.tell))
    given.tell("explaining")
    chosen = selected(arguments, given, plan)
    told = [one for one in plan.notes if given.cluster is None or not isinstance(one, ResourceAllocationOff)]
    notes = [*given.notes, *(plan_note(one) for one in told)]
    named = arguments.command == "explain" and bool(arguments.words)
    notes += _nothing_meant(arguments, given, plan)
    if plan.decisions and not chosen and not named:
        notes.append(_none_left(len(plan.decisions), given.cluster))
    return Question(given, plan, chosen, tuple(notes))


def _nothing_meant(arguments: Arguments, given: Input, plan: Plan) -> Iterator[str]:
    """What was asked about, or left out, by a slip: a cluster without nodes, and gangs of a kind that nobody has."""
    if plan.decisions and not plan.start.nodes and given.cluster is None:
        yield (
            "No nodes were given, so no pod has a place: name the cluster too. `dravite snapshot` says how to dump one,"
            " and --live asks a running one."
        )
    if arguments.gangs and not any(isinstance(one, TakenAsGangs) for one in plan.notes):
        yield f"--gang changes nothing: no {words.listed(arguments.gangs, 'or')} has pods that wait."


def watch(tell: Tell) -> Callable[[int, int], object]:
    """What a plan in the making tells."""
    return lambda decided, pods: tell(f"planning ({decided} of {words.count(pods, 'pod')} decided)")


def _none_left(pods: int, cluster: Cluster | None) -> str:
    if cluster is None or cluster.files:
        return f"-n and -l leave none of {words.count(pods, 'pod')}."
    where = f"Nothing waits in namespace {cluster.namespace}" if cluster.namespace else "-l leaves nothing"
    return f"{where}; {words.count(pods, 'pod')} {words.bent(pods, 'is')} pending elsewhere: -A shows all."


def settings(arguments: Arguments) -> Settings:
    return Settings(budget=arguments.budget, seed=arguments.seed, gangs=arguments.gangs)


def selected(arguments: Arguments, given: Input, plan: Plan) -> tuple[v.PodDecision, ...]:
    """The decisions that `-n` and `-l` leave; on a running cluster with files, those of the files' pods."""
    asked = (one for one in plan.decisions if _is_asked(one, arguments, given, plan))
    if not arguments.labels:
        return tuple(asked)
    from dravite.cli.labels import matcher

    fits = matcher(arguments.labels)
    return tuple(one for one in asked if fits(_labels(plan, one)))


def _is_asked(one: v.PodDecision, arguments: Arguments, given: Input, plan: Plan) -> bool:
    cluster = given.cluster
    if cluster is None:
        return arguments.namespace in (None, one.pod.namespace)
    if not cluster.files or cluster.namespace is None:
        return cluster.namespace in (None, one.pod.namespace)
    from dravite.cli.ownership import belongs

    origin, planned = given.manifests.origins.get(one.pod), plan.start.pod(one.pod)
    return bool(origin and origin.file) or (planned is not None and belongs(planned.pod, cluster.workloads))


def _labels(plan: Plan, one: v.PodDecision) -> Mapping[str, str]:
    planned = plan.start.pod(one.pod)
    return planned.pod.metadata.labels if planned else {}


def read_input(arguments: Arguments, paths: Sequence[str], tell: Tell = untold) -> Input:
    """Read and admit the inputs. Faults of objects are in the manifests' problems; `UsageError` is for flags."""
    tell("reading")
    stdin = sys.stdin.buffer.read() if STDIN in paths else b""
    kinds = known_kinds(arguments.pod_templates)
    documents, release, gates = set_apart(read(paths, stdin))
    chosen = chosen_profile(arguments, release, gates)
    namespace = arguments.namespace or DEFAULT_NAMESPACE
    tell(f"checking {words.count(len(documents), 'object')}")
    known = knowing(arguments)
    manifests = admit(documents, chosen, namespace, kinds, known)
    return Input(
        manifests,
        chosen,
        sight(manifests, arguments),
        input_notes(manifests),
        namespace=namespace,
        documents=documents if known is not None else (),
        tell=tell,
        known=known,
    )


def knowing(arguments: Arguments) -> Known | None:
    """Where the command that admits documents twice keeps what they came to: of a large cluster it takes room."""
    return Known() if arguments.command == "what-if" else None


def input_notes(manifests: Manifests) -> tuple[str, ...]:
    """What was read and plays no part."""
    if not manifests.unknown_kinds:
        return ()
    kinds = words.listed(f"{number} {kind}" for kind, number in sorted(manifests.unknown_kinds.items()))
    how = "--pod-templates tells where a kind keeps its pod templates"
    return (f"Objects of other kinds play no part here: {kinds} ({how}).",)


def chosen_profile(arguments: Arguments, release: str = "", gates: str = "") -> Profile:
    """The release and its gates: the flags', else those that a dump says. Raises `UsageError` with every fault."""
    said = arguments.release_said or release or arguments.release
    dumped = [gates] if gates and said == release else []
    found = planned_profile(said, ",".join([*dumped, *arguments.gates]))
    if not isinstance(found, Profile):
        raise gates_error(error.detail for error in found)
    return found


def sight(manifests: Manifests, arguments: Arguments) -> Sight:
    """Places in the user's files, and the objects that stand there."""
    objects = {ref_of(one): one for one in every_object(manifests)}

    def where(ref: ObjectRef, path: str) -> Where | None:
        origin = manifests.origins.get(ref)
        return None if origin is None or not origin.file else (origin.file, manifests.line_of(ref, path))

    refused = {one.object: one for one in reversed(manifests.problems) if one.severity == "error" and one.file}
    return Sight(where=where, lookup=objects.get, refused=refused, fold="all" not in arguments.show)


def every_object(manifests: Manifests) -> Iterator[Object]:
    """All objects that sentences may have to look into."""
    yield from manifests.classes
    yield from manifests.claims
    yield from manifests.templates
    yield from manifests.slices
    yield from manifests.taint_rules
    yield from (planned.pod for planned in manifests.pods)


def ref_of(one: Object) -> ObjectRef:
    return ObjectRef(one.kind, one.metadata.namespace, one.metadata.name)


def exit_code(manifests: Manifests, decisions: Sequence[v.PodDecision]) -> ExitCode:
    """The worst of what was read and what was decided."""
    if any(problem.severity == "error" for problem in manifests.problems):
        return ExitCode.BAD_INPUT
    if any(isinstance(one.decision, v.BudgetSpent) for one in decisions):
        return ExitCode.NO_ANSWER
    return ExitCode.YES if all(isinstance(one.decision, v.Scheduled) for one in decisions) else ExitCode.NO
