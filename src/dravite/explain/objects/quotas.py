"""What people do not expect of quotas: what a claim is charged with that nobody has counted."""

from __future__ import annotations

from dravite.admission.quotas import MOST
from dravite.api.meta import ObjectRef
from dravite.explain.case import Case
from dravite.explain.notes import AllCountsAsMost


def counted_as_most(case: Case) -> list[AllCountsAsMost]:
    """The requests for all devices in the templates that a pod names."""
    found = []
    for entry in case.spec.spec.resource_claims:
        key = (case.ref.namespace, entry.resource_claim_template_name or "")
        template = case.snapshot.templates.get(key)
        for request in template.spec.spec.devices.requests if template is not None else ():
            wanted = (*((request.exactly,) if request.exactly else ()), *request.first_available)
            if any(one.allocation_mode == "All" for one in wanted):
                ref = ObjectRef("ResourceClaimTemplate", *key)
                found.append(AllCountsAsMost(ref, request.name, MOST))
    return found
