"""Whoever presses Ctrl-C gets what is known by then; whoever waits at a terminal sees how far it is."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import msgspec
import pytest

from dravite.cli import explain, plan
from dravite.cli.arguments import Arguments, parse
from dravite.cli.dispatch import NoAnswer
from dravite.cli.patience import Patience
from dravite.cli.question import Input, read_input
from dravite.explain.explanation import Explanation
from dravite.planning.plan import Interrupted
from dravite.planning.planner import make_plan, plan_until_interrupted
from dravite.planning.settings import NO_SETTINGS
from dravite.snapshot.snapshot import build

EXAMPLES = Path(__file__).parents[2] / "examples"
CLUSTER, JOBS = str(EXAMPLES / "cluster"), str(EXAMPLES / "jobs")


def impatient(at: str) -> Callable[[str], None]:
    """Somebody who presses Ctrl-C when told that a certain thing is being done."""

    def tell(doing: str) -> None:
        if at in doing:
            signal.raise_signal(signal.SIGINT)

    return tell


def asked(command: str, *words: str) -> tuple[Arguments, Input]:
    arguments = parse(command, [*(["-f", CLUSTER, "-f", JOBS] if command == "explain" else [CLUSTER, JOBS]), *words])
    return arguments, read_input(arguments, (CLUSTER, JOBS))


def test_a_plan_that_is_interrupted_keeps_what_it_has_decided() -> None:
    _, given = asked("plan")
    snapshot = build(given.manifests, given.profile)
    whole = make_plan(snapshot, NO_SETTINGS)

    def watch(decided: int, _: int) -> None:
        if decided == 2:
            raise KeyboardInterrupt

    found = plan_until_interrupted(snapshot, NO_SETTINGS, watch)
    assert found.decisions == whole.decisions[:2]
    assert found.interrupted
    assert found.notes[-1] == Interrupted(len(whole.decisions) - 2)


def test_make_plan_lets_the_interrupt_through() -> None:
    _, given = asked("plan")

    def watch(_: int, __: int) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        make_plan(build(given.manifests, given.profile), NO_SETTINGS, watch)


def test_an_interrupted_plan_is_printed_with_its_own_exit_code() -> None:
    arguments, given = asked("plan")
    made = plan.answer(arguments, msgspec.structs.replace(given, tell=impatient("(2 of 4 pods decided)")))
    assert made.code == 130
    assert "Interrupted: 2 pods were not looked at any more." in made.text


def test_explanations_that_are_interrupted_leave_the_decisions() -> None:
    _, given = asked("plan")
    decisions = make_plan(build(given.manifests, given.profile)).decisions
    patience = Patience()

    def impatient_explanation() -> Explanation:
        raise KeyboardInterrupt

    def explanation() -> Explanation:
        return Explanation(decision=decisions[0], nodes_total=4)

    assert patience.ask(decisions[0], explanation) == explanation()
    assert patience.notes == ()
    assert patience.ask(decisions[1], impatient_explanation) == Explanation(decision=decisions[1])
    assert patience.ask(decisions[0], explanation) == Explanation(decision=decisions[0])
    assert patience.notes == ("Interrupted: what is not explained here was not looked into any more.",)


def test_a_subject_that_was_not_reached_has_no_answer() -> None:
    arguments, given = asked("explain", "-n", "ml", "pod/train-big")
    with pytest.raises(NoAnswer, match="interrupted: 1 pod was decided, and what is asked about is not among them"):
        explain.answer(arguments, msgspec.structs.replace(given, tell=impatient("(1 of 4 pods decided)")))


def test_a_terminal_shows_what_is_being_done_and_ctrl_c_says_it() -> None:
    pty = pytest.importorskip("pty")
    terminal, stderr = pty.openpty()
    command = [sys.executable, "-m", "dravite", "plan", "-"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=stderr) as running:  # noqa: S603
        os.close(stderr)
        assert b"\rreading \xe2\x80\xa6" in os.read(terminal, 1000)
        running.send_signal(signal.SIGINT)
        assert running.wait() == 130
        assert os.read(terminal, 1000).endswith(b"\rinterrupted while reading\r\n")
        assert running.stdout is not None
        assert running.stdout.read() == b""
    os.close(terminal)
