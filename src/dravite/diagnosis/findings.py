"""What was found where: per node, per request, and the demands that cannot hold together."""

from __future__ import annotations

from typing import Literal

import msgspec

from dravite.api.meta import ObjectRef
from dravite.diagnosis.reasons import ConstraintID, NodeRejection


class NodeFinding(msgspec.Struct, frozen=True):
    """Why one node was ruled out: every reason the first failing filter gives (several for resources)."""

    node: str
    reasons: tuple[NodeRejection, ...]


class PlacementFinding(msgspec.Struct, frozen=True, kw_only=True):
    """What came of a group on the nodes of one placement.

    Attributes:
        domain: their value of the topology label; empty where the group has no constraint.
        nodes: how many nodes there are.
        placed: the pods that found a place, each with its node.
        needed: how many had to, those that run already not counted.
        refused: the first pod that found none, or None where pods were not tried.
        reasons: why each node refused it.
        message: what kube-scheduler says of the placement, word for word.
    """

    domain: str
    nodes: int
    placed: tuple[tuple[ObjectRef, str], ...] = ()
    needed: int = 0
    refused: ObjectRef | None = None
    reasons: tuple[NodeFinding, ...] = ()
    message: str = ""


class PoolFinding(msgspec.Struct, frozen=True):
    """A pool from which no device can be taken.

    Attributes:
        state: `incomplete`, `invalid` or `obsolete`.
        slices_seen, slices_expected: for an incomplete pool.
        detail: for an invalid pool, what is wrong, in a form `render` can phrase: `duplicate-device:NAME`,
            `duplicate-counter-set:NAME`, `unknown-counter-set:DEVICE:SET`, `unknown-counter:DEVICE:SET:COUNTER`.
    """

    driver: str
    pool: str
    generation: int
    state: Literal["incomplete", "invalid", "obsolete"]
    slices_seen: int = 0
    slices_expected: int = 0
    detail: str = ""


class Clash(msgspec.Struct, frozen=True):
    """A minimal set of demands that cannot hold together: drop any one and the rest can."""

    core: tuple[ConstraintID, ...]


class MissingObject(msgspec.Struct, frozen=True):
    """An object that is named and is not there; `field` is where `named_by` names it, `near` a close name."""

    named_by: ObjectRef
    field: str
    missing: ObjectRef
    near: str | None = None
