"""`dravite lint`: what a server would refuse, and what it would accept and nobody wants."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Sequence
from difflib import get_close_matches

import msgspec

from dravite import __version__
from dravite.api.document import Problem
from dravite.api.releases import Profile, profile_with_dra
from dravite.cli.arguments import Arguments, input_paths, parse
from dravite.cli.dispatch import UsageError, gates_error
from dravite.cli.exit_codes import ExitCode
from dravite.cli.extras import need_client
from dravite.cli.faces import show
from dravite.cli.workload_kinds import known_kinds
from dravite.lint import RULES, UNPARSED, Asked, lint, without_silenced
from dravite.render.ci import github_text, sarif_document
from dravite.render.document import json_text, lint_document
from dravite.render.text import lint_text
from dravite.render.view.lint import lint_report
from dravite.sources import STDIN, read, texts_of


def run(given: list[str]) -> int:
    """Print the findings; 1 with an error among them, 2 where a file cannot be read or parsed."""
    arguments = parse("lint", given)
    if arguments.code is not None:
        sys.stdout.write(page_of(arguments.code))
        return ExitCode.YES
    stdin = sys.stdin.buffer.read() if STDIN in (*arguments.words, *arguments.paths) else b""
    question, notes = asked_live(arguments, stdin) if arguments.live else (asked(arguments, stdin), ())
    findings = lint(question)
    texts = texts_of((problem.file for problem in findings.problems if problem.file), stdin)
    problems = tuple(without_silenced(findings.problems, texts))
    match arguments.output:
        case "sarif":
            sys.stdout.write(json_text(sarif_document(problems, __version__, page_of)))
        case "github":
            sys.stdout.write(github_text(problems))
        case _:
            report = lint_report(findings, problems)
            report = msgspec.structs.replace(report, notes=(*notes, *report.notes))
            show(arguments, lambda style: lint_text(report, style), lambda: lint_document(report))
    return exit_code(problems)


def asked(arguments: Arguments, stdin: bytes) -> Asked:
    """What is to be judged, and what stands around it. Only with `-f` alone, that is what is judged."""
    words, around = (arguments.words, arguments.paths) if arguments.words else (input_paths(arguments), ())
    return Asked(
        documents=read(words, stdin),
        around=read(around, stdin),
        complete=bool(arguments.paths),
        profile=chosen_profile(arguments),
        namespace=arguments.namespace or "default",
        pod_templates=known_kinds(arguments.pod_templates),
    )


def asked_live(arguments: Arguments, stdin: bytes) -> tuple[Asked, tuple[str, ...]]:
    """The same amid what runs, and notes on how that was read. Without any files what runs is judged itself."""
    need_client()
    from dravite.cli.live import around

    documents = read(arguments.words or arguments.paths, stdin)
    files = read(arguments.paths, stdin) if arguments.words else ()
    cluster = around(arguments, documents)
    asked_about = Asked(
        documents=documents or cluster.documents,
        around=(*cluster.documents, *files) if documents else (),
        complete=not cluster.partial,
        profile=cluster.profile,
        namespace=cluster.namespace,
        pod_templates=known_kinds(arguments.pod_templates),
    )
    return asked_about, cluster.notes


def chosen_profile(arguments: Arguments) -> Profile:
    """The release and its gates. Raises `UsageError` with everything that is wrong with the two."""
    found = profile_with_dra(arguments.release, ",".join(arguments.gates))
    if not isinstance(found, Profile):
        raise gates_error(error.detail for error in found)
    return found


def exit_code(problems: Iterable[Problem]) -> ExitCode:
    """A file that cannot be read outweighs an object that would be refused."""
    errors = {problem.type for problem in problems if problem.severity == "error"}
    if errors & UNPARSED:
        return ExitCode.BAD_INPUT
    return ExitCode.NO if errors else ExitCode.YES


def page_of(code: str) -> str:
    """The documentation page of a code. Raises `UsageError` for a code that does not exist."""
    if code not in RULES:
        near: Sequence[str] = get_close_matches(code, RULES, n=1)
        hint = f"did you mean `dravite lint --explain {near[0]}`?" if near else "docs/reference/lint.md lists all codes"
        message = f"lint has no code {code!r}"
        raise UsageError(message, hint)
    from importlib.resources import files

    return (files("dravite.lint") / "pages" / f"{code}.md").read_text("utf-8")
