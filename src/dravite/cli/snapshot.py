"""`dravite snapshot`: dumps of a running cluster, how to make them with kubectl, and `--anonymize` for sharing them."""

from __future__ import annotations

import sys
from typing import Final

from dravite.api.json_text import plain_json
from dravite.cli import flags
from dravite.cli.arguments import Arguments, input_paths, parse
from dravite.cli.dispatch import UsageError
from dravite.cli.exit_codes import ExitCode
from dravite.cli.extras import need_client
from dravite.live.wanted import rights_of

OPTIONAL: Final = frozenset({"devicetaintrules", "podgroups", "workloads", "compositepodgroups"})
"""What a cluster has only with newer releases or gates; kubectl refuses a list with a kind that is not there."""


def run(given: list[str]) -> int:
    """Print how to dump a cluster; with `--live` the dump, with `--anonymize` the inputs without names."""
    arguments = parse("snapshot", given)
    if arguments.live:
        return dump(arguments)
    if flags.ANONYMIZE.key in arguments.show:
        return anonymize(arguments)
    if arguments.paths or arguments.words:
        message = "snapshot reads inputs only to take the names out of them"
        raise UsageError(message, "add --anonymize, or --live to dump the running cluster with the files on top")
    sys.stdout.write(how_to())
    return ExitCode.YES


def dump(arguments: Arguments) -> int:
    """Print what a later `-f` needs of the running cluster; which lists are missing is said, and makes the code 1."""
    need_client()
    from dravite.cli.live_dump import live_dump

    return live_dump(arguments)


def how_to() -> str:
    """The dump command, what to add where a cluster has it, and what to do with the dump."""
    wanted = rights_of("snapshot")
    common = ",".join(str(one) for one in wanted if one.plural not in OPTIONAL)
    newer = ",".join(str(one) for one in wanted if one.plural in OPTIONAL)
    return (
        "dravite snapshot --live > cluster.yaml\n"
        "\n"
        "The same with kubectl:\n"
        f"  kubectl get {common} -A -o yaml > cluster.yaml\n"
        "Where the cluster serves them, add also (kubectl api-resources lists what it serves):\n"
        f"  {newer}\n"
        "\n"
        "Then: dravite plan -f cluster.yaml -f jobs/\n"
        "To take the names out before sharing it:\n"
        "  dravite snapshot -f cluster.yaml --anonymize > shareable.yaml\n"
    )


def anonymize(arguments: Arguments) -> int:
    """Print the objects of the inputs with the names taken out; what cannot be read is said and left out."""
    from dravite.cli.faces import talk, yaml_text
    from dravite.render.anonymous import anonymous
    from dravite.sources.files import read

    paths = input_paths(arguments)
    documents = read(paths, sys.stdin.buffer.read() if "-" in paths else b"")
    problems = [problem for document in documents for problem in document.problems]
    objects = [plain_json(document.body) for document in documents if document.body]
    sys.stdout.write(yaml_text(anonymous([one for one in objects if isinstance(one, dict)])))
    talk(problems, arguments)
    return ExitCode.BAD_INPUT if any(problem.severity == "error" for problem in problems) else ExitCode.YES
