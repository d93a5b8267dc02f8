"""Random writes, reads at old revisions, compactions and restarts, against a model that keeps every state."""

from __future__ import annotations

import shutil
import tempfile
from pathlib import Path

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule

from dravite.store import Compacted, Key, Record, Stale, Store

KEYS = [Key(collection, namespace, name) for collection in "xy" for namespace in ("", "a", "b") for name in "pq"]
State = dict[Key, tuple[int, bytes]]


class Machine(RuleBasedStateMachine):
    @initialize(on_disk=st.booleans())
    def begin(self, on_disk: bool) -> None:
        self.folder = tempfile.mkdtemp() if on_disk else None
        self.store = Store.open(self.folder) if self.folder else Store()
        self.states: list[State] = [{}]
        self.compacted = 0

    @rule(key=st.sampled_from(KEYS), body=st.binary(min_size=1, max_size=3))
    def put(self, key: Key, body: bytes) -> None:
        now = self.states[-1]
        record = self.store.put(key, body, now[key][0] if key in now else 0)
        assert record == Record(key, len(self.states), body)
        self.states.append({**now, key: (len(self.states), body)})

    @rule(key=st.sampled_from(KEYS))
    def delete(self, key: Key) -> None:
        now = self.states[-1]
        if key not in now:
            assert self.store.delete(key, 0) == Stale(None)
            return
        assert self.store.delete(key, now[key][0]) == Record(key, len(self.states), now[key][1])
        self.states.append({other: state for other, state in now.items() if other != key})

    @rule(key=st.sampled_from(KEYS))
    def write_too_late(self, key: Key) -> None:
        now = self.states[-1]
        found = Record(key, *now[key]) if key in now else None
        wrong = (now[key][0] if key in now else 0) + 1
        assert self.store.put(key, b"late", wrong) == Stale(found)
        assert self.store.delete(key, wrong) == Stale(found)

    @rule(data=st.data(), namespace=st.sampled_from(["", "a", "b"]), limit=st.integers(1, 3))
    def read_the_past_in_pages(self, data: st.DataObject, namespace: str, limit: int) -> None:
        revision = data.draw(st.integers(0, len(self.states) - 1))
        if revision < self.compacted:
            assert self.store.page("x", namespace, at=revision) == Compacted(self.compacted)
            return
        revision = revision or len(self.states) - 1
        wanted = [
            Record(key, *self.states[revision][key])
            for key in sorted(self.states[revision])
            if key.collection == "x" and namespace in ("", key.namespace)
        ]
        found: list[Record] = []
        after = None
        while True:
            page = self.store.page("x", namespace, after=after, limit=limit, at=revision)
            assert not isinstance(page, Compacted)
            found += page.records
            assert page.remaining == len(wanted) - len(found)
            if not page.remaining:
                break
            after = page.records[-1].key[1:]
        assert found == wanted

    @rule(data=st.data())
    def follow_events(self, data: st.DataObject) -> None:
        since = data.draw(st.integers(0, len(self.states) - 1))
        self.store.flush()
        events = self.store.events("y", since)
        if since < self.compacted:
            assert events == Compacted(self.compacted)
            return
        assert not isinstance(events, Compacted)
        state = {key: value for key, value in self.states[since].items() if key.collection == "y"}
        for event in events:
            record = event.after or event.before
            assert record is not None
            before = state.pop(record.key, None)
            assert event.before == (None if before is None else Record(record.key, *before))
            if event.after is not None:
                state[record.key] = (event.revision, event.after.body)
        assert state == {key: value for key, value in self.states[-1].items() if key.collection == "y"}

    @rule(data=st.data())
    def compact(self, data: st.DataObject) -> None:
        self.store.flush()
        self.compacted = max(self.compacted, data.draw(st.integers(0, len(self.states) - 1)))
        self.store.compact(self.compacted)

    @rule()
    def restart(self) -> None:
        if self.folder:
            self.store.close()
            self.store = Store.open(self.folder)

    @invariant()
    def revisions_agree(self) -> None:
        if hasattr(self, "store"):
            assert (self.store.revision, self.store.compacted) == (len(self.states) - 1, self.compacted)

    def teardown(self) -> None:
        if hasattr(self, "store"):
            self.store.close()
            if self.folder:
                shutil.rmtree(Path(self.folder))


Machine.TestCase.settings = settings(
    max_examples=20, stateful_step_count=25, deadline=None, suppress_health_check=list(HealthCheck), derandomize=True
)
TestStore = Machine.TestCase
