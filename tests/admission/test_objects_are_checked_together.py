"""What needs other objects in sight: admin access, counters, pools, devices that are gone."""

from __future__ import annotations

import pytest

from tests.admission.test_objects_become_manifests import CLAIM, admitted, told

ADMIN = CLAIM.replace("gpu.example.com}", "gpu.example.com, adminAccess: true}")
NAMESPACE = "apiVersion: v1\nkind: Namespace\nmetadata: {{name: default, labels: {{{label}}}}}\n"
SLICE = """\
apiVersion: resource.k8s.io/v1
kind: ResourceSlice
metadata: {{name: {name}}}
spec:
  driver: gpu.example.com
  nodeName: n1
  pool: {{name: n1, generation: 1, resourceSliceCount: {count}}}
{content}"""
DEVICES = """\
  devices:
  - name: d
    consumesCounters:
    - counterSet: memory
      counters: {size: {value: 1}}
"""
COUNTERS = "  sharedCounters: [{name: memory, counters: {size: {value: 4}}}]\n"


@pytest.mark.parametrize(
    ("label", "release", "wanted"),
    [
        ("resource.kubernetes.io/admin-access: 'true'", "1.37", []),
        ("resource.kubernetes.io/admin-access: 'True'", "1.37", ["FieldValueForbidden"]),
        ("a: b", "1.37", ["FieldValueForbidden"]),
        ("resource.k8s.io/admin-access: 'true'", "1.33", []),
    ],
)
def test_admin_access_needs_the_label_of_the_release(label: str, release: str, wanted: list[str]) -> None:
    gates = "DRAAdminAccess=true" if release == "1.33" else ""
    manifests = admitted(NAMESPACE.format(label=label), ADMIN, release=release, gates=gates)
    assert [p.type for p in manifests.problems if p.type != "version-not-served"] == wanted
    assert len(manifests.claims) == (0 if wanted else 1)


def test_admin_access_in_a_namespace_that_was_not_given_is_left_open() -> None:
    manifests = admitted(ADMIN)
    assert told(manifests) == [("info", "admin-access-unchecked", "metadata.namespace", 3)]
    assert len(manifests.claims) == 1


def test_p_14_a_counter_set_that_nobody_publishes_is_told() -> None:
    manifests = admitted(SLICE.format(name="a", count=1, content=DEVICES))
    path = "spec.devices[0].consumesCounters[0].counterSet"
    assert told(manifests) == [("warning", "counter-set-not-published", path, 11)]
    assert len(manifests.slices) == 1


def test_a_pool_with_all_its_slices_is_fine() -> None:
    both = [SLICE.format(name="a", count=2, content=DEVICES), SLICE.format(name="b", count=2, content=COUNTERS)]
    assert admitted(*both).problems == ()
    assert [p.type for p in admitted(both[0]).problems] == ["pool-incomplete", "counter-set-not-published"]


def test_a_counter_that_its_set_does_not_have_is_told() -> None:
    wrong = DEVICES.replace("size", "sise")
    both = [SLICE.format(name="a", count=2, content=wrong), SLICE.format(name="b", count=2, content=COUNTERS)]
    assert [p.type for p in admitted(*both).problems] == ["counter-not-published"]


def test_a_claim_on_a_device_that_is_gone_is_told() -> None:
    status = "status: {allocation: {devices: {results: [{request: r, driver: d, pool: p, device: x}]}}}\n"
    manifests = admitted(CLAIM + status)
    assert told(manifests) == [
        ("warning", "allocated-device-not-published", "status.allocation.devices.results[0].device", 9)
    ]
    assert "d/p/x" in manifests.problems[0].message


@pytest.mark.parametrize(
    ("text", "hint"),
    [
        ("5 GiB", "write 5Gi"),
        ("6GB", "write 6G"),
        ("1K", "write 1k"),
        ("4gi", "write 4Gi"),
        ("2 Gib", "write 2Gi"),
        ("1,5Gi", "write 1.5Gi"),
        ("ten", None),
    ],
)
def test_a_quantity_is_mended_where_it_is_clear_what_was_meant(text: str, hint: str | None) -> None:
    content = f"  devices: [{{name: d, capacity: {{m: {{value: '{text}'}}}}}}]\n"
    (problem,) = admitted(SLICE.format(name="a", count=1, content=content)).problems
    assert (problem.field, problem.line, problem.hint) == ("spec.devices[0].capacity[m].value", 8, hint)


