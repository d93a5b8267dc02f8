"""Each rewrite before and after."""

from dravite.api.meta import DeviceID, ObjectRef
from dravite.diagnosis.findings import Clash
from dravite.diagnosis.reasons import ConstraintID, DevicesShort, InUse, NodeTainted, ResourceShort, SelectorFalse
from dravite.explain.explanation import DeviceStory, NodeGroup, RequestFinding
from dravite.explain.likeness import group_refusals
from dravite.explain.simplify import (
    NODES_LISTED,
    Detail,
    drop_implied,
    fold_long_tail,
    group_equal_nodes,
    group_equal_requests,
    nearest_first,
    simplify,
)

CLAIM = ObjectRef("ResourceClaimTemplate", "ml", "gpus")
SELECTOR = ConstraintID(CLAIM, "spec.spec.devices.requests[0].exactly.selectors[0]")
TAINT = NodeTainted("example.com/full", "", "NoSchedule")


def device(node, number):
    return DeviceID("gpu.example.com", node, f"gpu-{number}")


def in_use(node, number, holder="other"):
    return InUse(device(node, number), ObjectRef("ResourceClaim", "ml", holder))


def finding(node, *, needed=2, eligible=0, rejections=(), request="gpu"):
    return RequestFinding(
        demand=ConstraintID(CLAIM, f"count of {request}"),
        claim=CLAIM,
        entry="gpus",
        request=request,
        needed=needed,
        eligible=eligible,
        seen=eligible + len(rejections),
        refusals=group_refusals(rejections),
    )


def lacking(node, *requests, clash=None):
    story = DeviceStory(node=node, devices_seen=8, requests=requests, clash=clash, claims=(CLAIM,))
    return NodeGroup(nodes=(node,), reasons=(DevicesShort(),), devices=story, devices_seen=8)


def tainted(node):
    return NodeGroup(nodes=(node,), reasons=(TAINT,))


def test_group_equal_nodes_joins_nodes_that_differ_only_in_names_and_holders():
    busy = [lacking(n, finding(n, rejections=[in_use(n, i, holder=f"claim-{n}") for i in range(8)])) for n in "ab"]
    (group,) = group_equal_nodes(tuple(busy))
    assert group.nodes == ("a", "b")
    assert group.devices_seen == 16
    assert group.devices.node == "a"


def test_group_equal_nodes_keeps_nodes_apart_that_miss_different_numbers():
    less = lacking("a", finding("a", eligible=1, rejections=[in_use("a", 0)]))
    more = lacking("b", finding("b", rejections=[in_use("b", 0), in_use("b", 1)]))
    assert group_equal_nodes((less, more)) == (less, more)


def test_group_equal_nodes_ignores_how_full_a_short_node_is():
    short = [
        NodeGroup(nodes=(n,), reasons=(ResourceShort("cpu", "2", used, "4"),)) for n, used in [("a", "3"), ("b", "4")]
    ]
    (group,) = group_equal_nodes(tuple(short))
    assert group.nodes == ("a", "b")


def test_nearest_first_puts_the_node_with_the_fewest_missing_devices_at_the_top():
    far, near = lacking("a", finding("a", needed=4)), lacking("b", finding("b", needed=4, eligible=3))
    assert nearest_first((tainted("c"), far, near)) == (near, far, tainted("c"))


def test_nearest_first_keeps_the_order_of_ties():
    first, second = lacking("a", finding("a")), lacking("b", finding("b"))
    assert nearest_first((second, first)) == (second, first)


def test_drop_implied_leaves_out_what_is_not_missing():
    short, served = finding("a", request="gpu"), finding("a", request="nic", eligible=2)
    (group,) = drop_implied((lacking("a", served, short, clash=Clash((SELECTOR,))),))
    assert group.devices.requests == (short,)
    assert group.devices.clash is None


def test_drop_implied_keeps_everything_where_only_a_clash_is_in_the_way():
    group = lacking("a", finding("a", eligible=2), clash=Clash((SELECTOR,)))
    assert drop_implied((group,)) == (group,)


def test_drop_implied_looks_at_alternatives_together():
    large, small = finding("a", request="gpu/large"), finding("a", request="gpu/small", eligible=2)
    group = lacking("a", large, small)
    assert drop_implied((group,)) == (group,)
    both = lacking("a", large, finding("a", request="gpu/small", eligible=1))
    assert drop_implied((both,)) == (both,)


def test_group_equal_requests_tells_requests_that_find_the_same_as_one():
    first, second = (finding("a", request=name, rejections=[in_use("a", 0)]) for name in ("one", "two"))
    other = finding("a", request="three", needed=3, rejections=[in_use("a", 0)])
    (group,) = group_equal_requests((lacking("a", first, second, other),))
    told = group.devices.requests
    assert [(one.request, one.also) for one in told] == [("one", ("two",)), ("three", ())]
    assert group.devices.missing == 2 + 2 + 3


def test_group_equal_requests_keeps_alternatives_apart():
    group = lacking("a", finding("a", request="gpu/large"), finding("a", request="gpu/small"))
    assert group_equal_requests((group,)) == (group,)


def test_fold_long_tail_counts_what_it_does_not_list():
    names = tuple(f"n{i}" for i in range(20))
    (group,) = fold_long_tail((NodeGroup(nodes=names, reasons=(TAINT,)),))
    assert group.nodes == names[:NODES_LISTED]
    assert group.folded == 20 - NODES_LISTED
    assert group.size == 20


def test_fold_long_tail_leaves_short_lists_alone():
    group = NodeGroup(nodes=("a", "b"), reasons=(TAINT,))
    assert fold_long_tail((group,)) == (group,)


def test_all_rewrites_together_lose_no_node():
    groups = tuple(tainted(f"t{i}") for i in range(30)) + tuple(lacking(f"n{i}", finding(f"n{i}")) for i in range(3))
    told = simplify(groups)
    assert [g.size for g in told] == [3, 30]
    assert sum(g.size for g in simplify(groups, Detail.ALL)) == 33
    assert all(g.folded == 0 for g in simplify(groups, Detail.ALL))


def test_refusals_are_grouped_by_what_they_say_with_the_largest_group_first():
    odd = SelectorFalse(device("a", 7), SELECTOR, "false")
    groups = group_refusals([odd, in_use("a", 0, "x"), in_use("a", 1, "y")])
    assert [len(g.devices) for g in groups] == [2, 1]
    assert groups[1].reason == odd
