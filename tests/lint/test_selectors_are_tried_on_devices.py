"""Selectors, constraints and amounts on the devices of the surroundings and of the folder."""

from __future__ import annotations

import pytest

from tests.lint.manifests import CLASS, codes, joined, problems, resource_slice, template, the

DEVICES = """\
  - name: gpu-0
    attributes:
      model: {string: A100}
      resource.kubernetes.io/pcieRoot: {string: pci0}
      driverVersion: {version: 1.2.3}
    capacity: {memory: {value: 40Gi}}
  - name: gpu-1
    attributes:
      model: {string: A100}
      resource.kubernetes.io/pcieRoot: {string: pci0}
      driverVersion: {version: 1.2.3}
      mig: {bool: true}
    capacity: {memory: {value: 80Gi}}
"""
CLUSTER = joined(CLASS, resource_slice(DEVICES))
GPU = 'device.attributes["gpu.example.com"]'


def asking(expression: str, more: str = "") -> str:
    return template(f"selectors: [{{cel: {{expression: '{expression}'}}}}]", more=more)


def test_without_devices_nothing_is_said() -> None:
    assert codes(joined(CLASS, asking(f'{GPU}.nothing == "A"'))) == []


def test_devices_of_another_folder_are_another_cluster() -> None:
    files = {"a/claims.yaml": joined(CLASS, asking(f'{GPU}.model == "H100"')), "b/slices.yaml": resource_slice(DEVICES)}
    assert codes(files) == []
    assert codes({name.replace("b/", "a/"): text for name, text in files.items()}) == ["selector-matches-nothing"]


def test_selectors_that_refuse_everything_are_told_with_what_is_published() -> None:
    found = problems(asking(f'{GPU}.model == "A1OO"'), CLUSTER)
    assert the("selector-matches-nothing", found).message == (
        'the selectors of request gpu refuse all 2 devices of class gpu.example.com, whose model is "A100"'
    )


def test_a_class_without_devices_is_told_at_the_class_and_at_requests() -> None:
    other = CLASS.replace('device.driver == "gpu.example.com"', 'device.driver == "tpu.example.com"')
    found = problems(joined(other, template(), resource_slice(DEVICES)))
    assert [(one.type, one.field) for one in found] == [
        ("class-matches-nothing", "spec.selectors"),
        ("class-matches-nothing", "spec.spec.devices.requests[0].exactly.deviceClassName"),
    ]
    assert found[0].message == (
        "no device is of class gpu.example.com: its selectors refuse all 2 devices given, whose driver is"
        ' "gpu.example.com"'
    )


def test_an_error_on_some_devices_is_told_with_the_first_of_them() -> None:
    failing = the("selector-fails", problems(asking(f"{GPU}.mig"), CLUSTER))
    assert failing.message == (
        "the selector fails on 1 of the 2 devices that reach it, first on gpu.example.com/n1/gpu-0: no such key: mig; "
        "one such device ends the attempt for every node"
    )
    assert failing.hint == "test for presence first, with `in`, has() or the optional `?` syntax"


def test_a_domain_without_brackets_compiles_and_fails_and_is_mended() -> None:
    failing = the("selector-fails", problems(asking('device.attributes.gpu.example.com.model == "A100"'), CLUSTER))
    assert failing.hint == f'write {GPU}.model == "A100"'


def test_a_version_compared_with_a_text_is_explained() -> None:
    failing = the("selector-fails", problems(asking(f'{GPU}.driverVersion >= "1.0.0"'), CLUSTER))
    assert "no such overload: _>=_ (driverVersion is a version)" in failing.message
    assert failing.hint is not None
    assert "semver" in failing.hint


def test_a_name_that_nobody_publishes_is_told_with_the_place_of_the_value() -> None:
    found = problems(asking(f"{GPU}.memory > 1"), CLUSTER)
    unpublished = the("attribute-not-published", found)
    assert unpublished.message == "none of the 2 devices that can be meant has the attribute gpu.example.com/memory"
    assert unpublished.hint == 'memory is a capacity: device.capacity["gpu.example.com"].memory'
    near = the("attribute-not-published", problems(asking(f'"modle" in {GPU} && {GPU}.modle == "A"'), CLUSTER))
    assert near.hint == 'did you mean device.attributes["gpu.example.com"].model?'


def test_a_constraint_that_no_device_can_keep_is_told() -> None:
    constraints = "      constraints: [{matchAttribute: resource.kubernetes.io/pciRoot}]\n"
    found = the("attribute-not-published", problems(template(more=constraints), CLUSTER))
    assert found.field == "spec.spec.devices.constraints[0].matchAttribute"
    assert found.hint == "did you mean resource.kubernetes.io/pcieRoot?"
    assert codes(template(more=constraints.replace("pciRoot", "pcieRoot")), CLUSTER) == []


