"""A list that is refused is named, with what the answer lacks without it; some answers are none without theirs."""

from __future__ import annotations

import pytest
import yaml

from dravite.live.wanted import COMMANDS, rights_of
from dravite.render.view.live import lacks
from tests.console_blocks import run
from tests.live.conftest import Ask, document
from tests.live.server import EXAMPLES, PLURALS, ApiServer


def test_the_answer_says_what_it_lacks(ask: Ask, api: ApiServer) -> None:
    api.forbidden = {"nodes", "jobs"}
    told, code = ask("plan --live -A -o json")
    nodes, jobs = [note for note in document(told)["notes"] if "not yours to list" in note]
    assert nodes.startswith('nodes are not yours to list (nodes is forbidden: User "me" cannot list it): nodes that')
    assert jobs == "jobs.batch are not yours to list: pods that they are still to make are not planned."
    assert code == 1


@pytest.mark.parametrize("plural", ["resourceslices", "deviceclasses", "resourceclaims"])
def test_without_devices_and_claims_there_is_no_answer(ask: Ask, api: ApiServer, plural: str) -> None:
    api.forbidden = {plural}
    told, code = ask("plan --live -A")
    assert told.startswith(f"error: no answer without {plural}.resource.k8s.io")
    assert "hint: `dravite rbac plan` prints the rights" in told
    assert code == 3


@pytest.mark.parametrize("command", ["lint", "snapshot"])
def test_without_any_list_there_is_no_answer(ask: Ask, api: ApiServer, command: str) -> None:
    api.forbidden = {plural for _, plural, _ in PLURALS.values()}
    told, code = ask(f"{command} --live")
    assert 'lists nothing: nodes is forbidden: User "me" cannot list it\n' in told
    assert f"hint: `dravite rbac {command}` prints the rights" in told
    assert code == 3


def test_what_could_not_be_read_is_not_said_to_be_missing(ask: Ask, api: ApiServer) -> None:
    job = "lint --live examples/jobs/train-big.yaml"
    api.objects["ResourceClaimTemplate"].clear()
    assert "there is no ResourceClaimTemplate four-big-gpus" in ask(job)[0]
    api.forbidden = {"resourceclaimtemplates"}
    told, code = ask(job)
    assert "there is no ResourceClaimTemplate" not in told
    assert "resourceclaimtemplates.resource.k8s.io are not yours to list" in told
    assert code == 0


def test_one_namespace_is_read_where_all_are_refused(ask: Ask, api: ApiServer) -> None:
    api.forbidden, api.only_in = {"pods", "resourceclaims", "jobs"}, {"ml"}
    told, code = ask("plan --live -n ml -o json")
    (note,) = document(told)["notes"]
    assert note == (
        "pods, resourceclaims.resource.k8s.io and jobs.batch could be listed in namespace ml only: what runs and waits"
        " elsewhere is not counted, so nodes may look freer than they are and devices that claims elsewhere hold look"
        " free."
    )
    assert {pod["namespace"] for pod in document(told)["pods"]} == {"ml"}
    assert code == 0, "the device that somebody holds in another namespace looks free"


def test_an_answer_is_no_surer_than_what_could_be_read(ask: Ask, api: ApiServer) -> None:
    assert "Certain: every node was searched to the end." in ask("explain --live -n ml pod/train-big")[0]
    api.forbidden = {"nodes"}
    told, _ = ask("explain --live -n ml pod/train-big")
    assert "As certain as what could be read: every node was searched to the end." in told


def test_nothing_is_narrowed_where_all_namespaces_are_asked_about(ask: Ask, api: ApiServer) -> None:
    api.forbidden, api.only_in = {"resourceclaims"}, {"ml"}
    assert ask("plan --live -A")[1] == 3


@pytest.mark.parametrize("command", COMMANDS)
def test_a_role_lists_what_a_command_reads_and_nothing_else(ask: Ask, api: ApiServer, command: str) -> None:
    role = yaml.safe_load(run(f"dravite rbac {command}", EXAMPLES)[0])
    assert {verb for rule in role["rules"] for verb in rule["verbs"]} == {"list"}
    allowed = {name for rule in role["rules"] for name in rule["resources"]}
    subject = {"explain": " -n ml pod/train-big", "what-if": " --cordon gpu-01"}.get(command, "")
    ask(f"{command} --live{subject}")
    read = {one.resource for one in api.asked if "limit" in one.query and one.query["limit"] != "1"}
    served = {row for row in allowed if row in _served(api)}
    assert read == served


def _served(api: ApiServer) -> set[str]:
    from tests.live.server import PLURALS

    return {PLURALS[kind][1] for kind in api.kinds}


def test_watching_takes_the_right_to_watch(ask: Ask) -> None:
    role = yaml.safe_load(run("dravite rbac plan --watch", EXAMPLES)[0])
    assert {tuple(rule["verbs"]) for rule in role["rules"]} == {("list", "watch")}


def test_one_namespace_can_be_allowed_alone(ask: Ask) -> None:
    text = run("dravite rbac explain -n ml", EXAMPLES)[0]
    outside, inside = yaml.safe_load_all(text)
    assert (outside["kind"], inside["kind"], inside["metadata"]["namespace"]) == ("ClusterRole", "Role", "ml")
    assert {"nodes", "namespaces"} <= {name for rule in outside["rules"] for name in rule["resources"]}
    assert {"pods", "events"} <= {name for rule in inside["rules"] for name in rule["resources"]}


def test_every_list_has_a_sentence_for_its_lack() -> None:
    default = lacks("nothing-of-that-name")
    plurals = {one.plural for command in COMMANDS for one in rights_of(command)} - {"events"}
    assert [plural for plural in sorted(plurals) if lacks(plural) == default] == []


def test_a_command_that_asks_no_cluster_has_no_role() -> None:
    told, code = run("dravite rbac convert", EXAMPLES)
    assert told.startswith("error: rbac takes one command that asks a cluster: plan, explain")
    assert code == 2
