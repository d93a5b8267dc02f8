"""Pods that are placed, and what somebody should know all the same."""

import msgspec
import pytest

from dravite.api.meta import DeviceID, ObjectRef
from dravite.api.node_selector import NodeSelector, NodeSelectorRequirement, NodeSelectorTerm
from dravite.diagnosis.verdicts import Scheduled
from dravite.explain import explain, glance
from dravite.explain.notes import (
    AllTakesReachable,
    AttributeDiffers,
    FellThrough,
    TakesWholeDevice,
    ToleratedButEvicted,
    TwoBooks,
)
from dravite.explain.remedies.advice import LowerCapacity, MatchAttribute, SetTolerationEffect
from tests.clusters import DRIVER, device_class, node, pod
from tests.explain.worlds import (
    ATTRIBUTES,
    first_of,
    gpu,
    gpus,
    held,
    match,
    plan_of,
    published,
    running,
    shared,
    tainted,
    template,
    told,
    tolerates,
    waiting,
    wants,
)

CARDS = (gpu(0, parent=0), gpu(1, parent=1), gpu(2, parent=0), gpu(3, parent=1))


def test_first_fit_does_not_prefer_devices_that_belong_together():
    found = told(published("n1", *CARDS), template("t", wants(count=2)), waiting())
    (note,) = found.notes
    assert isinstance(note, AttributeDiffers)
    assert note.attribute == f"{DRIVER}/parent"
    assert [value for value, _ in note.values] == ["0", "1"]
    (remedy,) = found.remedies
    assert remedy.advice == MatchAttribute(note.claim, f"{DRIVER}/parent", "0")
    devices = [result.device for result in remedy.outcome.claims[0].allocation.devices.results]
    assert devices == ["gpu-0", "gpu-2"]


def test_attributes_that_cannot_be_alike_are_no_matter():
    found = told(published("n1", *CARDS), template("t", wants(count=3)), waiting())
    assert isinstance(found.decision.decision, Scheduled)
    assert found.notes == ()


def test_devices_that_were_asked_to_match_are_no_matter():
    constraint = match(f"{DRIVER}/parent")
    assert told(published("n1", *CARDS), template("t", wants(count=2), constraints=[constraint]), waiting()).notes == ()


def test_an_alternative_that_was_passed_over_is_told_with_what_it_found():
    found = told(
        published("n1", *gpus(2, model="H100")),
        published("n2", *gpus(2, model="A100")),
        held("taken", "n1", "gpu-0", "gpu-1", by="other"),
        running("other", "n1", a="taken"),
        template(
            "t",
            first_of("gpu", big=(f'{ATTRIBUTES}.model == "H100"', {}), small=(f'{ATTRIBUTES}.model == "A100"', {})),
        ),
        waiting(),
    )
    assert FellThrough("gpu", "gpu/small", ("gpu/big",)) in found.notes
    (story,) = found.fallbacks
    assert (story.node, story.requests[0].request, story.requests[0].eligible) == ("n1", "gpu/big", 0)
    assert story.requests[0].refusals[0].reason.holder == ObjectRef("ResourceClaim", "default", "taken")


def test_all_takes_what_the_chosen_node_reaches():
    def network(name, host):
        hostname = NodeSelectorRequirement(key="kubernetes.io/hostname", operator="In", values=(host,))
        selector = NodeSelector(node_selector_terms=(NodeSelectorTerm(match_expressions=(hostname,)),))
        one = published("unused", *gpus(2), pool=name, name=name)
        return msgspec.structs.replace(
            one, spec=msgspec.structs.replace(one.spec, node_name=None, node_selector=selector)
        )

    found = told(
        node("n1"), node("n2"), network("a", "n1"), network("b", "n2"), template("t", wants(all_of=True)), waiting()
    )
    assert found.notes == (AllTakesReachable("gpu", "n1", 2, ("a",), 2),)


