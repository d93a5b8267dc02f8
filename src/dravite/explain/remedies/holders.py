"""Devices that could be freed: whoever holds them would have to end."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Final, NamedTuple

from dravite.api.meta import ObjectRef
from dravite.explain.case import Case, case_in
from dravite.explain.diagnose import Diagnosis
from dravite.explain.fewest import fewest
from dravite.explain.insights import Holding
from dravite.explain.remedies import advice as a
from dravite.explain.remedies.asking import takes
from dravite.explain.remedies.proposals import Proposal
from dravite.scheduler.victims import own_priority, start_of, without
from dravite.snapshot.changes import Change, RemoveObject

HOLDERS_TRIED: Final = 3
MOST_HOLDERS: Final = 16
"""Among how many holders on one node those are looked for that have to end."""


class _User(NamedTuple):
    """A claim and the pods that use it."""

    claim: ObjectRef
    pods: tuple[ObjectRef, ...]


def free_devices(case: Case, found: Diagnosis) -> Iterator[Proposal]:
    """End whoever holds devices in the way: one holder by itself, the nearest node's first; then the fewest there."""
    nearest = found.evidence.nearest.node if found.evidence.nearest is not None else None
    others = [holding for holding in found.evidence.holdings if case.ref not in holding.pods]
    holdings = sorted(others, key=lambda holding: nearest is None or holding.node != nearest)
    for user in islice(_users(holdings), HOLDERS_TRIED):
        yield _freeing((user,), holdings)
    gone = _fewest_on(case, nearest, holdings) if nearest is not None else ()
    if len(gone) > 1:
        yield _freeing(gone, holdings)


def _fewest_on(case: Case, node: str, holdings: Sequence[Holding]) -> Sequence[_User]:
    """As few and as unimportant users of devices of the node as have to end for it to take the pod."""
    there = sorted(_users([one for one in holdings if one.node == node]), key=lambda user: _importance(case, user))
    return fewest(there[-MOST_HOLDERS:], lambda some: takes(_without(case, some), node))


def _without(case: Case, users: Sequence[_User]) -> Case:
    """The case with the pods off their nodes and without what the claims hold: as much as a node has to know."""
    refs = {(ref.namespace, ref.name) for user in users for ref in user.pods}
    places = {case.snapshot.pods[key].pod.spec.node_name for key in refs if key in case.snapshot.pods}
    states = (case.snapshot.states[name] for name in sorted(places) if name in case.snapshot.states)
    snapshot = without(case.snapshot, [pod for state in states for pod in state.pods if pod.key in refs])
    return case_in(
        case.plan, case.decision, snapshot.without_claims((user.claim.namespace, user.claim.name) for user in users)
    )


def _users(holdings: Sequence[Holding]) -> Iterator[_User]:
    return iter(dict.fromkeys(_User(one.claim, one.pods) for one in holdings if one.claim is not None))


def _importance(case: Case, user: _User) -> tuple[int, str]:
    """The most important first: priority, then who has run longest; a claim that nobody uses comes last."""
    pods = [planned.pod for ref in user.pods if (planned := case.snapshot.pod(ref)) is not None]
    if not pods:
        return (2**31, "")
    return (-max(map(own_priority, pods)), min(map(start_of, pods)))


def _freeing(users: Sequence[_User], holdings: Sequence[Holding]) -> Proposal:
    """End the pods; a claim that no pod uses is deleted."""
    pods = tuple(dict.fromkeys(pod for user in users for pod in user.pods))
    claims = tuple(dict.fromkeys(user.claim for user in users))
    idle = (user.claim for user in users if not user.pods)
    changes: tuple[Change, ...] = tuple(RemoveObject(one) for one in (*pods, *idle))
    held = [one for one in holdings if (one.claim, one.pods) in users]
    advice = a.FreeDevices(pods, claims, tuple(dict.fromkeys(one.device for one in held)))
    nodes = tuple(dict.fromkeys(one.node for one in held if one.node is not None))
    return Proposal(("free",), advice, changes, nodes=nodes)
