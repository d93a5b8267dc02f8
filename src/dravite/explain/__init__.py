"""Why a pod gets what it gets: `explain` for the whole answer, `glance` for the warnings on a placed pod."""

from dravite.explain.answer import explain, glance
from dravite.explain.simplify import Detail

__all__ = ["Detail", "explain", "glance"]
