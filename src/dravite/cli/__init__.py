"""The command line's front door: which commands there are, and which function answers each.

Nothing is imported here that `dravite --help` can do without; a command's module is imported when it is chosen. What
goes wrong with a question is said in one line and exit code 2; what goes wrong with dravite itself is exit code 70.
"""

from __future__ import annotations

import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Final

COMMANDS: Final[dict[str, tuple[str, str]]] = {
    "plan": ("where every pod would run, with which devices", "dravite.cli.plan:run"),
    "explain": ("why a pod, claim or job is not placed, or is placed where it is", "dravite.cli.explain:run"),
    "what-if": ("what a change would make different: who gets a place, and who loses one", "dravite.cli.what_if:run"),
    "pools": ("what devices there are, what is free and who holds the rest", "dravite.cli.pools:run"),
    "lint": ("what a server would refuse, and what it would accept and nobody wants", "dravite.cli.lint:run"),
    "convert": ("manifests in another version, with their comments", "dravite.cli.convert:run"),
    "schema": ("JSON Schemas for editors and CI, and what a field means", "dravite.cli.schema:run"),
    "claims": ("what claims hold, and what drivers report of it", "dravite.cli.claims:run"),
    "serve": ("a control plane on this machine, without a cluster: API and controllers", "dravite.cli.serve:run"),
    "snapshot": ("a dump of a running cluster, or of files without their names", "dravite.cli.snapshot:run"),
    "rbac": ("the rights that a command needs on a running cluster", "dravite.cli.rbac:run"),
    "completion": ("a completion script for bash, zsh or fish", "dravite.cli.completion:run"),
}

DESCRIPTION: Final = """\
Plan and explain Kubernetes Dynamic Resource Allocation, from manifests or on a
running cluster: what runs where, with which devices, and if not, why not.
"""

EXAMPLES: Final = """\
  dravite plan cluster/ jobs/
  dravite explain -f cluster/ -f jobs/ -n ml pod/train-0
  dravite what-if -f cluster/ --drain gpu-01
  dravite lint -f cluster/ manifests/
  dravite explain --live -n ml pod/train-0
"""

EXIT_CODES: Final = """\
  0 all is placed   1 something is not   2 an input is wrong   3 no answer: the
  search was given up, the cluster cannot be read, or an extra is not installed
  70 a fault of dravite's own
"""


def main() -> int:
    """Answer the command line; the exit code is part of the answer (see `exit_codes`)."""
    arguments = sys.argv[1:]
    if None in (sys.stdin, sys.stdout, sys.stderr):
        from dravite.cli.streams import replace_closed

        replace_closed()
    if arguments[:1] == ["help"] and len(arguments) > 1:
        arguments = [arguments[1], "--help"]
    if not arguments or arguments[0] in ("-h", "--help", "help"):
        return _put(overview())
    if arguments[0] in ("-V", "--version", "version"):
        from dravite import __version__

        return _put(f"dravite {__version__}\n")
    if arguments[0] not in COMMANDS:
        return unknown_command(arguments[0])
    from dravite.cli.dispatch import answer

    return answer(arguments[0], arguments[1:])


def _put(text: str) -> int:
    try:
        sys.stdout.write(text)
        sys.stdout.flush()
    except OSError as fault:
        from dravite.cli.streams import unwritten

        return unwritten(fault)
    return 0


def overview() -> str:
    """What `dravite --help` prints."""
    width = max(len(name) for name in COMMANDS)
    commands = "".join(f"  {name:{width}}  {text}\n" for name, (text, _) in COMMANDS.items())
    return (
        f"{DESCRIPTION}\nUsage: dravite COMMAND [FLAGS] [PATH|KIND/NAME ...]\n\nCommands:\n{commands}\n"
        f"Examples:\n{EXAMPLES}\nExit codes:\n{EXIT_CODES}\nSay `dravite COMMAND --help` for the flags of a command.\n"
    )


def unknown_command(name: str) -> int:
    """Say that there is no such command, with the nearest one if there is one; exit code 2."""
    from difflib import get_close_matches

    near = get_close_matches(name, COMMANDS, n=1)
    hint = f"did you mean `dravite {near[0]}`?" if near else "say `dravite --help` for the commands"
    from dravite.cli.streams import complain

    complain(f"error: dravite has no command {name!r}\nhint: {hint}\n")
    return 2


def function_of(command: str) -> Callable[[list[str]], int]:
    """The function that answers a command; this is where its module is imported."""
    from importlib import import_module

    module, _, function = COMMANDS[command][1].partition(":")
    found: Callable[[list[str]], int] = getattr(import_module(module), function)
    return found
