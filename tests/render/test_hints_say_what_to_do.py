"""The sentence of a hint is what one must do, no more and no less."""

from __future__ import annotations

import pytest

from dravite.api.meta import DeviceID, ObjectRef
from dravite.diagnosis.reasons import ConstraintID
from dravite.explain.remedies import advice as a
from dravite.render.view.advice import hint
from dravite.render.view.sight import Sight

SELECTOR = ConstraintID(ObjectRef("ResourceClaim", "ml", "c"), "spec.devices.requests[0].exactly.selectors[0]")
CLAIMS = (ObjectRef("ResourceClaim", "ml", "c-0"), ObjectRef("ResourceClaim", "ml", "c-1"))
DEVICES = (DeviceID("gpu.example.com", "p", "gpu-0"),)
POD = ObjectRef("Pod", "ml", "web-0")
FIELD = ConstraintID(POD, "spec.containers[0].resources.requests[cpu]")


@pytest.mark.parametrize(
    ("advice", "sentence"),
    [
        (
            a.ReplaceSelector(SELECTOR, "drop", expression="a", removed="b", added=""),
            "leave `b` out of the selector (f.yaml:7): then it runs on n-1",
        ),
        (
            a.ReplaceSelector(SELECTOR, "drop", expression="", removed="b", added=""),
            "leave `b` out, which is the whole selector (f.yaml:7): then it runs on n-1",
        ),
        (
            a.FreeDevices(claims=CLAIMS[:1], pods=(POD,), devices=DEVICES),
            "end pod ml/web-0 (its claim ml/c-0 frees p/gpu-0): then it runs on n-1",
        ),
        (
            a.FreeDevices(claims=CLAIMS, pods=(POD, POD), devices=DEVICES),
            "end pods ml/web-0, ml/web-0 (their claims ml/c-0, ml/c-1 free p/gpu-0): then it runs on n-1",
        ),
        (
            a.TolerateNodeTaint(POD, "a", "", "NoExecute"),
            (
                "add the toleration {key: a, operator: Exists, effect: NoExecute} to the pod's spec.tolerations"
                " (f.yaml:7): then it runs on n-1"
            ),
        ),
        (
            a.Together(
                (
                    a.TolerateNodeTaint(POD, "a", "true", "NoSchedule"),
                    a.LowerResources(
                        FIELD, (a.LoweredAmount("cpu", "6", "4"), a.LoweredAmount("memory", "9Gi", "8Gi"))
                    ),
                )
            ),
            (
                'add the toleration {key: a, operator: Equal, value: "true", effect: NoSchedule} to the pod\'s'
                " spec.tolerations (f.yaml:7), and ask for at most 4 cpu in place of 6 and 8Gi memory in place of 9Gi"
                " (f.yaml:7): then it runs on n-1"
            ),
        ),
        (a.EndPods((POD, POD), "n-1"), "end pods ml/web-0, ml/web-0: then it runs on n-1"),
        (a.AddNodes("n-1", 2), "add 2 nodes like n-1: then it runs on n-1"),
        (a.LiftGates(POD, ("a", "b")), "remove scheduling gates a and b (f.yaml:7): then it runs on n-1"),
        (
            a.DropPodRule(ConstraintID(POD, "spec.affinity.podAntiAffinity"), "zone"),
            "leave out the pod anti-affinity over zone, and lose what it is there for (f.yaml:7): then it runs on n-1",
        ),
        (
            a.NameOtherSource(FIELD, ObjectRef("ResourceClaim", "ml", "c")),
            "write resourceClaimName: c, since that is a ResourceClaim (f.yaml:7): then it runs on n-1",
        ),
    ],
)
def test_a_hint_is_a_sentence_with_a_place(advice: a.Advice, sentence: str) -> None:
    remedy = a.Remedy(advice=advice, outcome=a.Outcome(node="n-1"))
    assert hint(remedy, Sight(where=lambda ref, path: ("f.yaml", 7))).text == sentence
