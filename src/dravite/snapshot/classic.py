"""What 1.31 knew of drivers with a controller in the control plane, beside the snapshot's claims and classes (A6).

Later releases have no words for it: the claims of a snapshot are theirs. Nothing is decided here.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeAlias, TypeVar

import msgspec

from dravite.api.node_selector import NodeSelector

V = TypeVar("V")

Key: TypeAlias = tuple[str, str]
"""Namespace and name, of a claim or of a pod."""


class Control(msgspec.Struct, frozen=True):
    """Who has a claim in hand.

    Attributes:
        controller: the driver that is to allocate it; empty for the scheduler.
        allocated_by: the driver that has allocated it and must deallocate it; empty for the scheduler.
        is_to_be_freed: whether that driver is asked to deallocate it.
    """

    controller: str = ""
    allocated_by: str = ""
    is_to_be_freed: bool = False


class Talk(msgspec.Struct, frozen=True):
    """A PodSchedulingContext: how scheduler and drivers agree on a node.

    Attributes:
        owner: the uid of the pod that controls it; empty where none does.
        uid: its own; empty for one that the scheduler has just made.
        selected: the node that the scheduler has in mind; empty for none.
        potential: the nodes of which drivers are to say whether they will do.
        unsuitable: what drivers said, by entry of the pod; an empty answer is one.
    """

    owner: str
    uid: str = ""
    selected: str = ""
    potential: tuple[str, ...] = ()
    unsuitable: Mapping[str, tuple[str, ...]] = {}


class Classic(msgspec.Struct, frozen=True):
    """All of it.

    Attributes:
        is_on: whether drivers with a controller may be used.
        claims: by key; those that are not there are the scheduler's.
        talks: by the key of the pod.
        suitable: the nodes to which device classes restrict such claims, by the name of the class.
    """

    is_on: bool = True
    claims: Mapping[Key, Control] = {}
    talks: Mapping[Key, Talk] = {}
    suitable: Mapping[str, NodeSelector] = {}

    def control(self, claim: Key) -> Control:
        """Who has a claim in hand."""
        return self.claims.get(claim, _SCHEDULER)

    def with_control(self, claim: Key, control: Control | None) -> Classic:
        """The same with a claim in other hands; None for a claim that is gone."""
        return msgspec.structs.replace(self, claims=_changed(self.claims, claim, control))

    def with_talk(self, pod: Key, talk: Talk | None) -> Classic:
        """The same with what is now said about a pod; None for nothing any more."""
        return msgspec.structs.replace(self, talks=_changed(self.talks, pod, talk))

    def with_nodes(self, device_class: str, nodes: NodeSelector | None) -> Classic:
        """The same with other nodes for a class; None for all."""
        others = {name: one for name, one in self.suitable.items() if name != device_class}
        return msgspec.structs.replace(self, suitable=others if nodes is None else {**others, device_class: nodes})


_SCHEDULER = Control()


def _changed(before: Mapping[Key, V], key: Key, value: V | None) -> Mapping[Key, V]:
    others = {name: one for name, one in before.items() if name != key}
    return {**others, key: value} if value is not None else others
