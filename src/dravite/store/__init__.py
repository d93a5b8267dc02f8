"""One revision log: objects as bytes, their history, and what happened since. It knows no kind and no rule.

`Store` is authoritative in memory and answers at once; a `Journal` behind it makes writes last. One thread uses a
store; the journal's writer has its own.
"""

from dravite.store.journal import Journal, JournalError
from dravite.store.order import Place
from dravite.store.records import Compacted, Event, Key, Page, Record, Stale
from dravite.store.store import Store

__all__ = ["Compacted", "Event", "Journal", "JournalError", "Key", "Page", "Place", "Record", "Stale", "Store"]