@pytest.mark.parametrize(("effect", "told_so"), [("", True), ("NoExecute", False)])
def test_eviction_counts_only_tolerations_that_say_no_execute(effect, told_so):
    found = told(
        published("n1", tainted(gpu(0), "broken", "NoExecute")),
        template("t", wants(tolerations=(tolerates("broken", effect),))),
        waiting(),
    )
    warned = [note for note in found.notes if isinstance(note, ToleratedButEvicted)]
    assert bool(warned) is told_so
    assert [type(remedy.advice) for remedy in found.remedies] == ([SetTolerationEffect] if told_so else [])
    if told_so:
        assert warned[0].toleration.path == "spec.spec.devices.requests[0].exactly.tolerations[0]"


@pytest.mark.parametrize(("times", "shortest"), [((300,), 300), ((300, 60), 60), ((-5,), 0), ((300, None), None)])
def test_a_toleration_holds_as_long_as_the_shortest_says(times, shortest):
    tolerations = tuple(
        msgspec.structs.replace(tolerates("broken", "NoExecute"), toleration_seconds=seconds) for seconds in times
    )
    found = told(
        published("n1", tainted(gpu(0), "broken", "NoExecute")),
        template("t", wants(tolerations=tolerations)),
        waiting(),
    )
    assert [note.seconds for note in found.notes] == ([] if shortest is None else [shortest])


def test_a_device_plugin_beside_a_driver_is_a_warning():
    host = node("n1", **{"gpu.example.com/card": "2"})
    objects = (host, published("n1", *gpus(2)), template("t", wants()), waiting())
    (note,) = told(*objects).notes
    assert isinstance(note, TwoBooks)
    assert (note.node, note.resource, note.driver, note.devices, note.taken) == (
        "n1",
        "gpu.example.com/card",
        DRIVER,
        2,
        0,
    )
    assert note.allocated_now == (DeviceID(DRIVER, "n1", "gpu-0"),)
    assert glance(plan_of(*objects), ObjectRef("Pod", "default", "p")).notes == (note,)


def test_a_glance_tells_no_more_than_the_warnings():
    plan = plan_of(published("n1", *CARDS), template("t", wants(count=2)), waiting())
    assert glance(plan, ObjectRef("Pod", "default", "p")).notes == ()


def test_a_glance_at_a_no_leaves_only_the_remedies_out():
    plan = plan_of(published("n1", *gpus(1)), template("t", wants(count=2)), waiting())
    ref = ObjectRef("Pod", "default", "p")
    whole = explain(plan, ref)
    assert whole.remedies
    assert glance(plan, ref) == msgspec.structs.replace(whole, remedies=())


def test_a_pod_that_the_plan_does_not_know_is_a_broken_question():
    plan = plan_of(published("n1"), pod("other"), device_class("x"))
    with pytest.raises(LookupError, match="no decision"):
        explain(plan, ObjectRef("Pod", "default", "p"))


def test_a_request_without_an_amount_takes_a_whole_device_that_others_could_share():
    device, asked = published("n1", shared(gpu(0, memory="24Gi"))), template("t", wants())
    (note,) = told(device, asked, waiting()).notes
    assert note == TakesWholeDevice("gpu", ObjectRef("ResourceClaimTemplate", "default", "t"), ("memory",))
    assert told(device, template("t", wants(memory="4Gi")), waiting()).notes == ()
    assert told(published("n1", gpu(0)), asked, waiting()).notes == ()


def test_so_the_next_pod_is_told_who_has_the_whole_device():
    device = published("n1", shared(gpu(0, memory="24Gi")))
    objects = (device, template("whole", wants()), template("t", wants(memory="4Gi")))
    found = told(*objects, waiting("first", template="whole"), waiting())
    (note,) = (one for one in found.notes if isinstance(one, TakesWholeDevice))
    assert (note.request, note.claim.kind, note.capacities) == ("gpu", "ResourceClaim", ("memory",))


def test_a_pod_that_wants_a_whole_device_is_told_what_is_left_of_it():
    device = published("n1", shared(gpu(0, memory="24Gi")))
    objects = (device, template("part", wants(memory="4Gi")), template("t", wants()))
    found = told(*objects, waiting("first", template="part"), waiting())
    assert TakesWholeDevice("gpu", ObjectRef("ResourceClaimTemplate", "default", "t"), ("memory",)) in found.notes
    (lower,) = [one.advice for one in found.remedies if isinstance(one.advice, LowerCapacity)]
    assert (lower.asked, lower.possible, lower.implied) == ("24Gi", "20Gi", True)
