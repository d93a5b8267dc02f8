"""An object of an old version is held to the rules of a server that has it, and told in its own words and places."""

from __future__ import annotations

from dravite.admission.admit import admit
from dravite.api.documents import split
from dravite.api.releases import Profile, profile
from dravite.snapshot.manifests import Manifests

OLD_GROUP = """\
apiVersion: scheduling.k8s.io/v1alpha2
kind: PodGroup
metadata: {name: g}
spec:
  schedulingPolicy: {gang: {minCount: MIN}}
  podGroupTemplateRef: {workload: {workloadName: w, podGroupTemplateName: t}}
"""
WORKLOAD = """\
apiVersion: scheduling.k8s.io/v1alpha2
kind: Workload
metadata: {name: w}
spec:
  podGroupTemplates:
  - {name: t, schedulingPolicy: {gang: {minCount: 2}}}
"""
GROUP = """\
apiVersion: scheduling.k8s.io/v1beta1
kind: PodGroup
metadata: {name: g}
spec:
  schedulingPolicy: {gang: {minCount: 2}}
"""
FLAT = """\
apiVersion: resource.k8s.io/v1beta1
kind: ResourceClaim
metadata: {name: c}
spec:
  devices:
    requests:
    - name: r
      deviceClassName: gpu.example.com
      selectors:
      - cel: {expression: nonsense}
"""
GANGS = "GenericWorkload=true,GangScheduling=true"


def admitted(text: str, release: str, gates: str = "") -> Manifests:
    found = profile(release, gates)
    assert isinstance(found, Profile)
    return admit(split("m.yaml", text.encode()), found)


def errors(text: str, release: str, gates: str = "") -> list[tuple[str | None, int | None, str]]:
    problems = admitted(text, release, gates).problems
    return [(problem.field, problem.line, problem.message) for problem in problems if problem.severity == "error"]


def test_a_group_of_1_36_needs_no_disruption_mode_while_groups_are_not_preempted() -> None:
    assert errors(f"{WORKLOAD}---\n{OLD_GROUP.replace('MIN', '2')}", "1.36", GANGS) == []


def test_a_group_in_a_newer_version_is_held_to_the_rules_of_the_release() -> None:
    assert errors(GROUP, "1.36", GANGS) == []


def test_a_bad_group_of_1_36_is_told_at_the_fields_that_it_has() -> None:
    ((field, line, message),) = errors(f"{WORKLOAD}---\n{OLD_GROUP.replace('MIN', '-1')}", "1.36", GANGS)
    assert (field, line) == ("spec.schedulingPolicy.gang.minCount", 12)
    assert message.startswith("Invalid value: -1: must be greater than")


def test_a_group_of_1_36_must_come_from_a_template_that_exists() -> None:
    (alone,) = errors(OLD_GROUP.replace("MIN", "2"), "1.36", GANGS)
    assert alone[::2] == (
        "spec.podGroupTemplateRef.workload.workloadName",
        'PodGroup rejected: Workload "w" not found',
    )
    other = WORKLOAD.replace("name: t", "name: other")
    (missed,) = errors(f"{other}---\n{OLD_GROUP.replace('MIN', '2')}", "1.36", GANGS)
    assert missed[2] == 'PodGroup rejected: PodGroupTemplate "t" not found in Workload "w"'


def test_a_kind_whose_gate_is_off_is_told_and_does_no_harm() -> None:
    message = "Kubernetes 1.37 does not serve PodGroup while GenericWorkload is off"
    assert errors(GROUP, "1.37") == []
    (problem,) = (problem for problem in admitted(GROUP, "1.37").problems if problem.message == message)
    assert (problem.severity, problem.field, problem.line) == ("warning", "kind", 2)
    assert problem.hint == "--feature-gates GenericWorkload=true"
    assert all(problem.message != message for problem in admitted(GROUP, "1.37", "GenericWorkload=true").problems)


def test_a_fault_in_a_flat_request_is_found_on_its_line() -> None:
    ((field, line, _),) = errors(FLAT, "1.37")
    assert (field, line) == ("spec.devices.requests[0].exactly.selectors[0].cel.expression", 10)


def test_a_claim_of_1_31_is_refused_in_the_words_of_1_31() -> None:
    text = FLAT.replace("v1beta1", "v1alpha3").replace("- name: r", "- name: R")
    fields = {field for field, _, _ in errors(text, "1.31")}
    assert fields == {"spec.devices.requests[0].name", "spec.devices.requests[0].selectors[0].cel.expression"}
