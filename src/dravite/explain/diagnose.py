"""From a decision to what is behind it: run the failed step again and keep what the search threw away.

One function per kind of decision. Remedies come afterwards: they need all that is found here.
"""

from __future__ import annotations

import msgspec

from dravite.diagnosis.reasons import AffinityNotMatched
from dravite.diagnosis.verdicts import Aborted, AttemptError, Scheduled, Unschedulable, Waiting
from dravite.explain import notes as n
from dravite.explain.alike import like
from dravite.explain.case import Case
from dravite.explain.devices.fallbacks import fallback_stories
from dravite.explain.evidence import Evidence, evidence
from dravite.explain.explanation import Explanation
from dravite.explain.nodes.labels import unmet_labels
from dravite.explain.noticing import notes_on_no
from dravite.explain.objects.missing import drivers, missing_name
from dravite.explain.objects.quotas import counted_as_most
from dravite.explain.placed import notes_on_yes, warnings_on
from dravite.explain.selectors.failure import Failed, selector_failure


class Diagnosis(msgspec.Struct, frozen=True):
    """What was found, as far as it is told, and what only remedies need."""

    told: Explanation
    evidence: Evidence = Evidence()
    failed: Failed | None = None


def diagnose(case: Case) -> Diagnosis:
    """Everything that can be said about a decision, remedies aside."""
    match case.decision.decision:
        case Scheduled(node=node):
            return _placed(case, node)
        case Unschedulable(claim_problem=None) as no:
            return _refused(case, no)
        case Unschedulable() as no:
            return _refused_before_filters(case, no)
        case Aborted(error=error):
            return _aborted(case, error)
        case Waiting() as waits:
            return _waiting(case, waits)
        case _:
            return Diagnosis(plain(case))


def glance_at(case: Case) -> Explanation:
    """The warnings on a placed pod, and nothing else."""
    decision = case.decision.decision
    notes = warnings_on(case, decision.node) if isinstance(decision, Scheduled) else ()
    return msgspec.structs.replace(plain(case), notes=notes)


def plain(case: Case) -> Explanation:
    """The decision with nothing behind it yet."""
    return Explanation(
        decision=case.decision,
        pods=tuple(one.pod for one in like(case.plan, case.decision)),
        nodes_total=len(case.snapshot.choices),
        nodes_inferred=case.snapshot.nodes_inferred,
    )


def _placed(case: Case, node: str) -> Diagnosis:
    notes = notes_on_yes(case, node)
    return Diagnosis(msgspec.structs.replace(plain(case), notes=notes, fallbacks=fallback_stories(case, notes)))


def _refused(case: Case, no: Unschedulable) -> Diagnosis:
    found = evidence(case, no.nodes)
    selected = any(isinstance(reason, AffinityNotMatched) for f in no.nodes for reason in f.reasons)
    looked_at = [case.snapshot.state(f.node).node for f in no.nodes] if selected else []
    told = msgspec.structs.replace(
        plain(case),
        groups=found.groups,
        nearest=found.nearest,
        selectors=found.selectors,
        names=found.names,
        constraints=found.constraints,
        amounts=found.amounts,
        pools=found.pools,
        holdings=found.holdings,
        unmet=unmet_labels(case.spec, looked_at),
        notes=notes_on_no(case, found),
    )
    return Diagnosis(told, found)


def _refused_before_filters(case: Case, no: Unschedulable) -> Diagnosis:
    """A class that is missing; where no driver of its name publishes anything, the class alone would not help."""
    if no.claim_problem is None:
        return Diagnosis(plain(case))
    missing = missing_name(case.snapshot, case.spec, no.claim_problem)
    known, name = drivers(case.snapshot), missing.missing.name
    like_driver = missing.missing.kind == "DeviceClass" and "." in name and name not in known
    notes: tuple[n.Note, ...] = (n.NoSuchDriver(name, known),) if like_driver else ()
    return Diagnosis(msgspec.structs.replace(plain(case), missing=(missing,), notes=notes))


def _aborted(case: Case, error: AttemptError) -> Diagnosis:
    from dravite.explain.errors import notes_on_error, pools_behind  # few attempts end in an error

    failed = selector_failure(case, error)
    told = msgspec.structs.replace(
        plain(case),
        failure=failed.failure if failed else None,
        names=failed.names if failed else (),
        pools=pools_behind(case, error),
        notes=notes_on_error(case, error),
    )
    return Diagnosis(told, failed=failed)


def _waiting(case: Case, waits: Waiting) -> Diagnosis:
    missing = tuple(missing_name(case.snapshot, case.spec, one) for one in waits.missing)
    notes: list[n.Note] = [n.NamespaceBound(one.missing, one.elsewhere) for one in missing if one.elsewhere]
    templates = [one.missing for one in missing if one.missing.kind == "ResourceClaimTemplate"]
    notes += [n.TemplateReadOnce(template) for template in templates]
    notes += counted_as_most(case) if waits.reason == "claim-refused" else ()
    if waits.reason not in ("scheduling-gate", "other-scheduler"):
        notes.append(n.NoConditionYet(case.ref))
    return Diagnosis(msgspec.structs.replace(plain(case), missing=missing, notes=tuple(notes)))
