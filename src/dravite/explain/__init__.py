"""Why a pod gets what it gets: `explain` for the whole answer, `glance` for the warnings on a placed pod.

`alike` says which pods share an answer.
"""

from dravite.explain.alike import alike
from dravite.explain.answer import explain, glance
from dravite.explain.simplify import Detail

__all__ = ["Detail", "alike", "explain", "glance"]
