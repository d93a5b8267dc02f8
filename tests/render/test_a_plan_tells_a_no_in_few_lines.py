"""The few lines below an answer in a plan: what each node says, and equal things once."""

from __future__ import annotations

from dravite.api.core_v1 import Taint
from dravite.api.meta import ObjectRef
from dravite.diagnosis.verdicts import AttemptError
from dravite.render.view.answers import brief, certainty
from dravite.render.view.evidence import evidence
from dravite.render.view.headlines import ended_by, headline
from dravite.render.view.sight import Sight
from tests.clusters import node, pod
from tests.explain.worlds import gpu, gpus, held, match, published, running, template, told, waiting, wants


def test_nodes_that_say_the_same_share_a_line() -> None:
    found = told(
        published("n1", gpu(0)),
        published("n2", *gpus(2), driver="nic.example.com"),
        published("n3", *gpus(3), driver="nic.example.com"),
        template("t", wants(count=2)),
        waiting(),
    )
    assert brief(found, Sight()) == (
        "n1: request gpu: the only device will do, 2 needed",
        "n2, n3: request gpu: no device there",
    )


def test_what_is_told_of_one_node_of_many_says_which() -> None:
    here = [
        one
        for n in ("n1", "n2")
        for one in (published(n, gpu(0)), held(f"c-{n}", n, "gpu-0", by=n), running(n, n, a=f"c-{n}"))
    ]
    found = told(*here, template("t", wants()), waiting())
    assert brief(found, Sight()) == ("n1, n2: request gpu: gpu-0 in use by claim default/c-n1 (n1)",)


def test_a_headline_counts_the_nodes_that_it_does_not_name() -> None:
    broken = Taint(key="broken", effect="NoSchedule")
    nodes = [node(f"n-{number:02}", taints=[broken]) for number in range(12)]
    assert headline(told(*nodes, pod("p")), Sight()).startswith(
        "default/p cannot be scheduled: none of 12 nodes takes it: n-00 to n-07 and 4 more: node taint broken:"
    )


def test_devices_that_will_do_by_themselves_are_no_answer() -> None:
    constraint = match("gpu.example.com/numa", "gpu")
    devices = (gpu(0, numa=0), gpu(1, numa=1))
    found = told(published("n1", *devices), template("t", wants(count=2), constraints=[constraint]), waiting())
    assert brief(found, Sight()) == ("n1: request gpu: all 2 will do, but not together",)


def test_whose_amounts_are_told_where_those_of_others_differ() -> None:
    def said(*sizes: str) -> str:
        nodes = [node(f"n-{number}", cpu=cpu) for number, cpu in enumerate(sizes)]
        return headline(told(*nodes, pod("p", "9")), Sight()).removeprefix("default/p cannot be scheduled: ")

    assert said("4", "8") == "none of 2 nodes takes it: n-0, n-1: cpu: 9 requested, 0 of 4 used (n-0)."
    assert said("4", "4") == "none of 2 nodes takes it: n-0, n-1: cpu: 9 requested, 0 of 4 used."


def test_long_lists_of_values_are_counted() -> None:
    nodes = [node(f"n-{number}") for number in range(9)]
    found = told(*nodes, pod("p", node_selector={"kubernetes.io/hostname": "m"}))
    (row,) = next(block for block in evidence(found, Sight()) if block.title.startswith("The pod's")).rows
    assert row.cells[1].endswith("'n-4' on 1, 'n-5' on 1 and other values on 3)")


def test_a_claim_that_takes_no_more_pods_is_told_with_the_servers_reason() -> None:
    fault = "status.reservedFor: Too many: 257: must have at most 256 items"
    message = f'add reservation to claim ml/one: ResourceClaim.resource.k8s.io "one" is invalid: {fault}'
    error = AttemptError(kind="reservation", message=message, claim=ObjectRef("ResourceClaim", "ml", "one"))
    assert ended_by(error) == f"claim ml/one cannot be reserved for it: {fault}"


def test_nodes_that_are_as_good_are_told_once() -> None:
    found = told(published("n1", gpu(0)), published("n2", gpu(0)), template("t", wants()), waiting())
    assert certainty(found) == "n2 is as good: Kubernetes leaves it to chance, and --seed takes another."
    assert [block.title for block in evidence(found, Sight())] == ["It gets:"]
