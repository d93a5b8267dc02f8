"""Steps of recorded requests that dravite answers otherwise on purpose, or cannot answer alike, and why."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

_BLAME: Final = "a fault of the client's is answered with 400; Kubernetes answers 500 here"

EXCEPTIONS: Final[Mapping[str, str]] = {
    "create with a resourceVersion": _BLAME,
    "list, resourceVersion not a number": _BLAME,
    "watch, resourceVersion not a number": _BLAME,
    "strategic merge patch, unknown directive": _BLAME,
    "apply, unknown field": _BLAME,
    "apply, unknown field, default mode": _BLAME,
    "watch from resourceVersion 1": "the recorded server remembered what was done to it before",
    "get, protobuf": "the kinds of 1.31 are answered in JSON and YAML only",
    "pods know resource claims": "nothing runs in pods here, so their logs, exec and proxies are not served",
    "may I": "a review says nothing of who owns its fields",
}
"""By what a step is called."""
