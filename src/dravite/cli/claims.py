"""`dravite claims`: what claims hold, and what drivers report of it."""

from __future__ import annotations

from datetime import UTC, datetime

from dravite.admission.cross_checks import GONE_DEVICE
from dravite.api.document import Problem
from dravite.cli.answering import Answer, answered
from dravite.cli.arguments import Arguments, input_paths, parse
from dravite.cli.dispatch import UsageError
from dravite.cli.exit_codes import ExitCode
from dravite.cli.faces import shown
from dravite.cli.question import Input
from dravite.render import words
from dravite.render.ages import moment
from dravite.render.document import claims_document
from dravite.render.report import ClaimsReport
from dravite.render.text import claims_text
from dravite.render.view.claims import claims_report
from dravite.snapshot.device_reports import claim_reports
from dravite.snapshot.manifests import Manifests


def run(given: list[str]) -> int:
    """Print all claims of the inputs; 2 where an object cannot be read or would be refused."""
    arguments = parse("claims", given)
    return answered(arguments, input_paths(arguments), answer)


def answer(arguments: Arguments, given: Input) -> Answer:
    """The claims of the namespace that is asked about, or of all."""
    report = report_of(arguments, given)
    refused = any(problem.severity == "error" for problem in given.manifests.problems)
    text = shown(arguments, lambda style: claims_text(report, style), lambda: claims_document(report))
    return Answer(text, ExitCode.BAD_INPUT if refused else ExitCode.YES)


def report_of(arguments: Arguments, asked: Input) -> ClaimsReport:
    """The claims of the namespace that is asked about, or of all. Raises `UsageError` for a `--now` that is no time."""
    namespace = arguments.namespace if asked.cluster is None else asked.cluster.namespace
    claims = [one for one in asked.manifests.claims if namespace in (None, one.metadata.namespace)]
    return claims_report(
        claim_reports(claims),
        _problems(asked.manifests),
        (*asked.notes, *_elsewhere(asked, shown=len(claims))),
        chosen_now(arguments.now),
        "wide" if arguments.output == "wide" else "normal",
    )


def _elsewhere(asked: Input, *, shown: int) -> tuple[str, ...]:
    """Where the claims of a cluster are, if none is in the namespace that was asked about."""
    others = len(asked.manifests.claims)
    if asked.cluster is None or shown or not others:
        return ()
    where = f"Namespace {asked.cluster.namespace} has none; {words.count(others, 'claim')} {words.bent(others, 'is')}"
    return (f"{where} elsewhere: -A shows all.",)


def _problems(manifests: Manifests) -> tuple[Problem, ...]:
    """Without any slices nobody can tell that one of them is missing."""
    if manifests.slices:
        return manifests.problems
    return tuple(problem for problem in manifests.problems if problem.type != GONE_DEVICE)


def chosen_now(text: str | None) -> datetime:
    """The moment from which ages are counted; the clock's where none is given."""
    found = datetime.now(UTC) if text is None else moment(text)
    if found is None:
        message = f"--now takes a time, not {text!r}"
        raise UsageError(message, "write it as in 2026-01-31T12:00:00Z")
    return found