def test_an_amount_that_no_device_has_is_told() -> None:
    found = the("capacity-too-large", problems(template("capacity: {requests: {memory: 96Gi}}"), CLUSTER))
    assert (found.message, found.hint) == (
        "asks for 96Gi memory of one device, and the largest device given has 80Gi",
        "ask for at most 80Gi",
    )
    assert codes(template("capacity: {requests: {memory: 80Gi}}"), CLUSTER) == []


def test_a_capacity_is_asked_for_by_the_very_name_that_devices_have() -> None:
    found = the("attribute-not-published", problems(template("capacity: {requests: {memoryy: 1Gi}}"), CLUSTER))
    assert (found.message, found.hint) == (
        "none of the 2 devices that can be meant has a capacity memoryy",
        "did you mean memory?",
    )
    qualified = template("capacity: {requests: {gpu.example.com/memory: 1Gi}}")
    assert the("attribute-not-published", problems(qualified, CLUSTER)).hint == "did you mean memory?"
    assert the("attribute-not-published", problems(template("capacity: {requests: {vram: 1Gi}}"), CLUSTER)).hint == (
        "there is memory"
    )


@pytest.mark.parametrize(
    ("policy", "most"),
    [
        ("{default: 1Gi, validRange: {min: 1Gi, max: 4Gi}}", "4Gi"),
        ("{default: 1Gi, validRange: {min: 1Gi, step: 3Gi}}", "7Gi"),
        ("{default: 1Gi, validValues: [1Gi, 2Gi, 5Gi]}", "5Gi"),
    ],
)
def test_an_amount_that_no_request_policy_allows_is_told(policy: str, most: str) -> None:
    capacity = f"{{memory: {{value: 8Gi, requestPolicy: {policy}}}}}"
    nic = f"  - {{name: eth0, allowMultipleAllocations: true, capacity: {capacity}}}\n"
    cluster = joined(CLASS, resource_slice(nic))
    found = the("capacity-too-large", problems(template("capacity: {requests: {memory: 8Gi}}"), cluster))
    assert (found.message, found.hint) == (
        f"asks for 8Gi memory of one device, and request policies allow at most {most}",
        f"ask for at most {most}",
    )
    assert codes(template(f"capacity: {{requests: {{memory: {most}}}}}"), cluster) == []


def test_alternatives_may_find_nothing_but_not_all_of_them() -> None:
    exact = "exactly: {deviceClassName: gpu.example.com}"
    sub = f"deviceClassName: gpu.example.com, selectors: [{{cel: {{expression: '{GPU}.model == \"X\"'}}}}]"
    some = template().replace(
        exact, f"firstAvailable: [{{name: big, {sub}}}, {{name: any, deviceClassName: gpu.example.com}}]"
    )
    none = template().replace(exact, f"firstAvailable: [{{name: big, {sub}}}, {{name: any, {sub}}}]")
    assert codes(some, CLUSTER) == []
    [found] = problems(none, CLUSTER)
    assert (found.type, found.field) == ("selector-matches-nothing", "spec.spec.devices.requests[0].firstAvailable")


def test_a_selector_that_a_server_refuses_is_told_once() -> None:
    assert codes(asking("device.driver =="), CLUSTER) == ["FieldValueInvalid"]


def configured(driver: str, requests: str = "[gpu]") -> str:
    parameters = "{apiVersion: a/v1, kind: GpuConfig}"
    return f"      config: [{{requests: {requests}, opaque: {{driver: {driver}, parameters: {parameters}}}}}]\n"


def test_configuration_for_a_driver_without_these_devices_is_told() -> None:
    found = the("config-for-other-driver", problems(template(more=configured("resource.example.com")), CLUSTER))
    assert found.message == (
        "this is for driver resource.example.com, and the devices that can be meant are of gpu.example.com: nobody"
        " reads it"
    )
    assert (found.hint, found.field) == (
        "write driver: gpu.example.com",
        "spec.spec.devices.config[0].opaque.driver",
    )
    assert codes(template(more=configured("gpu.example.com")), CLUSTER) == []
    assert codes(joined(CLASS, template(more=configured("resource.example.com", "[]")))) == []


def test_configuration_of_a_class_is_for_the_driver_of_its_devices() -> None:
    config = "  config: [{opaque: {driver: tpu.example.com, parameters: {apiVersion: a/v1, kind: C}}}]\n"
    assert the("config-for-other-driver", problems(joined(CLASS + config, resource_slice(DEVICES)))).field == (
        "spec.config[0].opaque.driver"
    )
