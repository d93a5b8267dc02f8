"""First fit took devices that do not belong together."""

from dravite.api.meta import DeviceID, ObjectRef
from dravite.api.resource_v1 import Device, DeviceAttribute, ResourceSliceSpec
from dravite.explain.devices.differing import differing_attributes
from dravite.explain.selectors.published import Located
from dravite.snapshot.pools import PoolDevice

CLAIM = ObjectRef("ResourceClaim", "ml", "chips")


def chip(number, group, **more):
    attributes = {"linkGroup": DeviceAttribute(int_value=group), "uuid": DeviceAttribute(string_value=f"u{number}")}
    attributes |= {name: DeviceAttribute(string_value=value) for name, value in more.items()}
    published = Device(name=f"chip-{number}", attributes=attributes)
    return Located("n1", PoolDevice(DeviceID("t.io", "n1", published.name), published, ResourceSliceSpec()))


BOARD = (chip(0, 0), chip(1, 1), chip(2, 0), chip(3, 1))


def test_devices_of_two_groups_are_told_with_their_values():
    (note,) = differing_attributes(CLAIM, (BOARD[0].id, BOARD[1].id), BOARD)
    assert note.attribute == "t.io/linkGroup"
    assert note.values == (("0", (BOARD[0].id,)), ("1", (BOARD[1].id,)))


def test_devices_of_one_group_are_fine():
    assert differing_attributes(CLAIM, (BOARD[0].id, BOARD[2].id), BOARD) == ()


def test_one_device_differs_from_nothing():
    assert differing_attributes(CLAIM, (BOARD[0].id,), BOARD) == ()


def test_a_value_that_nobody_else_has_forms_no_group():
    board = (chip(0, 0), chip(1, 1), chip(2, 0))
    assert differing_attributes(CLAIM, (board[0].id, board[1].id), board) == ()
