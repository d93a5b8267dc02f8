"""What a server would refuse or warn about, and what it would accept and nobody wants.

The door of the package. Findings are `Problem`s: like field errors they carry their sentence from birth, and their
`type` is the stable code of a rule in `codes`. Rules never merge, plan or change anything.
"""

from dravite.lint.check import Findings, lint
from dravite.lint.codes import RULES, UNPARSED, Rule
from dravite.lint.reading import Asked
from dravite.lint.suppression import without_silenced

__all__ = ["RULES", "UNPARSED", "Asked", "Findings", "Rule", "lint", "without_silenced"]
