"""Files, folders and standard input → documents. The only package here that touches a disk.

What cannot be read becomes a document that carries a problem; nothing is raised and nothing is skipped in silence.
"""

from dravite.sources.files import STDIN, read
from dravite.sources.texts import texts_of

__all__ = ["STDIN", "read", "texts_of"]
