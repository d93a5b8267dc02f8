"""Attributes that tell the devices of a claim apart although they could have been alike.

First fit looks at one device after the other; it does not prefer devices that belong together. An attribute is worth
a word where it forms groups among the node's devices and the claim's devices stand in different ones.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from dravite.api.meta import DeviceID, ObjectRef
from dravite.explain.notes import AttributeDiffers
from dravite.explain.selectors.published import Located
from dravite.snapshot.device_paths import DevicePath, find, published

_GROUPING = frozenset({"string", "int", "version"})


def differing_attributes(
    claim: ObjectRef, chosen: Sequence[DeviceID], on_node: Sequence[Located]
) -> tuple[AttributeDiffers, ...]:
    """The attributes, by name, that all chosen devices have, with different values that other devices share.

    Args:
        claim: the claim (or its template) that the devices were chosen for.
        chosen: its devices on the node.
        on_node: all devices that the node sees.
    """
    of_claim = [seen for seen in on_node if seen.id in set(chosen)]
    if len(of_claim) < 2:
        return ()
    alike = [seen for seen in on_node if seen.id.driver in {mine.id.driver for mine in of_claim}]
    shared = set.intersection(*(set(published(seen.id.driver, seen.device)) for seen in of_claim))
    found = (_note(claim, path, of_claim, alike) for path in sorted(shared) if path.root == "attributes")
    return tuple(note for note in found if note is not None)


def _note(
    claim: ObjectRef, path: DevicePath, of_claim: Sequence[Located], alike: Sequence[Located]
) -> AttributeDiffers | None:
    mine = _by_value(path, of_claim)
    everyone = _by_value(path, alike)
    if len(mine) < 2 or any(len(everyone[value]) < 2 for value in mine):
        return None
    attribute = f"{path.domain}/{path.name}"
    return AttributeDiffers(claim, attribute, tuple((value, tuple(ids)) for value, ids in mine.items()))


def _by_value(path: DevicePath, devices: Sequence[Located]) -> Mapping[str, list[DeviceID]]:
    groups: dict[str, list[DeviceID]] = {}
    for seen in devices:
        found = find(seen.id.driver, seen.device, path)
        if found is not None and found.kind in _GROUPING:
            groups.setdefault(found.text, []).append(seen.id)
    return groups
