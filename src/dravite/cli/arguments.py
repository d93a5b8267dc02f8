"""Parses the arguments of the one command that was chosen."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from typing import Any, Final, NoReturn

import msgspec

from dravite.api.names import why_not_dns_label
from dravite.cli import COMMANDS, flags
from dravite.cli.dispatch import UsageError
from dravite.cli.streams import columns
from dravite.sources import STDIN

_MOST_DIGITS: Final = 100


class Arguments(msgspec.Struct, frozen=True, kw_only=True):
    """What the user asked, checked as far as the command line alone allows.

    Attributes:
        words: the positional arguments, in order.
        paths: the values of `-f`, in order.
        release: the release to answer for; `release_said` is empty where the user left it open.
        gangs: kinds of workloads in lower case, as the user typed them.
        suppositions: what `what-if` takes to be different, as keys of flags with their values, in their order.
        to_release, to_gates: the control plane that it takes to be there instead; empty where it is the same.
        show: the keys of all switches that are on.
        data, backup, host, port, load: where a server of our own lives, and what it begins with.
        users: who has a token on it besides the administrator, as the user typed them.
        audit_log: the file that gets a line about each request to it.
        pod_seconds: how long pods run on it that end by themselves; None where nothing is said.
        patience: seconds that an API server may be silent.
    """

    command: str
    words: tuple[str, ...] = ()
    paths: tuple[str, ...] = ()
    namespace: str | None = None
    labels: str | None = None
    output: str = "text"
    release: str = flags.RELEASES[-1]
    release_said: str = ""
    gates: tuple[str, ...] = ()
    pod_templates: tuple[str, ...] = ()
    budget: int | None = None
    seed: int = 0
    gangs: tuple[str, ...] = ()
    code: str | None = None
    to: tuple[str, ...] = ()
    api_version: str | None = None
    now: str | None = None
    suppositions: tuple[tuple[str, str], ...] = ()
    to_release: str = ""
    to_gates: tuple[str, ...] = ()
    show: frozenset[str] = frozenset()
    data: str | None = None
    backup: str | None = None
    host: str | None = None
    port: int = 0
    load: tuple[str, ...] = ()
    users: tuple[str, ...] = ()
    audit_log: str | None = None
    pod_seconds: float | None = None
    context: str | None = None
    kubeconfig: str | None = None
    patience: float = flags.PATIENCE

    @property
    def live(self) -> bool:
        """Whether a running cluster is asked."""
        return flags.LIVE.key in self.show or self.context is not None or self.kubeconfig is not None


class _Suppose(argparse.Action):
    """Notes flags of several names in one list, in their order."""

    def __call__(self, parser: Any, namespace: Any, values: Any, option_string: str | None = None) -> None:
        del parser, option_string
        noted = getattr(namespace, "suppositions", None) or ()
        namespace.suppositions = (*noted, (self.dest, values))


class _Parser(argparse.ArgumentParser):
    """argparse that raises `UsageError` where it would print and leave.

    It makes a formatter for every argument; one that is told its width does not load `shutil` to find the terminal's.
    """

    def _get_formatter(self) -> argparse.HelpFormatter:
        return argparse.RawDescriptionHelpFormatter(self.prog, width=(columns() or 80) - 2)

    def error(self, message: str) -> NoReturn:
        raise UsageError(message)

    def _print_message(self, message: str, file: Any = None) -> None:
        """argparse would keep it to itself that help cannot be written."""
        (file or sys.stdout).write(message)


def parse(command: str, given: list[str]) -> Arguments:
    """The arguments of a command; `--help` prints and leaves the program. Raises `UsageError`."""
    parsed = vars(_parser(command).parse_intermixed_args(given))
    made = Arguments(
        command=command,
        words=tuple(parsed["words"]),
        paths=tuple(parsed.get("filename") or ()),
        namespace=_namespace(parsed.get("namespace")),
        labels=parsed.get("selector"),
        output=parsed.get("output") or "text",
        release=parsed.get("kubernetes") or flags.RELEASES[-1],
        release_said=parsed.get("kubernetes") or "",
        gates=tuple(parsed.get("feature_gates") or ()),
        pod_templates=tuple(parsed.get("pod_templates") or ()),
        budget=_steps(parsed.get("budget")),
        seed=_seed(parsed.get("seed")),
        gangs=_kinds(parsed.get("gang") or ()),
        code=parsed.get("explain"),
        to=tuple(parsed.get("to") or ()),
        api_version=parsed.get("api_version"),
        now=parsed.get("now"),
        suppositions=tuple(parsed.get("suppositions") or ()),
        to_release=parsed.get("to_kubernetes") or "",
        to_gates=tuple(parsed.get("to_feature_gates") or ()),
        show=frozenset(flag.key for flag in flags.COMMAND_FLAGS[command] if not flag.metavar and parsed.get(flag.key)),
        data=parsed.get("data"),
        backup=parsed.get("backup"),
        host=parsed.get("host"),
        port=_port(parsed.get("port")),
        load=tuple(parsed.get("load") or ()),
        users=tuple(parsed.get("user") or ()),
        audit_log=parsed.get("audit_log"),
        pod_seconds=_duration(parsed["pod_seconds"], "--pod-seconds") if parsed.get("pod_seconds") else None,
        context=parsed.get("context"),
        kubeconfig=parsed.get("kubeconfig"),
        patience=_seconds(parsed.get("request_timeout")),
    )
    _need_cluster(made)
    _read_once(made)
    return made


def _need_cluster(made: Arguments) -> None:
    """Refuse to wait for files; `rbac` is asked about a running cluster anyway."""
    for flag in (flags.WATCH, flags.SETTLE):
        if flag.key in made.show and not made.live and flags.LIVE in flags.COMMAND_FLAGS[made.command]:
            message = f"{flag.names[-1]} is about a running cluster"
            raise UsageError(message, "say --live too")


def _read_once(made: Arguments) -> None:
    """Refuse to read standard input again: it is empty then."""
    words = made.words if flags.POSITIONALS[made.command][0] in ("PATH", "FILE") else ()
    applied = (path for key, path in made.suppositions if key == flags.WITH.key)
    named = [*made.paths, *made.load, *words, *applied].count(STDIN)
    if named > 1:
        message = f"standard input can be read once, and - stands here {'twice' if named == 2 else f'{named} times'}"
        raise UsageError(message, "put the others into files")


def _parser(command: str) -> argparse.ArgumentParser:
    metavar, text = flags.POSITIONALS[command]
    parser = _Parser(
        prog=f"dravite {command}",
        usage=f"dravite {command} [FLAGS] [{metavar} ...]",
        description=f"{COMMANDS[command][0]}.",
        epilog="examples:\n" + "".join(f"  {line}\n" for line in flags.EXAMPLES[command]),
        allow_abbrev=False,
    )
    parser.add_argument("words", metavar=metavar, nargs="*", help=text)
    for flag in flags.COMMAND_FLAGS[command]:
        _add(parser, flag)
    return parser


def _add(parser: argparse.ArgumentParser, flag: flags.Flag) -> None:
    if flag.metavar is None:
        parser.add_argument(*flag.names, action="store_true", help=flag.help)
        return
    if flag in flags.SUPPOSITIONS:
        parser.add_argument(*flag.names, metavar=flag.metavar, help=flag.help, dest=flag.key, action=_Suppose)
        return
    extra: dict[str, Any] = {"action": "append"} if flag.repeat else {}
    if flag.choices:
        extra["choices"] = flag.choices
    if flag in (flags.RELEASE, flags.TO_RELEASE):
        extra["type"] = _release
    parser.add_argument(*flag.names, metavar=flag.metavar, help=flag.help, **extra)


def _release(text: str) -> str:
    """`1.34` of what `kubectl version` prints: v1.34.2."""
    return ".".join(text.removeprefix("v").split(".")[:2])


def _port(text: str | None) -> int:
    if text is None:
        return 0
    port = _whole(text)
    if port is None or port > 65535:
        message = f"--port takes a number from 0 to 65535, not {text!r}"
        raise UsageError(message)
    return port


def _namespace(text: str | None) -> str | None:
    if text is not None and (wrong := why_not_dns_label(text)):
        message = f"-n {text!r} is no name of a namespace: {wrong[0]}"
        raise UsageError(message)
    return text


def _steps(text: str | None) -> int | None:
    if text is None:
        return None
    steps = _whole(text)
    if not steps:
        message = f"--budget takes a number of steps from 1, not {text!r}"
        raise UsageError(message)
    return steps


def _seed(text: str | None) -> int:
    if text is None:
        return 0
    seed = _whole(text)
    if seed is None:
        message = f"--seed takes a number from 0, not {text!r}"
        raise UsageError(message)
    return seed


def _whole(text: str) -> int | None:
    """The number that a text says; None for what is none, or longer than Python reads."""
    return int(text) if text.isdecimal() and len(text) <= _MOST_DIGITS else None


def _kinds(texts: Sequence[str]) -> tuple[str, ...]:
    """Kinds out of `jobset,lws`, each once."""
    kinds = (kind.strip().lower() for text in texts for kind in text.split(","))
    return tuple(dict.fromkeys(kind for kind in kinds if kind))


def _seconds(text: str | None) -> float:
    """How long a server may be silent; 0 is as long as it takes."""
    return flags.PATIENCE if text is None else _duration(text, "--request-timeout") or flags.NO_LIMIT


def _duration(text: str, flag: str) -> float:
    """Seconds: `30`, `30s`, `2m`, as kubectl takes them."""
    number, unit = (text[:-1], text[-1]) if text[-1:] in ("s", "m") else (text, "s")
    if not number.isdecimal():
        message = f"{flag} takes seconds, as in 30 or 30s, not {text!r}"
        raise UsageError(message)
    return float(number) * (60 if unit == "m" else 1)


def input_paths(arguments: Arguments) -> tuple[str, ...]:
    """The inputs: `-f` first, then paths given as words. Raises `UsageError` where there is nothing to ask."""
    paths = (*arguments.paths, *arguments.words)
    if "" in paths:
        message = "an empty path names no file"
        raise UsageError(message, "is a variable of the shell unset?")
    if not paths and not arguments.live:
        message = "nothing to read"
        hint = f"name files or folders: {flags.EXAMPLES[arguments.command][0]}"
        if flags.LIVE in flags.COMMAND_FLAGS[arguments.command]:
            hint += "; or ask the running cluster with --live"
        if not sys.stdin.isatty():
            hint += "; for standard input say -"
        raise UsageError(message, hint)
    return paths
