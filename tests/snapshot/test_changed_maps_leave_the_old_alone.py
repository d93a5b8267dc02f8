"""A persistent map behaves as a dict of which every version is kept."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from dravite.snapshot.persistent import PersistentMap

changes = st.lists(st.dictionaries(st.integers(0, 2000), st.one_of(st.none(), st.text(max_size=2)), max_size=4))


@given(st.dictionaries(st.integers(0, 2000), st.text(max_size=2)), changes)
def test_every_version_is_kept(start, steps):
    versions = [(PersistentMap(start), dict(start))]
    for step in steps:
        made, model = versions[-1][0].changed(step), dict(versions[-1][1])
        for key, value in step.items():
            if value is None:
                model.pop(key, None)
            else:
                model[key] = value
        versions.append((made, model))
    for made, model in versions:
        assert dict(made.items()) == model
        assert len(made) == len(model)
        assert all(made[key] == value and key in made for key, value in model.items())
        assert made.get(-1, "none") == "none"
