"""Why a pod gets what it gets: `explain` for the whole answer, `glance` for as much as a plan tells.

`explain_group` and `glance_at_group` do the same for a PodGroup. `alike` says which pods share an answer.
"""

from dravite.explain.alike import alike
from dravite.explain.answer import explain, glance
from dravite.explain.group_answer import Depth, Extra, explain_group, glance_at_group
from dravite.explain.simplify import Detail

__all__ = ["Depth", "Detail", "Extra", "alike", "explain", "explain_group", "glance", "glance_at_group"]
