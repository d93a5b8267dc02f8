"""Rules about Namespace: nothing but its metadata plays a part."""

from __future__ import annotations

from dravite.api.core_v1 import Namespace
from dravite.api.releases import Profile
from dravite.validation.faults import Faults
from dravite.validation.metadata import Kept, metadata


def namespace(item: Namespace, profile: Profile) -> Faults:
    """A Namespace that is created."""
    return metadata(item.metadata, profile, Kept.CLUSTER)
