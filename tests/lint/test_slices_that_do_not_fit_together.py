"""Pools over several slices and files: counts, generations, names, counters, reach, and hardware in two books."""

from __future__ import annotations

from tests.lint.manifests import NODE, codes, joined, problems, resource_slice, the

ONE = "  - name: gpu-0\n"
TWO = "  - name: gpu-1\n"


def pool(generation: int, count: int) -> str:
    return f"{{name: n1, generation: {generation}, resourceSliceCount: {count}}}"


def test_a_pool_with_a_slice_missing_is_incomplete() -> None:
    found = the("pool-incomplete", problems(resource_slice(ONE, pool=pool(3, 2))))
    assert found.message == (
        "pool n1 of gpu.example.com is incomplete, so no device of it can be taken: generation 3 has 2 by its own "
        "account, and 1 is here"
    )
    assert codes(joined(resource_slice(ONE, "a", pool(3, 2)), resource_slice(TWO, "b", pool(3, 2)))) == []


def test_slices_in_the_surroundings_complete_a_pool() -> None:
    assert codes(resource_slice(ONE, "a", pool(1, 2)), resource_slice(TWO, "b", pool(1, 2))) == []


def test_a_pool_that_is_spread_over_folders_is_complete() -> None:
    files = {"x/a.yaml": resource_slice(ONE, "a", pool(1, 2)), "y/b.yaml": resource_slice(TWO, "b", pool(1, 2))}
    assert codes(files) == []


def test_slices_that_disagree_about_their_number_are_told_once() -> None:
    files = joined(resource_slice(ONE, "a", pool(1, 1)), resource_slice(TWO, "b", pool(1, 2)))
    assert the("slice-counts-differ", problems(files)).message == (
        "slices of pool n1 of gpu.example.com disagree about how many they are: 1 says 1, 1 says 2; 2 are here"
    )
    assert codes(files) == ["slice-counts-differ"]


def test_slices_of_older_generations_are_told() -> None:
    files = joined(resource_slice(ONE, "a", pool(1, 1)), resource_slice(ONE, "b", pool(2, 1)))
    found = the("pool-generations-mixed", problems(files))
    assert (found.object, found.line) == ("ResourceSlice a", 6)
    assert "only those of generation 2 count, and 1 of generation 1 is ignored" in found.message


def test_a_device_name_in_two_slices_spoils_the_pool() -> None:
    files = joined(resource_slice(ONE, "a", pool(1, 2)), resource_slice(ONE, "b", pool(1, 2)))
    assert the("device-name-twice", problems(files)).message == (
        "device gpu-0 is in ResourceSlice a too: pool n1 is invalid and none of its devices can be allocated"
    )


def test_counters_must_be_published_by_the_pool() -> None:
    using = "  - name: gpu-0\n    consumesCounters: [{counterSet: c, counters: {memory: {value: 1Gi}}}]\n"
    assert codes(resource_slice(using)) == ["counter-set-not-published"]
    counters = resource_slice("", "c", pool(1, 2)).replace(
        "devices:\n", "sharedCounters: [{name: c, counters: {slots: {value: 1}}}]\n"
    )
    assert codes(joined(resource_slice(using, "a", pool(1, 2)), counters)) == ["counter-not-published"]


def test_a_counter_set_in_two_slices_spoils_the_pool() -> None:
    sets = [
        resource_slice("", name, pool(1, 2)).replace(
            "devices:\n", "sharedCounters: [{name: c, counters: {slots: {value: 1}}}]\n"
        )
        for name in ("a", "b")
    ]
    assert codes(joined(*sets)) == ["counter-set-twice"]


def test_devices_out_of_reach_of_all_nodes_are_told() -> None:
    assert codes(resource_slice(ONE)) == []
    assert codes(resource_slice(ONE), NODE) == []
    missing = the("pool-unreachable", problems(resource_slice(ONE), NODE.replace("n1", "n2")))
    assert (missing.field, missing.message) == (
        "spec.nodeName",
        "there is no node n1 among the nodes given: no pod can reach these devices",
    )
    selecting = resource_slice(ONE).replace(
        "nodeName: n1",
        "nodeSelector: {nodeSelectorTerms: [{matchExpressions: [{key: zone, operator: In, values: [z]}]}]}",
    )
    assert codes(selecting, NODE) == ["pool-unreachable"]


def test_one_serial_number_under_two_names_is_told() -> None:
    devices = "".join(f"  - {{name: gpu-{n}, attributes: {{uuid: {{string: GPU-1}}}}}}\n" for n in (0, 1))
    found = the("device-under-two-names", problems(resource_slice(devices)))
    assert found.message.startswith("gpu.example.com/n1/gpu-1 and gpu.example.com/n1/gpu-0 have the same uuid, GPU-1")


def test_one_bus_address_under_two_drivers_is_told_and_under_one_driver_not() -> None:
    at = "{name: d-%d, attributes: {resource.kubernetes.io/pciBusID: {string: '0000:01:00.0'}}}"
    both = resource_slice(f"  - {at % 0}\n  - {at % 1}\n")
    assert codes(both) == []
    other = resource_slice(f"  - {at % 2}\n", "nic").replace("driver: gpu.", "driver: nic.")
    assert codes(joined(resource_slice(f"  - {at % 0}\n"), other)) == ["device-under-two-names"]


def test_partitions_of_one_device_share_counters_and_are_no_fault() -> None:
    part = "consumesCounters: [{counterSet: c, counters: {slots: {value: 1}}}]"
    devices = "".join(f"  - {{name: p-{n}, attributes: {{uuid: {{string: U}}}}, {part}}}\n" for n in (0, 1))
    counters = resource_slice("", "c", pool(1, 2)).replace(
        "devices:\n", "sharedCounters: [{name: c, counters: {slots: {value: 2}}}]\n"
    )
    assert codes(joined(resource_slice(devices, "a", pool(1, 2)), counters)) == []


def test_a_device_plugin_beside_a_driver_keeps_a_second_book() -> None:
    node = NODE.replace('pods: "110"', 'pods: "110", example.com/gpu: 2')
    found = the("two-books", problems(joined(node, resource_slice(ONE))))
    assert found.field == "status.allocatable[example.com/gpu]"
    assert "node n1 offers 2 example.com/gpu of a device plugin and 1 device of driver gpu." in found.message
    assert codes(joined(node.replace("example.com/gpu: 2", "example.com/gpu: 0"), resource_slice(ONE))) == []


def test_a_device_that_takes_more_of_a_counter_than_there_is_is_told() -> None:
    using = "  - name: gpu-0\n    consumesCounters: [{counterSet: c, counters: {memory: {value: %s}}}]\n"
    counters = resource_slice("", "counters", pool(1, 2)).replace(
        "  devices:\n", "  sharedCounters: [{name: c, counters: {memory: {value: 40Gi}}}]\n"
    )
    found = the("counter-too-small", problems(joined(counters, resource_slice(using % "80Gi", "a", pool(1, 2)))))
    assert found.message == (
        "device gpu-0 consumes 80Gi of counter memory, and counter set c has 40Gi in all: "
        "nobody can ever have the device"
    )
    assert found.field == "spec.devices[0].consumesCounters[0].counters[memory]"
    assert codes(joined(counters, resource_slice(using % "40Gi", "a", pool(1, 2)))) == []
