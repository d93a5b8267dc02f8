"""What a search takes it can give back, exactly (CNT-7, CNT-8, CNT-11, CAP-15)."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from dravite.allocator.capacity import Amount
from dravite.allocator.ledger import CounterShort, GroupsClash, Ledger
from dravite.api.quantity import NANO
from dravite.snapshot.node_use import NodeUse
from tests.allocator.situations import (
    FEATURES,
    N1,
    counters_slice,
    device,
    devices_slice,
    holding,
    inventory,
    quantity,
    share,
)

GROUPED = FEATURES | {"CompatibilityGroups"}
STOCK = inventory(
    devices_slice(
        device("a", counters={"s": {"c": 2}}, groups=["g"]),
        device("b", counters={"s": {"c": 3}}, groups=["g", "h"]),
        device("c", counters={"s": {"c": 1}, "t": {"c": 1}}, groups=["h"]),
        device("d", capacity={"m": "10"}, shared=True, counters={"t": {"c": 2}}),
        device("e", capacity={"m": "4"}, shared=True),
        device("f"),
        count=2,
    ),
    counters_slice(s={"c": 5}, t={"c": 2}),
    allocated=[holding(share("e", m="1"))],
    features=GROUPED,
)
M = (Amount("m", quantity("3"), quantity("10").nano),)


def use() -> NodeUse:
    found = STOCK.use(N1)
    assert isinstance(found, NodeUse)
    return found


def view(books: Ledger) -> list[object]:
    """All that a search can ask of a ledger."""
    return [
        (
            books.is_in_use(claim, position, admin=admin),
            books.capacity_short(position, M),
            books.counters_short(position),
        )
        for claim in (0, 1)
        for admin in (False, True)
        for position in range(6)
    ]


moves = st.lists(st.tuples(st.integers(0, 1), st.integers(0, 5), st.booleans()), max_size=10)


@given(moves)
def test_undoing_everything_restores_everything(steps):
    books = Ledger(use(), GROUPED, 2)
    before = [view(books)]
    entries = []
    for claim, position, admin in steps:
        if books.is_in_use(claim, position, admin=admin) or books.counters_short(position):
            continue
        entries.append(books.take(claim, position, M if position in (3, 4) else ()))
        before.append(view(books))
    for entry in reversed(entries):
        assert view(books) == before.pop()
        books.undo(entry)
    assert view(books) == before.pop()


def test_cnt7_counters_run_out():
    books = Ledger(use(), FEATURES, 1)
    books.take(0, 1, ())
    books.take(0, 0, ())
    assert books.counters_short(2) == CounterShort("s", "c", NANO, 0)


def test_cnt11_only_the_first_share_pays():
    books = Ledger(use(), GROUPED, 1)
    first = books.take(0, 3, M)
    assert books.counters_short(3) is None
    second = books.take(0, 3, M)
    assert books.counters_short(2) == CounterShort("t", "c", NANO, 0)
    books.undo(second)
    assert books.counters_short(2) == CounterShort("t", "c", NANO, 0)
    books.undo(first)
    assert books.counters_short(2) is None


def test_groups_narrow_as_devices_join():
    books = Ledger(use(), GROUPED, 1)
    books.take(0, 0, ())
    assert books.counters_short(1) is None
    assert books.counters_short(2) == GroupsClash("s")
