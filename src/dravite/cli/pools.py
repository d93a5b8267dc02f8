"""`dravite pools`: what devices there are, what is free and who holds the rest."""

from __future__ import annotations

from dravite.cli.arguments import input_paths, parse
from dravite.cli.exit_codes import ExitCode
from dravite.cli.faces import show
from dravite.cli.question import read_input
from dravite.render.document import pools_document
from dravite.render.text import pools_text
from dravite.render.view.pools import pools_report
from dravite.snapshot.snapshot import build
from dravite.snapshot.survey import survey


def run(given: list[str]) -> int:
    """Print all pools of the inputs; 2 where an object cannot be read or would be refused."""
    arguments = parse("pools", given)
    asked = read_input(arguments, input_paths(arguments))
    inventory = build(asked.manifests, asked.profile).inventory
    report = pools_report(
        survey(inventory.index.slices, inventory.usage),
        asked.manifests.problems,
        asked.notes,
        fold="all" not in arguments.show,
    )
    show(arguments, lambda style: pools_text(report, style), lambda: pools_document(report))
    refused = any(problem.severity == "error" for problem in asked.manifests.problems)
    return ExitCode.BAD_INPUT if refused else ExitCode.YES
