"""Progress while a large cluster is read, and what was known when somebody lost patience."""

from __future__ import annotations

import os
import signal
import threading

import pytest

from dravite.cli.live_session import progress_text
from dravite.live.reading import Tally, known_lines
from tests.live.conftest import Ask
from tests.live.server import Answer, ApiServer, Request


def test_progress_says_what_is_read_and_what_is_left() -> None:
    tallies = [
        Tally("pods", 1500, 20000),
        Tally("nodes", 500, None),
        Tally("jobs", 3, 3, done=True),
        Tally("x", 0, None),
    ]
    assert progress_text(tallies) == "reading: pods 1500 of 20000, nodes 500; 1 of 4 lists done"
    assert progress_text(tallies[3:]) == "reading: waiting for the server; 0 of 1 lists done"


def test_what_is_known_is_told_whole_lists_first() -> None:
    tallies = [Tally("pods", 1500, 20000), Tally("nodes", 500, 500, done=True), Tally("x", 0, None)]
    assert known_lines(tallies) == ("read: nodes 500", "begun: pods 1500 of 20000")


@pytest.mark.skipif(threading.current_thread() is not threading.main_thread(), reason="signals reach the main thread")
def test_an_interrupted_reading_says_what_was_known(ask: Ask, api: ApiServer) -> None:
    api.page = 1
    held = threading.Event()

    def interrupt(request: Request) -> Answer | None:
        if request.resource == "pods" and "continue" in request.query:
            os.kill(os.getpid(), signal.SIGINT)
            held.wait(60)
        return None

    api.rules.append(interrupt)
    told, code = ask("plan --live -A")
    held.set()
    assert told.startswith("the cluster was not read to the end\n")
    assert "pods 1 of 4" in told
    assert told.endswith("interrupted\n")
    assert code == 130
