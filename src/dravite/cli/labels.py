"""`-l app=train,tier!=test,env in (a,b),!debug`: label selectors as kubectl takes them."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Final

from dravite.cli.dispatch import UsageError

Labels = Mapping[str, str]
Test = Callable[[Labels], bool]

_TERM: Final = re.compile(
    r"\s*(?:(?P<key>[\w./-]+)\s+(?P<sets>in|notin)\s*\((?P<values>[^()]*)\)"
    r"|(?P<equal>[\w./-]+)\s*(?P<sign>==|=|!=)\s*(?P<value>[\w.-]*)"
    r"|(?P<lacks>!?)\s*(?P<has>[\w./-]+))\s*(?:,|\Z)"
)


def matcher(text: str) -> Test:
    """Whether labels match all terms of a selector. Raises `UsageError` where the text is no selector."""
    tests: list[Test] = []
    place = 0
    while place < len(text):
        found = _TERM.match(text, place)
        if found is None:
            message = f"-l {text!r} is no label selector (from {text[place:]!r} on)"
            raise UsageError(message, "terms read app=train, tier!=test, env in (a,b), env notin (a), debug or !debug")
        tests.append(_test(found))
        place = found.end()
    return lambda labels: all(test(labels) for test in tests)


def _test(found: re.Match[str]) -> Test:
    if found["sets"]:
        key, values = found["key"], frozenset(value.strip() for value in found["values"].split(","))
        if found["sets"] == "in":
            return lambda labels: labels.get(key) in values
        return lambda labels: labels.get(key) not in values
    if found["sign"]:
        key, value = found["equal"], found["value"]
        if found["sign"] == "!=":
            return lambda labels: labels.get(key) != value
        return lambda labels: labels.get(key) == value
    has = found["has"]
    if found["lacks"]:
        return lambda labels: has not in labels
    return lambda labels: has in labels
