"""Where the answer goes: width and colour of the terminal, and the face that `-o` asks for."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from dravite.api.document import Problem
from dravite.cli.arguments import Arguments
from dravite.cli.streams import columns
from dravite.render.harmless import harmless
from dravite.render.text import Style, problems_text


def style(arguments: Arguments) -> Style:
    """Lines are broken at COLUMNS or the terminal's width, and nowhere in a pipe; colour is for terminals."""
    terminal = sys.stdout.isatty()
    colour = terminal and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"
    return Style(
        width=columns(),
        colour=colour and "no_color" not in arguments.show,
        fold="all" not in arguments.show,
    )


def show(arguments: Arguments, text: Callable[[Style], str], document: Callable[[], Mapping[str, Any]]) -> None:
    """Write the answer to stdout as text, JSON, or the same document as YAML."""
    sys.stdout.write(shown(arguments, text, document))


def shown(arguments: Arguments, text: Callable[[Style], str], document: Callable[[], Mapping[str, Any]]) -> str:
    """The answer as text, JSON, or the same document as YAML."""
    match arguments.output:
        case "json":
            from dravite.render.document import json_text

            return json_text(document())
        case "yaml":
            return yaml_text([document()])
        case _:
            chosen = style(arguments)
            return harmless(text(chosen), colour=chosen.colour)


def yaml_text(documents: Iterable[Mapping[str, Any]]) -> str:
    """Documents as YAML in their own order of keys, separated by `---`."""
    import yaml

    dumper = getattr(yaml, "CSafeDumper", yaml.SafeDumper)
    parts = [
        yaml.dump(one, Dumper=dumper, sort_keys=False, allow_unicode=True, default_flow_style=False, width=1 << 20)
        for one in documents
    ]
    return "---\n".join(parts)


def talk(problems: Iterable[Problem], arguments: Arguments) -> None:
    """Write problems to stderr, for answers whose stdout belongs to another program."""
    sys.stderr.write(talked(problems, arguments))


def talked(problems: Iterable[Problem], arguments: Arguments) -> str:
    """Problems as they go to stderr."""
    chosen = style(arguments)
    return harmless(problems_text(tuple(problems), chosen), colour=chosen.colour)
