"""`dravite explain`: why a pod, claim or job is not placed, or is placed where it is."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import TypeAlias

import msgspec

from dravite.api.core_v1 import Pod, pod_ref
from dravite.api.meta import ObjectRef
from dravite.cli.answering import Answer, answered
from dravite.cli.arguments import Arguments, parse
from dravite.cli.dispatch import NoAnswer, UsageError
from dravite.cli.exit_codes import INTERRUPTED
from dravite.cli.extras import need
from dravite.cli.faces import shown
from dravite.cli.flags import EXAMPLES, OPTIMIZE
from dravite.cli.groups import groups_in, groups_told
from dravite.cli.patience import Patience
from dravite.cli.plan import inputs_said
from dravite.cli.question import Cluster, Input, Question, ask, exit_code
from dravite.cli.subjects import Kin, chosen, kind_of
from dravite.cli.suggesting import of_group, with_commands
from dravite.diagnosis import verdicts as v
from dravite.diagnosis.observations import Saying
from dravite.explain import Detail, Extra, alike, explain, explain_group
from dravite.explain.explanation import Explanation
from dravite.explain.groups.packing import is_installed
from dravite.planning.plan import Plan
from dravite.render import words
from dravite.render.document import explain_document
from dravite.render.report import ExplainReport, PodGroupReport, PodReport, State
from dravite.render.text import explain_text
from dravite.render.view.answers import explain_report
from dravite.render.view.groups import group_report
from dravite.render.view.live import Now, less_certain, told
from dravite.scheduler.binding import claims_told

Sayings: TypeAlias = Mapping[ObjectRef, tuple[Saying, ...]]


def run(given: list[str]) -> int:
    """Print the explanation of the subject, or of everything that was not placed."""
    arguments = parse("explain", given)
    if not arguments.paths and not arguments.live:
        message = "nothing to read"
        raise UsageError(message, f"name files or folders with -f: {EXAMPLES['explain'][0]}; or say --live")
    if OPTIMIZE.key in arguments.show:
        message = "--optimize needs the solver HiGHS (highspy), which is not installed"
        need("optimize", message, installed=is_installed())
    return answered(arguments, arguments.paths, answer)


def answer(arguments: Arguments, given: Input) -> Answer:
    """The explanations of the subjects' pods, each different one once."""
    asked = ask(arguments, given)
    subjects = _decided_subjects(asked, arguments)
    detail = Detail.ALL if "all" in arguments.show else Detail.FOLDED
    patience = Patience()
    answers = [
        (patience.ask(group[0], partial(explained, asked.plan, group[0], detail)), group)
        for group in alike(asked.plan, subjects)
    ]
    heard, unheard = _heard(asked, [group[0] for _, group in answers])
    notes = (*asked.notes, *unheard, *patience.notes)
    if not answers:
        notes = (*notes, *_nothing_to_explain(asked))
    groups = _groups(asked, arguments, subjects)
    report = explain_report(answers, given.manifests.problems, notes, given.sight, groups)
    report = _with_next_steps(report, [found for found, _ in answers], asked, arguments)
    if given.cluster is not None:
        report = on_cluster(report, heard, asked.plan, given.cluster)
    text = shown(arguments, lambda style: explain_text(report, style), lambda: explain_document(report))
    interrupted = patience.lost or asked.plan.interrupted
    return Answer(text, INTERRUPTED if interrupted else exit_code(given.manifests, subjects))


def _with_next_steps(
    report: ExplainReport, answers: Sequence[Explanation], asked: Question, arguments: Arguments
) -> ExplainReport:
    """The report with the commands that show what remedies do besides."""
    said = inputs_said(msgspec.structs.replace(arguments, words=()), asked.input)
    start = asked.plan.start
    pods = (with_commands(one, found, said, start) for one, found in zip(report.pods, answers, strict=True))
    return msgspec.structs.replace(report, pods=tuple(pods))


def _decided_subjects(asked: Question, arguments: Arguments) -> Sequence[v.PodDecision]:
    """The subjects' pods; `NoAnswer` where the plan was interrupted before it came to them."""
    try:
        return subject_pods(asked, arguments)
    except UsageError:
        if not asked.plan.interrupted:
            raise
        decided = len(asked.plan.decisions)
        told = f"{words.count(decided, 'pod')} {words.bent(decided, 'was')} decided"
        message = f"interrupted: {told}, and what is asked about is not among them"
        raise NoAnswer(message) from None


