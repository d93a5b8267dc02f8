"""What quotas leave for claims that controllers make: one after the other, each charged like the ones before (5.4)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import msgspec

from dravite.admission.quotas import Counting, Quota, usage_of, why_not_quota, written_quota
from dravite.api.quantity import Quantity
from dravite.api.registry import KindInfo, lookup
from dravite.api.releases import Profile
from dravite.api.resource_v1 import DeviceClass, ResourceClaim
from dravite.snapshot.snapshot import Snapshot


class QuotaBooks(msgspec.Struct, frozen=True):
    """The quotas of a cluster with what is used of them."""

    counting: Counting
    profile: Profile

    def why_not(self, claim: ResourceClaim) -> str | None:
        """The sentence with which a quota refuses a claim, or None."""
        return why_not_quota(claim, _info(claim), self.counting, self.profile)

    def charged(self, claim: ResourceClaim) -> QuotaBooks:
        """The books once the claim is there."""
        usage = usage_of(claim, _info(claim), self.counting, self.profile)
        space = claim.metadata.namespace
        quotas = (_charged(one, usage) if one.namespace == space else one for one in self.counting.quotas)
        return QuotaBooks(msgspec.structs.replace(self.counting, quotas=tuple(quotas)), self.profile)


def books_of(snapshot: Snapshot) -> QuotaBooks:
    """The books of a snapshot."""
    classes = snapshot.classes.values()
    claims = (claim for _, claim in snapshot.claims.items())
    return open_books(snapshot.manifests.quotas, claims, classes, snapshot.profile)


def open_books(
    quotas: Sequence[Mapping[str, Any]],
    claims: Iterable[ResourceClaim],
    classes: Iterable[DeviceClass],
    profile: Profile,
) -> QuotaBooks:
    """The books of quotas as they are written. Where a quota has no status, the claims say what is used."""
    if not quotas:
        return QuotaBooks(Counting(), profile)
    names = {one.metadata.name: one.spec.extended_resource_name for one in classes if one.spec.extended_resource_name}
    bare = Counting(extended_resources=names)
    used: dict[str, dict[str, Quantity]] = {}
    for claim in claims:
        mine = used.setdefault(claim.metadata.namespace, {})
        for name, count in usage_of(claim, _info(claim), bare, profile).items():
            mine[name] = mine.get(name, Quantity.of(0)) + Quantity.of(count)
    read = (written_quota(raw, used.get(str(raw["metadata"]["namespace"]), {})) for raw in quotas)
    return QuotaBooks(msgspec.structs.replace(bare, quotas=tuple(read)), profile)


def _charged(quota: Quota, usage: Mapping[str, int]) -> Quota:
    used = {name: amount + Quantity.of(usage[name]) if name in usage else amount for name, amount in quota.used.items()}
    return msgspec.structs.replace(quota, used=used)


def _info(claim: ResourceClaim) -> KindInfo:
    info = lookup(claim.api_version, claim.kind)
    assert info is not None  # noqa: S101 (the registry has claims)
    return info
