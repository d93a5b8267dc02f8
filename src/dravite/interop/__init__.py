"""Objects of other Python clients in and out: the official client, lightkube, kr8s, plain dicts.

`read` takes any of them, `to_kubernetes` and `to_lightkube` give theirs back, and `to_plain` gives the dict that all
of them take. Nothing of theirs is imported before one of those two calls.
"""

from dravite.interop.giving import to_kubernetes, to_lightkube
from dravite.interop.reading import read, read_lenient, to_plain

__all__ = ["read", "read_lenient", "to_kubernetes", "to_lightkube", "to_plain"]