def _groups(asked: Question, arguments: Arguments, subjects: Sequence[v.PodDecision]) -> Iterator[PodGroupReport]:
    """The answers for the groups of the subjects' pods."""
    extra: Extra = "exact" if OPTIMIZE.key in arguments.show else "none"
    named = [word for word in arguments.words if kind_of(word.partition("/")[0]) != "pod"]
    said = inputs_said(msgspec.structs.replace(arguments, words=()), asked.input)
    for decision in groups_told(asked.plan, subjects, named):
        found = explain_group(asked.plan, decision.group, extra)
        yield of_group(group_report(found, asked.input.sight), found, said, asked.plan.start)


def _nothing_to_explain(asked: Question) -> Iterator[str]:
    """Why there is no answer without a subject."""
    everything, mine = len(asked.plan.decisions), len(asked.decisions)
    if not everything:
        yield "There is no pod to explain."
    elif mine:
        which = "All pods" if mine == everything else f"The {words.count(mine, 'pod')} that -n and -l leave"
        verb = "are" if mine != 1 or mine == everything else "is"
        yield f"{which} {verb} placed. Name a subject to see why it runs where it runs."


def _heard(asked: Question, decisions: Sequence[v.PodDecision]) -> tuple[Sayings, tuple[str, ...]]:
    """What Kubernetes said of pods that exist; nothing where there are only files."""
    cluster = asked.input.cluster
    if cluster is None:
        return {}, ()
    planned = (asked.plan.start.pod(one.pod) for one in decisions)
    return cluster.hear([one.pod for one in planned if one is not None and one.owner is None])


def on_cluster(report: ExplainReport, heard: Sayings, plan: Plan, cluster: Cluster) -> ExplainReport:
    """The report with what was said of each first pod beside our own answer, and no surer than what could be read."""
    pods = tuple(_with_sayings(one, heard, plan, cluster.now) for one in report.pods)
    if cluster.partial:
        pods = tuple(msgspec.structs.replace(one, certainty=less_certain(one.certainty)) for one in pods)
    return msgspec.structs.replace(report, pods=pods)


def _with_sayings(one: PodReport, heard: Sayings, plan: Plan, now: Now) -> PodReport:
    pod = one.decisions[0].pod
    state: State = "running" if plan.decision(pod) is None else one.state
    upstream = one.upstream[1] if one.upstream else None
    said = tuple(told(saying, state, upstream, now) for saying in heard.get(pod, ()))
    return msgspec.structs.replace(one, said=said)


def explained(plan: Plan, one: v.PodDecision, detail: Detail) -> Explanation:
    """Pods that run already were not decided here: what they have is all there is to say."""
    return Explanation(decision=one) if plan.decision(one.pod) is None else explain(plan, one.pod, detail)


def running(plan: Plan) -> Iterator[v.PodDecision]:
    """The pods that have a node already, as if they had been placed there."""
    for key in plan.start.pod_order:
        planned = plan.start.pods[key]
        pod = planned.pod
        if not pod.spec.node_name:
            continue
        yield v.PodDecision(
            pod=pod_ref(pod),
            owner=planned.owner,
            decision=v.Scheduled(node=pod.spec.node_name),
            claims=claims_told(plan.start, pod),
        )


def subject_pods(asked: Question, arguments: Arguments) -> Sequence[v.PodDecision]:
    """The pods that the words mean; without words, all that are not placed. Raises `UsageError`."""
    if not arguments.words:
        return [one for one in asked.decisions if not isinstance(one.decision, v.Scheduled)]
    cluster = asked.input.cluster
    namespace = arguments.namespace or (cluster.namespace if cluster else None) or "default"
    known = (*asked.plan.decisions, *running(asked.plan))

    def pod_of(ref: ObjectRef) -> Pod | None:
        planned = asked.plan.start.pod(ref)
        return None if planned is None else planned.pod

    kin = Kin(pod_of, groups_in(asked.plan))
    found = [one for word in arguments.words for one in chosen(word, namespace, known, kin)]
    return list({one.pod: one for one in found}.values())
