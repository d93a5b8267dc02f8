"""What all nodes say to a pod that none of them takes, and what follows from it for every pod that asks the same.

It is worked out once and kept on the board until a node changes: a thousand pods of one template are refused as one.
"""

from __future__ import annotations

from collections import Counter

import msgspec

from dravite.diagnosis import upstream
from dravite.diagnosis.findings import NodeFinding
from dravite.diagnosis.reasons import (
    ClaimElsewhere,
    ClaimNotReady,
    ExtendedClaimStale,
    NodeRejection,
    PodAffinityViolated,
    PortTaken,
    ResourceShort,
    SpreadViolated,
)


class RefusingNodes(msgspec.Struct, frozen=True, kw_only=True, eq=False):
    """Why no node takes a pod.

    Attributes:
        findings: why each node does not, in the order of the cluster.
        text: what kube-scheduler says of them all.
        resolvable: the nodes that might take the pod once others have gone from them.
        unavailable: the names of claims that are of no use on some node.
        stale: whether the claim for the pod's extended resources is of no use on some node.
    """

    findings: tuple[NodeFinding, ...] = ()
    text: str = ""
    resolvable: tuple[str, ...] = ()
    unavailable: frozenset[str] = frozenset()
    stale: bool = False


NOBODY_ASKED = RefusingNodes()


def refusing_nodes(findings: tuple[NodeFinding, ...], release: str) -> RefusingNodes:
    """What these findings come to in a release."""
    texts = Counter(text for finding in findings for text in upstream.node_texts(finding, release))
    reasons = [reason for finding in findings for reason in finding.reasons]
    return RefusingNodes(
        findings=findings,
        text=upstream.counted(len(findings), texts),
        resolvable=tuple(one.node for one in findings if all(_may_go(reason, release) for reason in one.reasons)),
        unavailable=frozenset(one.claim.name for one in reasons if isinstance(one, ClaimElsewhere | ClaimNotReady)),
        stale=any(isinstance(one, ExtendedClaimStale) for one in reasons),
    )


def is_resolvable(reason: NodeRejection) -> bool:
    """Whether the reason could go away with pods of the node; devices are never freed that way (F2.7)."""
    match reason:
        case ResourceShort(resolvable=resolvable):
            return resolvable
        case SpreadViolated(label_missing=missing):
            return not missing
        case PodAffinityViolated(rule=rule):
            return rule != "affinity"
        case _:
            return isinstance(reason, PortTaken)


def _may_go(reason: NodeRejection, release: str) -> bool:
    """As `is_resolvable`; 1.31 also looked for victims on nodes that are too small altogether (observed on 1.31.14)."""
    return is_resolvable(reason) or (isinstance(reason, ResourceShort) and release == "1.31")
