"""Whether the extra `live` is installed, said before anything of it is imported."""

from __future__ import annotations

from importlib.util import find_spec

from dravite.cli.dispatch import NoAnswer


def need_client() -> None:
    """Raises `NoAnswer` where the library is missing over which clusters are read."""
    if find_spec("lightkube") is None:
        message = "a running cluster is read over lightkube, which is not installed"
        raise NoAnswer(message, "pip install 'dravite[live]'")
