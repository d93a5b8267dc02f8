"""What the controllers bring about before the scheduler looks: the state in which a cluster comes to rest."""

from __future__ import annotations

from dravite.lifecycle.claim_templates import make_claims
from dravite.lifecycle.group_claims import make_group_claims
from dravite.lifecycle.reservations import release_claims, reserve_for_bound_pods
from dravite.snapshot.snapshot import Snapshot


def settle(snapshot: Snapshot) -> Snapshot:
    """The snapshot once the claim controller has caught up: releases, reservations, then claims from templates."""
    return make_claims(make_group_claims(reserve_for_bound_pods(release_claims(snapshot))))
