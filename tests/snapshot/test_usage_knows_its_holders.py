"""Allocations come and go; what is left is what the remaining claims hold (CAP-16, R-27)."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from dravite.api.meta import DeviceID, ObjectRef
from dravite.api.quantity import Quantity
from dravite.api.resource_v1 import AllocationResult, DeviceAllocationResult, DeviceRequestAllocationResult
from dravite.snapshot.usage import AllocatedState, Holding

A, B = ObjectRef("ResourceClaim", "ns", "a"), ObjectRef("ResourceClaim", "ns", "b")


def result(device: str, share: str | None = None, amount: int = 1, admin: bool | None = None, pool: str = "p"):
    consumed = {"m": Quantity.of(amount)} if share else {}
    return DeviceRequestAllocationResult(
        request="r",
        driver="d",
        pool=pool,
        device=device,
        share_id=share,
        consumed_capacity=consumed,
        admin_access=admin,
    )


def allocation(*results: DeviceRequestAllocationResult) -> AllocationResult:
    return AllocationResult(devices=DeviceAllocationResult(results=results))


def facts(state: AllocatedState) -> dict[object, object]:
    """All that a state says, with the holders of a device in an order that does not depend on who came first."""
    return {
        key: (usage.exclusive, usage.shared, dict(usage.committed), holders(usage))
        for key, usage in sorted(state.pools.items())
    }


def holders(usage):
    return {name: sorted((str(one.claim), one.share_id or "") for one in held) for name, held in usage.holdings.items()}


def test_a_device_is_held_whole_or_in_shares():
    state = AllocatedState().with_claim(A, allocation(result("x"), result("y", "s1", 2)))
    state = state.with_claim(B, allocation(result("y", "s2", 3)), (ObjectRef("Pod", "ns", "p"),))
    usage = state.of_pool(("d", "p"))
    assert (usage.exclusive, usage.shared) == (frozenset({"x"}), frozenset({"y"}))
    assert usage.committed == {"y": {"m": 5 * 10**9}}
    assert [one.claim for one in state.holdings(DeviceID("d", "p", "y"))] == [A, B]
    assert state.holdings(DeviceID("d", "p", "x")) == (Holding(A),)


def test_without_the_feature_a_share_is_the_whole_device():
    state = AllocatedState(shares=False).with_claim(A, allocation(result("y", "s1")))
    assert state.of_pool(("d", "p")).exclusive == frozenset({"y"})


def test_r27_admin_access_holds_nothing():
    assert facts(AllocatedState().with_claim(A, allocation(result("x", admin=True)))) == {}


def test_a_claim_that_is_allocated_anew_lets_go_of_what_it_held():
    state = AllocatedState().with_claim(A, allocation(result("x"))).with_claim(A, allocation(result("y", pool="q")))
    assert facts(state) == facts(AllocatedState().with_claim(A, allocation(result("y", pool="q"))))


claims = st.dictionaries(
    st.sampled_from([ObjectRef("ResourceClaim", "ns", name) for name in "abcde"]),
    st.lists(
        st.builds(
            result,
            device=st.sampled_from(["x", "y", "z"]),
            share=st.sampled_from([None, "s"]),
            amount=st.integers(0, 3),
            pool=st.sampled_from(["p", "q"]),
        ),
        max_size=3,
    ),
)


@given(claims, st.data())
def test_taking_claims_away_leaves_what_the_others_hold(held, data):
    gone = data.draw(st.sets(st.sampled_from(sorted(held)))) if held else set()
    everything, kept = AllocatedState(), AllocatedState()
    for ref, results in held.items():
        everything = everything.with_claim(ref, allocation(*results))
        if ref not in gone:
            kept = kept.with_claim(ref, allocation(*results))
    before = facts(everything)
    left = everything
    for ref in sorted(gone):
        left = left.without_claim(ref)
    assert facts(left) == facts(kept)
    assert facts(everything) == before
