"""Attempts that end in an error: the clause at fault, what it tried to read, where else it strikes, who could do."""

from dravite.api.meta import DeviceID
from dravite.diagnosis.verdicts import Aborted
from dravite.explain.insights import NodeCount
from dravite.explain.notes import ClaimLimit, ErrorEndsAttempt, ErrorIsNodeOnlySince
from dravite.snapshot.device_paths import DevicePath
from tests.clusters import DRIVER
from tests.explain.worlds import ATTRIBUTES, MEMORY, first_of, gpu, gpus, published, template, told, waiting, wants

MODE = DevicePath("attributes", DRIVER, "mode")


def test_a_missing_attribute_is_told_with_who_has_it_and_who_lacks_it():
    found = told(
        published("n1", *gpus(2)),
        published("n2", *gpus(3, mode="ATS")),
        template("t", wants("gpu", f'device.driver == "{DRIVER}" && {ATTRIBUTES}.mode == "ATS"')),
        waiting(),
    )
    assert isinstance(found.decision.decision, Aborted)
    failure = found.failure
    assert (failure.device, failure.node) == (DeviceID(DRIVER, "n1", "gpu-0"), "n1")
    assert failure.path == MODE
    assert failure.clause == f'{ATTRIBUTES}.mode == "ATS"'
    assert failure.headline.startswith("no such key: mode")
    assert (failure.fails_on, failure.devices) == (2, 5)
    (name,) = found.names
    assert (name.problem, name.having, name.devices) == ("on-some", 3, 5)
    assert name.nodes == (NodeCount("n1", 0, 2), NodeCount("n2", 3, 3))
    assert ErrorEndsAttempt(f"{DRIVER}/n1/gpu-0", "n1", ("n2",)) in found.notes


def test_a_version_compared_with_text_is_told_by_its_kind():
    found = told(
        published("n1", gpu(0, level="v8.0.0")), template("t", wants("gpu", f'{ATTRIBUTES}.level >= "8.0"')), waiting()
    )
    failure = found.failure
    assert (failure.found_kind, failure.compared_with) == ("version", '"8.0"')
    assert [(one.path, one.value) for one in failure.seen] == [(f'attributes["{DRIVER}"].level', "8.0.0")]
    assert found.names == ()


def test_an_expression_that_does_not_compile_names_its_clause():
    found = told(published("n1", *gpus(1)), template("t", wants("gpu", f"true && {MEMORY} > 16")), waiting())
    failure = found.failure
    assert failure.clause == f"{MEMORY} > 16"
    assert failure.headline.startswith("found no matching overload for '_>_'")


def test_an_error_in_a_later_alternative_is_found_there():
    found = told(
        published("n1", gpu(0)),
        template("t", first_of("gpu", one=("false", {}), two=(f"{ATTRIBUTES}.mode == 'x'", {}))),
        waiting(),
    )
    assert found.failure.selector.path.startswith("spec.spec.devices.requests[0].firstAvailable[1]")


def test_a_claim_holds_only_so_many_devices():
    slices = [published("n1", *gpus(40), pool="n1")]
    found = told(*slices, template("t", wants(count=33)), waiting())
    (note,) = found.notes
    assert (note.limit, note.asked, note.free) == (32, 33, 40)
    assert isinstance(note, ClaimLimit)


def test_all_with_a_pool_in_update_says_which_pool_and_who_could_do():
    found = told(
        published("n1", *gpus(1), slices=2),
        published("n2", *gpus(2)),
        template("t", wants(all_of=True)),
        waiting(),
    )
    assert [(pool.pool, pool.state) for pool in found.pools] == [("n1", "incomplete")]
    assert found.notes == (ErrorIsNodeOnlySince("1.38", ("n1",), ("n2",)),)
