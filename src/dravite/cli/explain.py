"""`dravite explain`: why a pod, claim or job is not placed, or is placed where it is."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from dravite.api.meta import ObjectRef
from dravite.cli.arguments import Arguments, parse
from dravite.cli.dispatch import UsageError
from dravite.cli.faces import show
from dravite.cli.flags import EXAMPLES
from dravite.cli.question import Question, ask, exit_code
from dravite.cli.subjects import chosen
from dravite.diagnosis import verdicts as v
from dravite.explain import Detail, alike, explain
from dravite.explain.explanation import Explanation
from dravite.planning.plan import Plan
from dravite.render.document import explain_document
from dravite.render.text import explain_text
from dravite.render.view.answers import explain_report
from dravite.scheduler.binding import claims_told


def run(given: list[str]) -> int:
    """Print the explanation of the subject, or of everything that was not placed."""
    arguments = parse("explain", given)
    if not arguments.paths:
        message = "nothing to read"
        raise UsageError(message, f"name files or folders with -f: {EXAMPLES['explain'][0]}")
    asked = ask(arguments, arguments.paths)
    subjects = subject_pods(asked, arguments)
    detail = Detail.ALL if "all" in arguments.show else Detail.FOLDED
    answers = [(_explained(asked.plan, group[0], detail), group) for group in alike(asked.plan, subjects)]
    notes = asked.notes
    if not answers:
        notes = (*notes, "All pods are placed. Name a subject to see why it runs where it runs.")
    report = explain_report(answers, asked.input.manifests.problems, notes, asked.input.sight)
    show(arguments, lambda style: explain_text(report, style), lambda: explain_document(report))
    return exit_code(asked.input.manifests, subjects)


def _explained(plan: Plan, one: v.PodDecision, detail: Detail) -> Explanation:
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
            pod=ObjectRef("Pod", pod.metadata.namespace, pod.metadata.name),
            owner=planned.owner,
            decision=v.Scheduled(node=pod.spec.node_name),
            claims=claims_told(plan.start, pod),
        )


def subject_pods(asked: Question, arguments: Arguments) -> Sequence[v.PodDecision]:
    """The pods that the words mean; without words, all that are not placed. Raises `UsageError`."""
    if not arguments.words:
        return [one for one in asked.decisions if not isinstance(one.decision, v.Scheduled)]
    namespace = arguments.namespace or "default"
    known = (*asked.plan.decisions, *running(asked.plan))
    found = [one for word in arguments.words for one in chosen(word, namespace, known)]
    return list({one.pod: one for one in found}.values())
