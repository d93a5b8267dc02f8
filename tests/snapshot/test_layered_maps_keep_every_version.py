from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from dravite.snapshot.layered_map import LARGEST_LAYER, LayeredMap

CHANGES = st.lists(st.tuples(st.integers(0, 9), st.one_of(st.none(), st.integers(0, 99))), max_size=30)


@given(st.dictionaries(st.integers(0, 9), st.integers(0, 99)), CHANGES)
def test_every_version_equals_a_dict_with_the_same_history(start, changes):
    expected = dict(start)
    versions = [(LayeredMap(start), dict(start))]
    for key, value in changes:
        current = versions[-1][0]
        if value is None:
            expected.pop(key, None)
            versions.append((current.drop([key]), dict(expected)))
        else:
            expected[key] = value
            versions.append((current.put({key: value}), dict(expected)))
    for version, history in versions:
        assert dict(version.items()) == history
        assert len(version) == len(history)
        assert all((key in version) == (key in history) for key in range(10))


def test_a_layer_that_has_grown_is_poured_into_a_new_base():
    entries = LayeredMap(dict.fromkeys(range(1000), 0))
    before = entries
    for number in range(LARGEST_LAYER + 10):
        entries = entries.put({number: 1})
    assert sum(entries.values()) == LARGEST_LAYER + 10
    assert sum(before.values()) == 0
    assert list(entries) == list(range(1000))
