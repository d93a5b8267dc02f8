"""Why a pod gets what it gets: `explain` for the whole answer, `glance` for as much as a plan tells.

`alike` says which pods share an answer.
"""

from dravite.explain.alike import alike
from dravite.explain.answer import explain, glance
from dravite.explain.simplify import Detail

__all__ = ["Detail", "alike", "explain", "glance"]
