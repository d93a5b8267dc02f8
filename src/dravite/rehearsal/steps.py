"""What is done to a cluster from outside: objects that are applied or deleted, waiting, and parts that stop."""

from __future__ import annotations

from typing import TypeAlias

import msgspec

from dravite.api.meta import ObjectRef
from dravite.snapshot.changes import Editable


class Apply(msgspec.Struct, frozen=True, tag=True):
    """Create an object, or put another version in its place."""

    object: Editable
    owner: ObjectRef | None = None


class Delete(msgspec.Struct, frozen=True, tag=True):
    """Ask for an object to be deleted; finalizers and running containers hold it for a while."""

    object: ObjectRef


class Wait(msgspec.Struct, frozen=True, tag=True):
    """Let so many seconds pass; None until nothing changes any more."""

    seconds: float | None = None


class Scheduler(msgspec.Struct, frozen=True, tag=True):
    """The scheduler ends, or is started anew and knows nothing of what it tried before."""

    runs: bool


class Kubelets(msgspec.Struct, frozen=True, tag=True):
    """The kubelets stop, or run again: without them no pod starts and none ends."""

    run: bool


Step: TypeAlias = Apply | Delete | Wait | Scheduler | Kubelets