@pytest.mark.parametrize(
    ("selector", "hint"),
    [
        (
            'device.capacity["a.com"].memory >= quantity("40Gi")',
            'write device.capacity["a.com"].memory.compareTo(quantity("40Gi")) >= 0',
        ),
        (
            'device.capacity["memory"].compareTo(quantity("40Gi")) >= 0',
            'the first key is a domain, such as the driver: device.capacity["gpu.example.com"].memory',
        ),
        (
            'device.name == "gpu-0"',
            "a selector sees driver, attributes, capacity and allowMultipleAllocations of a device, and nothing else",
        ),
        ("device.driver ==", None),
    ],
)
def test_a_selector_is_mended_where_it_is_clear_what_was_meant(selector: str, hint: str | None) -> None:
    selectors = f"gpu.example.com, selectors: [{{cel: {{expression: '{selector}'}}}}]}}"
    (problem,) = admitted(CLAIM.replace("gpu.example.com}", selectors)).problems
    assert (problem.type, problem.hint) == ("FieldValueInvalid", hint)


def test_a_name_inside_a_claim_is_mended_where_it_is_clear_what_was_meant() -> None:
    alternatives = "firstAvailable: [{name: big, deviceClassName: gpu}, {name: small, deviceClassName: gpu}]"
    claim = CLAIM.replace("exactly: {deviceClassName: gpu.example.com}", alternatives)
    constraint = "    constraints: [{requests: [big, r/smal], matchAttribute: numa}]\n"
    assert [problem.hint for problem in admitted(claim + constraint).problems] == [
        'did you mean "r/big"?',
        'did you mean "r/small"?',
        "write its domain in front, such as the driver: gpu.example.com/numa",
    ]


def test_shapes_of_other_versions_are_told_with_what_they_became() -> None:
    (both,) = admitted(SLICE.format(name="a", count=1, content=DEVICES + COUNTERS)).problems
    assert both.hint == "since 1.35 counter sets stand in a slice of their own, which resourceSliceCount counts"
    unknown = next(
        one for one in admitted(CLAIM.replace("/v1\n", "/v1beta1\n")).problems if one.type == "unknown-field"
    )
    assert unknown.hint == (
        "what stands in it stands directly in the request here; or write apiVersion: resource.k8s.io/v1"
    )


@pytest.mark.parametrize(
    ("text", "hint"),
    [
        ("containers: [{name: c, resources: {claims: [gpu]}}]", "write name: gpu"),
        (
            "containers: [{name: c, resources: {limits: {claims: [{name: gpu}]}}}]",
            "claims stands beside limits and requests, in resources",
        ),
    ],
)
def test_claims_of_containers_are_told_where_and_how_they_stand(text: str, hint: str) -> None:
    found = admitted(f"apiVersion: v1\nkind: Pod\nmetadata: {{name: p}}\nspec: {{{text}}}\n").problems
    assert hint in [problem.hint for problem in found]


def test_a_selector_without_its_expression_is_told_how_it_is_written() -> None:
    exactly = "gpu.example.com, selectors: [{cel: 'true'}]}"
    (problem,) = admitted(CLAIM.replace("gpu.example.com}", exactly)).problems
    assert problem.hint == "write expression: in front, inside of cel"


def test_a_number_where_text_is_wanted_gets_its_remedy() -> None:
    (problem,) = admitted(CLAIM.replace("{name: c}", "{name: c, labels: {a: 5}}")).problems
    assert problem.hint == 'put it in quotes: "5"'
    (problem,) = admitted(CLAIM.replace("{name: c}", "{name: c, labels: {a: no}}")).problems
    assert "quotes" in (problem.hint or "")


def test_a_bad_key_is_shown_on_its_own_line_with_the_item_that_holds_it() -> None:
    content = "  devices:\n  - name: d\n    attributes:\n      numa-0: {int: 1}\n      other-1: {int: 1}\n"
    first, second = admitted(SLICE.format(name="a", count=1, content=content)).problems
    assert (first.line, second.line) == (11, 12)
    assert first.message.endswith("(devices[0] is d)")
    assert (first.hint, second.hint) == ("write numa_0", "write other_1")
