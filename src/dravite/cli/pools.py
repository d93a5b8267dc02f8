"""`dravite pools`: what devices there are, what is free and who holds the rest."""

from __future__ import annotations

from dravite.cli.answering import Answer, answered
from dravite.cli.arguments import Arguments, input_paths, parse
from dravite.cli.exit_codes import ExitCode
from dravite.cli.faces import shown
from dravite.cli.question import Input
from dravite.render.document import pools_document
from dravite.render.text import pools_text
from dravite.render.view.pools import pools_report
from dravite.snapshot.snapshot import build
from dravite.snapshot.survey import survey


def run(given: list[str]) -> int:
    """Print all pools of the inputs; 2 where an object cannot be read or would be refused."""
    arguments = parse("pools", given)
    return answered(arguments, input_paths(arguments), answer)


def answer(arguments: Arguments, given: Input) -> Answer:
    """All pools."""
    inventory = build(given.manifests, given.profile).inventory
    report = pools_report(
        survey(inventory.index.slices, inventory.usage),
        given.manifests.problems,
        given.notes,
        fold="all" not in arguments.show,
    )
    refused = any(problem.severity == "error" for problem in given.manifests.problems)
    text = shown(arguments, lambda style: pools_text(report, style), lambda: pools_document(report))
    return Answer(text, ExitCode.BAD_INPUT if refused else ExitCode.YES)
