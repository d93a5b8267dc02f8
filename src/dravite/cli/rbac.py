"""`dravite rbac COMMAND`: the least rights that a command needs on a running cluster, ready for kubectl apply."""

from __future__ import annotations

import sys
from difflib import get_close_matches

from dravite.cli.arguments import parse
from dravite.cli.dispatch import UsageError
from dravite.cli.exit_codes import ExitCode
from dravite.cli.faces import yaml_text
from dravite.cli.flags import SETTLE, WATCH
from dravite.live.rights import roles
from dravite.live.wanted import COMMANDS


def run(given: list[str]) -> int:
    """Print the roles; how to bind them is said on stderr."""
    arguments = parse("rbac", given)
    command = arguments.words[0] if len(arguments.words) == 1 else ""
    if command not in COMMANDS:
        near = get_close_matches(command, COMMANDS, n=1)
        message = f"rbac takes one command that asks a cluster: {', '.join(COMMANDS)}"
        raise UsageError(message, f"did you mean `dravite rbac {near[0]}`?" if near else None)
    follows = {SETTLE.key, WATCH.key} & arguments.show
    made = roles(command, ("list", "watch") if follows else ("list",), arguments.namespace or "")
    sys.stdout.write(yaml_text(made))
    sys.stderr.write("".join(f"{line}\n" for line in binding(command, arguments.namespace)))
    return ExitCode.YES


def binding(command: str, namespace: str | None) -> list[str]:
    """How somebody gets the rights."""
    name = f"dravite-{command}"
    lines = ["# for one user:", f"#   kubectl create clusterrolebinding {name} --clusterrole {name} --user NAME"]
    if namespace:
        lines.append(f"#   kubectl create rolebinding {name} -n {namespace} --role {name} --user NAME")
    return lines
