"""The changes of shape between versions on trees of maps and lists, which keep order, spelling and unknown fields.

The functions of the other modules decide what an object becomes; here its text is moved to the same places, so that a
file can be rewritten without writing it anew. A tree that was moved must be compared with the typed result: values that
one version spells differently are not looked at.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, MutableMapping, Sequence
from typing import Any, Final, NamedTuple, Protocol, TypeAlias

Tree: TypeAlias = MutableMapping[str, Any]
_Step: TypeAlias = Callable[[Tree, "Keeper"], None]

_CLAIMS: Final = ("ResourceClaim", "ResourceClaimTemplate")
_GROUPS: Final = ("Workload", "PodGroup")


class Entry(NamedTuple):
    """One entry of a map, with whatever belongs to it in the text."""

    key: str
    value: Any
    trivia: Any = None


class Keeper(Protocol):
    """How the maps of a tree are taken apart and put together."""

    def entries(self, tree: Tree) -> list[Entry]:
        """The entries of a map, in order."""

    def fill(self, tree: Tree, entries: Iterable[Entry]) -> None:
        """Put entries in the place of all that a map has."""

    def new(self, entries: Iterable[Entry]) -> Tree:
        """A map of the same kind with these entries."""

    def inner(self, entry: Entry) -> list[Entry]:
        """The entries of the map that an entry holds, which are to take its place."""


class Plain:
    """Keeps order, and nothing else: for trees of dicts."""

    def entries(self, tree: Tree) -> list[Entry]:
        return [Entry(key, value) for key, value in tree.items()]

    def fill(self, tree: Tree, entries: Iterable[Entry]) -> None:
        kept = list(entries)
        tree.clear()
        tree.update({entry.key: entry.value for entry in kept})

    def inner(self, entry: Entry) -> list[Entry]:
        return self.entries(entry.value)

    def new(self, entries: Iterable[Entry]) -> Tree:
        return {entry.key: entry.value for entry in entries}


class _Shape(NamedTuple):
    """What tells the versions of a kind apart: which steps lead up to the newest one, and which lead down."""

    up: tuple[_Step, ...] = ()
    down: tuple[_Step, ...] = ()


def changes_shape(kind: str, source: str, target: str) -> bool:
    """Whether objects of a kind look different in two versions, apart from the apiVersion."""
    return _shape(kind, source) is not _shape(kind, target)


def reshape(tree: Tree, kind: str, versions: tuple[str, str], keeper: Keeper) -> None:
    """Move what stands in an object of one version to where the other has it. `versions` are source and target."""
    source, target = versions
    if source != target and changes_shape(kind, source, target):
        for step in _shape(kind, source).up:
            step(tree, keeper)
        for step in _shape(kind, target).down:
            step(tree, keeper)
    if tree.get("apiVersion") == source:
        tree["apiVersion"] = target


# Editing maps


def _wrap(tree: Tree, name: str, moves: Callable[[str], bool], keeper: Keeper) -> None:
    """Put entries into a map of their own, which stands where the first of them stood."""
    before = keeper.entries(tree)
    moved = [entry for entry in before if moves(entry.key)]
    if not moved:
        return
    wrapped = Entry(name, keeper.new(moved))
    after = [wrapped if entry is moved[0] else entry for entry in before if entry is moved[0] or not moves(entry.key)]
    keeper.fill(tree, after)


def _unwrap(tree: Tree, name: str, keeper: Keeper) -> None:
    """Put the entries of an inner map in its place."""
    if name not in tree:
        return
    after: list[Entry] = []
    for entry in keeper.entries(tree):
        if entry.key != name:
            after.append(entry)
        elif isinstance(entry.value, MutableMapping):
            after += keeper.inner(entry)
    keeper.fill(tree, after)


def _rename(tree: Tree, old: str, new: str, keeper: Keeper) -> None:
    if old in tree:
        entries = keeper.entries(tree)
        keeper.fill(tree, (entry._replace(key=new) if entry.key == old else entry for entry in entries))


def _inside(tree: Any, *steps: str) -> Any:
    for step in steps:
        tree = tree.get(step) if isinstance(tree, MutableMapping) else None
    return tree


def _maps(found: Any) -> Iterator[Tree]:
    """The maps of a list; nothing of anything else."""
    if isinstance(found, Sequence) and not isinstance(found, str):
        yield from (item for item in found if isinstance(item, MutableMapping))


# Requests: flat, or with `exactly`


def _requests(tree: Tree) -> Iterator[Tree]:
    spec = _inside(tree, "spec", "spec") if tree.get("kind") == "ResourceClaimTemplate" else _inside(tree, "spec")
    return _maps(_inside(spec, "devices", "requests"))


def _nest_requests(tree: Tree, keeper: Keeper) -> None:
    """Fields without a value do not make a request one for exact devices (4.1)."""
    for request in _requests(tree):
        if any(_is_set(value) for key, value in request.items() if _is_exact(key)):
            _wrap(request, "exactly", _is_exact, keeper)
        else:
            keeper.fill(request, (entry for entry in keeper.entries(request) if not _is_exact(entry.key)))


def _is_exact(key: str) -> bool:
    return key not in ("name", "firstAvailable")


def _is_set(value: Any) -> bool:
    return isinstance(value, bool) or value not in ("", 0, None)


def _flatten_requests(tree: Tree, keeper: Keeper) -> None:
    """Empty lists go: in a flat request they would say that exact devices are wanted."""
    for request in _requests(tree):
        exactly = request.get("exactly")
        if isinstance(exactly, MutableMapping):
            keeper.fill(exactly, (entry for entry in keeper.entries(exactly) if entry.value != []))
        _unwrap(request, "exactly", keeper)


# Devices: with `basic`, and capacities with or without `value`


def _devices(tree: Tree) -> Iterator[Tree]:
    return _maps(_inside(tree, "spec", "devices"))


def _lift_devices(tree: Tree, keeper: Keeper) -> None:
    for device in _devices(tree):
        _unwrap(device, "basic", keeper)
    spec = _inside(tree, "spec")
    for name in ("nodeName", "allNodes"):
        if isinstance(spec, MutableMapping) and name in spec and not spec[name]:
            keeper.fill(spec, (entry for entry in keeper.entries(spec) if entry.key != name))


def _lower_devices(tree: Tree, keeper: Keeper) -> None:
    for device in _devices(tree):
        _wrap(device, "basic", lambda key: key != "name", keeper)
        if "basic" not in device:
            device["basic"] = keeper.new(())


def _value_capacities(tree: Tree, keeper: Keeper) -> None:
    """Amounts become maps; with `basic` or without it."""
    for capacity in _capacities(tree):
        changed = (
            entry._replace(value=keeper.new([Entry("value", entry.value)])) for entry in keeper.entries(capacity)
        )
        keeper.fill(capacity, changed)


def _plain_capacities(tree: Tree, keeper: Keeper) -> None:
    for capacity in _capacities(tree):
        entries = keeper.entries(capacity)
        keeper.fill(capacity, (entry._replace(value=_inside(entry.value, "value")) for entry in entries))


def _capacities(tree: Tree) -> Iterator[Tree]:
    for device in _devices(tree):
        holder = _inside(device, "basic") if "basic" in device else device
        capacity = _inside(holder, "capacity")
        if isinstance(capacity, MutableMapping):
            yield capacity


# Groups of pods


def _group_templates(tree: Tree) -> Iterator[Tree]:
    if tree.get("kind") == "Workload":
        return _maps(_inside(tree, "spec", "podGroupTemplates"))
    spec = _inside(tree, "spec")
    return iter([spec] if isinstance(spec, MutableMapping) else [])


_MODES: Final = {"Pod": "single", "PodGroup": "all"}
_WORDS: Final = {mode: word for word, mode in _MODES.items()}


def _modes_from_words(tree: Tree, keeper: Keeper) -> None:
    for template in _group_templates(tree):
        mode = _MODES.get(str(template.get("disruptionMode")))
        if mode is not None:
            template["disruptionMode"] = keeper.new([Entry(mode, keeper.new(()))])


def _words_from_modes(tree: Tree, keeper: Keeper) -> None:
    del keeper
    for template in _group_templates(tree):
        mode = template.get("disruptionMode")
        if isinstance(mode, MutableMapping) and len(mode) == 1:
            template["disruptionMode"] = _WORDS.get(next(iter(mode)))


def _workload_reference(tree: Tree, keeper: Keeper) -> None:
    spec = _inside(tree, "spec")
    reference = _inside(spec, "podGroupTemplateRef", "workload")
    if isinstance(reference, MutableMapping):
        _rename(reference, "podGroupTemplateName", "templateName", keeper)
        _unwrap(spec["podGroupTemplateRef"], "workload", keeper)
        _rename(spec, "podGroupTemplateRef", "workloadRef", keeper)
    _rename_conditions(tree, ("PodGroupScheduled", "PodGroupInitiallyScheduled"))


def _template_reference(tree: Tree, keeper: Keeper) -> None:
    spec = _inside(tree, "spec")
    reference = _inside(spec, "workloadRef")
    if isinstance(reference, MutableMapping):
        _rename(reference, "templateName", "podGroupTemplateName", keeper)
        _wrap(reference, "workload", lambda _: True, keeper)
        _rename(spec, "workloadRef", "podGroupTemplateRef", keeper)
    _rename_conditions(tree, ("PodGroupInitiallyScheduled", "PodGroupScheduled"))


def _rename_conditions(tree: Tree, names: tuple[str, str]) -> None:
    if tree.get("kind") == "PodGroup":
        for condition in _maps(_inside(tree, "status", "conditions")):
            if condition.get("type") == names[0]:
                condition["type"] = names[1]


def _templates_from_groups(tree: Tree, keeper: Keeper) -> None:
    spec = _inside(tree, "spec")
    for group in _maps(_inside(spec, "podGroups")):
        _rename(group, "policy", "schedulingPolicy", keeper)
    if isinstance(spec, MutableMapping):
        _rename(spec, "podGroups", "podGroupTemplates", keeper)


def _groups_from_templates(tree: Tree, keeper: Keeper) -> None:
    spec = _inside(tree, "spec")
    for template in _maps(_inside(spec, "podGroupTemplates")):
        _rename(template, "schedulingPolicy", "policy", keeper)
    if isinstance(spec, MutableMapping):
        _rename(spec, "podGroupTemplates", "podGroups", keeper)


_NEWEST: Final = _Shape()
_FLAT: Final = _Shape((_nest_requests,), (_flatten_requests,))
_BASIC: Final = _Shape((_lift_devices,), (_lower_devices,))
_BASIC_AND_PLAIN: Final = _Shape((_value_capacities, _lift_devices), (_plain_capacities, _lower_devices))
_WORDED: Final = _Shape((_modes_from_words, _workload_reference), (_words_from_modes, _template_reference))
_ENTRIES: Final = _Shape((_templates_from_groups,), (_groups_from_templates,))

_SHAPES: Final = {
    **{(kind, f"resource.k8s.io/{version}"): _FLAT for kind in _CLAIMS for version in ("v1alpha3", "v1beta1")},
    ("ResourceSlice", "resource.k8s.io/v1beta1"): _BASIC,
    ("ResourceSlice", "resource.k8s.io/v1alpha3"): _BASIC_AND_PLAIN,
    **{(kind, "scheduling.k8s.io/v1alpha2"): _WORDED for kind in _GROUPS},
    ("Workload", "scheduling.k8s.io/v1alpha1"): _ENTRIES,
}


def _shape(kind: str, api_version: str) -> _Shape:
    return _SHAPES.get((kind, api_version), _NEWEST)
