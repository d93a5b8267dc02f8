"""Which existing name a wrong one stands for."""

from hypothesis import given
from hypothesis import strategies as st

from dravite.api.near import edit_distance, near_names, nearest_value

WORDS = st.text(alphabet="abc-", max_size=6)


def test_a_swap_is_one_edit():
    assert edit_distance("gpu", "gup") == 1
    assert edit_distance("memory", "memroy") == 1
    assert edit_distance("", "abc") == 3


def test_a_typo_is_near():
    assert near_names("memroy", ["cores", "memory", "model"]) == ("memory",)


def test_case_and_separators_do_not_count():
    assert near_names("single-gpu", ["Single_GPU", "shared-gpu"])[0] == "Single_GPU"


def test_a_name_inside_another_is_near():
    assert near_names("pcieRoot", ["resource.kubernetes.io/pcieRoot"]) == ("resource.kubernetes.io/pcieRoot",)


def test_the_closest_comes_first_and_ties_go_by_the_alphabet():
    assert near_names("gpu-1", ["gpu-3", "gpu-12", "gpu-2"]) == ("gpu-12", "gpu-2", "gpu-3")


def test_something_else_is_not_near():
    assert near_names("memory", ["productName", "uuid"]) == ()
    assert near_names("gpu", ["gpu"]) == ()
    assert near_names("gpu.example.com", ["nic.example.com"]) == ()
    assert near_names("a" * 300, ["a" * 301]) == ()


def test_a_product_name_is_near_when_most_letters_are_shared():
    assert nearest_value("NVIDIA A100 80GB PCIe", ["Tesla T4", "NVIDIA A100-SXM4-80GB"]) == "NVIDIA A100-SXM4-80GB"
    assert nearest_value("ATS", ["none at all"]) is None


@given(WORDS, WORDS)
def test_the_distance_is_symmetric_and_bounded(left, right):
    distance = edit_distance(left, right)
    assert distance == edit_distance(right, left)
    assert abs(len(left) - len(right)) <= distance <= max(len(left), len(right))
    assert (distance == 0) == (left == right)


@given(WORDS, st.lists(WORDS))
def test_near_names_exist_and_do_not_depend_on_repetition(name, existing):
    near = near_names(name, existing)
    assert set(near) <= set(existing) - {name}
    assert near == near_names(name, existing + existing)
