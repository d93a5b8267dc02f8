"""`dravite explain`: why a pod, claim or job is not placed, or is placed where it is."""

from __future__ import annotations

from collections.abc import Sequence

from dravite.cli.arguments import Arguments, parse
from dravite.cli.dispatch import UsageError
from dravite.cli.faces import show
from dravite.cli.flags import EXAMPLES
from dravite.cli.plan import alike
from dravite.cli.question import Question, ask, exit_code
from dravite.cli.subjects import chosen
from dravite.diagnosis import verdicts as v
from dravite.explain import explain
from dravite.render.document import explain_document
from dravite.render.text import explain_text
from dravite.render.view.answers import explain_report


def run(given: list[str]) -> int:
    """Print the explanation of the subject, or of everything that was not placed."""
    arguments = parse("explain", given)
    if not arguments.paths:
        message = "nothing to read"
        raise UsageError(message, f"name files or folders with -f: {EXAMPLES['explain'][0]}")
    asked = ask(arguments, arguments.paths)
    subjects = subject_pods(asked, arguments)
    answers = [(explain(asked.plan, group[0].pod), group) for group in alike(subjects)]
    notes = asked.notes
    if not answers:
        notes = (*notes, "All pods are placed. Name a subject to see why it runs where it runs.")
    report = explain_report(answers, asked.input.manifests.problems, notes, asked.input.sight)
    show(arguments, lambda style: explain_text(report, style), lambda: explain_document(report))
    return exit_code(asked.input.manifests, subjects)


def subject_pods(asked: Question, arguments: Arguments) -> Sequence[v.PodDecision]:
    """The pods that the words mean; without words, all that are not placed. Raises `UsageError`."""
    if not arguments.words:
        return [one for one in asked.decisions if not isinstance(one.decision, v.Scheduled)]
    namespace = arguments.namespace or "default"
    found = [one for word in arguments.words for one in chosen(word, namespace, asked.plan.decisions)]
    return list({one.pod: one for one in found}.values())
