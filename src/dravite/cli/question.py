"""From arguments to a plan: read, admit, picture, plan. All commands that need a cluster begin here."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping, Sequence
from typing import TypeAlias

import msgspec

from dravite.admission import admit
from dravite.admission.admit import DEFAULT_NAMESPACE
from dravite.api.core_v1 import Pod
from dravite.api.meta import ObjectRef
from dravite.api.releases import Profile
from dravite.api.resource_v1 import DeviceClass, DeviceTaintRule, ResourceClaim, ResourceClaimTemplate, ResourceSlice
from dravite.cli.arguments import Arguments
from dravite.cli.dispatch import UsageError
from dravite.cli.exit_codes import ExitCode
from dravite.cli.labels import matcher
from dravite.cli.workload_kinds import known_kinds
from dravite.diagnosis import verdicts as v
from dravite.planning.plan import Plan
from dravite.planning.planner import make_plan
from dravite.planning.settings import Settings, planned_profile
from dravite.render import words
from dravite.render.view.plans import plan_note
from dravite.render.view.sight import Sight, Where
from dravite.snapshot.manifests import Manifests
from dravite.snapshot.snapshot import build
from dravite.sources import STDIN, read

Object: TypeAlias = DeviceClass | ResourceClaim | ResourceClaimTemplate | ResourceSlice | DeviceTaintRule | Pod


class Input(msgspec.Struct, frozen=True):
    """What was read, for which release, and how to find a place in it; `notes` are what the answer rests on."""

    manifests: Manifests
    profile: Profile
    sight: Sight
    notes: tuple[str, ...] = ()


class Question(msgspec.Struct, frozen=True):
    """A plan, and the part of it that was asked about.

    Attributes:
        decisions: the pods that `-l` and `-n` leave, in the order in which they were handled.
    """

    input: Input
    plan: Plan
    decisions: tuple[v.PodDecision, ...]
    notes: tuple[str, ...]


def ask(arguments: Arguments, paths: Sequence[str]) -> Question:
    """Read the inputs and plan them. Raises `UsageError` for flags that cannot be meant."""
    given = read_input(arguments, paths)
    plan = make_plan(build(given.manifests, given.profile), settings(arguments))
    chosen = selected(arguments, plan)
    notes = [*given.notes, *(plan_note(one) for one in plan.notes)]
    if plan.decisions and not chosen:
        notes.append(f"-n and -l leave none of {words.count(len(plan.decisions), 'pod')}.")
    return Question(given, plan, chosen, tuple(notes))


def settings(arguments: Arguments) -> Settings:
    return Settings(budget=arguments.budget)


def selected(arguments: Arguments, plan: Plan) -> tuple[v.PodDecision, ...]:
    """The decisions that `-n` and `-l` leave."""
    fits = matcher(arguments.labels or "")
    return tuple(
        one for one in plan.decisions if arguments.namespace in (None, one.pod.namespace) and fits(_labels(plan, one))
    )


def _labels(plan: Plan, one: v.PodDecision) -> Mapping[str, str]:
    planned = plan.start.pod(one.pod)
    return planned.pod.metadata.labels if planned else {}


def read_input(arguments: Arguments, paths: Sequence[str]) -> Input:
    """Read and admit the inputs. Faults of objects are in the manifests' problems; `UsageError` is for flags."""
    chosen = chosen_profile(arguments)
    stdin = sys.stdin.buffer.read() if STDIN in paths else b""
    kinds = known_kinds(arguments.pod_templates)
    manifests = admit(read(paths, stdin), chosen, arguments.namespace or DEFAULT_NAMESPACE, kinds)
    return Input(manifests, chosen, sight(manifests, arguments), input_notes(manifests))


def input_notes(manifests: Manifests) -> tuple[str, ...]:
    """What was read and plays no part."""
    if not manifests.unknown_kinds:
        return ()
    kinds = words.listed(f"{number} {kind}" for kind, number in sorted(manifests.unknown_kinds.items()))
    how = "--pod-templates tells where a kind keeps its pod templates"
    return (f"Objects of other kinds play no part here: {kinds} ({how}).",)


def chosen_profile(arguments: Arguments) -> Profile:
    """The release and its gates. Raises `UsageError` with everything that is wrong with the two."""
    found = planned_profile(arguments.release, ",".join(arguments.gates))
    if not isinstance(found, Profile):
        raise UsageError("; ".join(error.detail for error in found), "gates read NAME=true,NAME=false")
    return found


def sight(manifests: Manifests, arguments: Arguments) -> Sight:
    """Places in the user's files, and the objects that stand there."""
    objects = {ref_of(one): one for one in every_object(manifests)}

    def where(ref: ObjectRef, path: str) -> Where | None:
        origin = manifests.origins.get(ref)
        return None if origin is None or not origin.file else (origin.file, manifests.line_of(ref, path))

    return Sight(where=where, lookup=objects.get, fold="all" not in arguments.show)


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
