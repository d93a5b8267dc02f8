"""JSON patch, merge patch and strategic merge patch on plain objects. None of them changes what it is given."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from dravite.apiserver import statuses
from dravite.apiserver.list_types import Names, traits

MAX_OPERATIONS: Final = 10_000
_DIRECTIVE: Final = "$patch"
_RETAINED: Final = "$retainKeys"


class PatchFault(Exception):  # noqa: N818 (a fault of the patch)
    """A JSON patch that cannot be carried out on the object."""


def merge_patch(value: Any, patch: Any) -> Any:
    """RFC 7396: null removes, objects are merged, all else is replaced."""
    if not isinstance(patch, dict):
        return patch
    made = dict(value) if isinstance(value, dict) else {}
    for name, inner in patch.items():
        if inner is None:
            made.pop(name, None)
        else:
            made[name] = merge_patch(made.get(name), inner)
    return made


def json_patch(value: Any, operations: list[Any]) -> Any:
    """RFC 6902.

    Raises:
        PatchFault: an operation is none, its path does not exist, or a test fails.
    """
    for operation in operations:
        value = _operated(value, operation)
    return value


def strategic_merge(value: Any, patch: Any, kind: str, names: Names = ()) -> Any:
    """Kubernetes' merge: as a merge patch, but lists that are maps or sets are merged by item.

    Raises:
        Refused: a directive is unknown, or an item has no key.
    """
    if isinstance(patch, dict):
        return _merged_map(value, patch, kind, names)
    key = traits(kind, names).merge_key if isinstance(patch, list) else None
    if key is None:
        return patch
    items = value if isinstance(value, list) else []
    return _merged_list(items, patch, (kind, names, key)) if key else _merged_set(items, patch)


def _merged_map(value: Any, patch: dict[str, Any], kind: str, names: Names) -> Any:
    directive, retained = patch.get(_DIRECTIVE), patch.get(_RETAINED)
    if retained is not None and not _are_retained(patch, retained):
        raise statuses.bad_request("invalid patch format of retainKeys")
    if directive == "replace" or (directive is None and traits(kind, names).is_replaced):
        return {name: inner for name, inner in patch.items() if name != _DIRECTIVE}
    if directive == "delete":
        return {}
    if directive not in (None, "merge"):
        message = f"unknown patch type: {directive} in map: map[{_DIRECTIVE}:{directive}]"
        raise statuses.bad_request(message)
    made = dict(value) if isinstance(value, dict) else {}
    for name, inner in patch.items():
        if name.startswith("$deleteFromPrimitiveList/"):
            target = name.partition("/")[2]
            made[target] = _without(made.get(target), inner)
        elif name.startswith("$"):
            continue
        elif inner is None:
            made.pop(name, None)
        else:
            made[name] = strategic_merge(made.get(name), inner, kind, (*names, name))
    return {name: inner for name, inner in made.items() if name in retained} if isinstance(retained, list) else made


def _are_retained(patch: dict[str, Any], retained: Any) -> bool:
    """Whether a list of fields that stay has all that a patch sets."""
    return isinstance(retained, list) and all(name.startswith("$") or name in retained for name in patch)


def _without(value: Any, gone: Any) -> list[Any]:
    """A list without some of its items."""
    if not isinstance(gone, list):
        raise statuses.bad_request("invalid patch format of primitive list")
    return [item for item in value if item not in gone] if isinstance(value, list) else []


def _merged_set(value: list[Any], patch: list[Any]) -> list[Any]:
    """All items, each once. They may be anything: whoever looks at the whole object says what is wrong with them."""
    made: list[Any] = []
    for item in (*value, *patch):
        made += [] if item in made else [item]
    return made


def _merged_list(value: list[Any], patch: list[Any], scope: tuple[str, Names, str]) -> list[Any]:
    kind, names, key = scope
    if any(isinstance(item, dict) and item.get(_DIRECTIVE) == "replace" for item in patch):
        return [item for item in patch if not (isinstance(item, dict) and item.get(_DIRECTIVE) == "replace")]
    if not value:  # whatever items are known by
        added = (item for item in patch if not (isinstance(item, dict) and item.get(_DIRECTIVE) == "delete"))
        return [strategic_merge({}, item, kind, names) if isinstance(item, dict) else item for item in added]
    made = list(value)
    for item in patch:
        if not isinstance(item, dict) or key not in item:
            raise statuses.bad_request(f"map: {item} does not contain declared merge key: {key}")
        position = next(
            (at for at, old in enumerate(made) if isinstance(old, dict) and old.get(key) == item[key]), None
        )
        if item.get(_DIRECTIVE) == "delete":
            made = [old for old in made if not (isinstance(old, dict) and old.get(key) == item[key])]
        elif position is None:
            made.append(strategic_merge({}, item, kind, names))
        else:
            made[position] = strategic_merge(made[position], item, kind, names)
    return made


def _operated(value: Any, operation: Any) -> Any:
    word = operation.get("op") if isinstance(operation, dict) else None
    if not isinstance(word, str) or word not in _OPERATIONS:
        raise PatchFault
    return _OPERATIONS[word](value, operation)


def _steps(operation: Mapping[str, Any], name: str = "path") -> list[str]:
    """The way to a place inside of the object; Kubernetes takes the object itself for none."""
    pointer = operation.get(name)
    if not isinstance(pointer, str) or not pointer.startswith("/"):
        raise PatchFault
    return [step.replace("~1", "/").replace("~0", "~") for step in pointer.split("/")[1:]]


def _get(value: Any, steps: list[str]) -> Any:
    for step in steps:
        if isinstance(value, dict) and step in value:
            value = value[step]
        elif isinstance(value, list):
            value = value[_index(step, len(value) - 1)]
        else:
            raise PatchFault
    return value


def _index(step: str, last: int) -> int:
    if not step.isdigit() or int(step) > last:
        raise PatchFault
    return int(step)


def _changed(value: Any, steps: list[str], change: Callable[[Any, str], Any]) -> Any:
    """A copy of the value in which `change` has been made to the container at the end of the steps."""
    if len(steps) == 1:
        return change(value, steps[0])
    first, rest = steps[0], steps[1:]
    if isinstance(value, dict) and first in value:
        return {**value, first: _changed(value[first], rest, change)}
    if isinstance(value, list):
        position = _index(first, len(value) - 1)
        return [*value[:position], _changed(value[position], rest, change), *value[position + 1 :]]
    raise PatchFault


def _put(value: Any, steps: list[str], new: Any) -> Any:
    def change(container: Any, step: str) -> Any:
        if isinstance(container, dict):
            return {**container, step: new}
        if isinstance(container, list):
            position = len(container) if step == "-" else _index(step, len(container))
            return [*container[:position], new, *container[position:]]
        raise PatchFault

    return _changed(value, steps, change)


def _taken(value: Any, steps: list[str]) -> Any:
    def change(container: Any, step: str) -> Any:
        if isinstance(container, dict) and step in container:
            return {name: inner for name, inner in container.items() if name != step}
        if isinstance(container, list):
            position = _index(step, len(container) - 1)
            return [*container[:position], *container[position + 1 :]]
        raise PatchFault

    return _changed(value, steps, change)


def _given(operation: Mapping[str, Any]) -> Any:
    if "value" not in operation:
        raise PatchFault
    return operation["value"]


def _replace(value: Any, operation: Mapping[str, Any]) -> Any:
    steps = _steps(operation)
    _get(value, steps)
    new = _given(operation)

    def change(container: Any, step: str) -> Any:
        if isinstance(container, dict):
            return {**container, step: new}
        position = _index(step, len(container) - 1)
        return [*container[:position], new, *container[position + 1 :]]

    return _changed(value, steps, change)


def _move(value: Any, operation: Mapping[str, Any]) -> Any:
    source = _steps(operation, "from")
    moved = _get(value, source)
    return _put(_taken(value, source), _steps(operation), moved)


def _test(value: Any, operation: Mapping[str, Any]) -> Any:
    try:
        found = _get(value, _steps(operation))
    except PatchFault:
        if operation.get("value") is not None:
            raise
        found = None
    if found != operation.get("value"):
        raise PatchFault
    return value


_OPERATIONS: Final[Mapping[str, Callable[[Any, Mapping[str, Any]], Any]]] = {
    "add": lambda value, operation: _put(value, _steps(operation), _given(operation)),
    "remove": lambda value, operation: _taken(value, _steps(operation)),
    "replace": _replace,
    "move": _move,
    "copy": lambda value, operation: _put(value, _steps(operation), _get(value, _steps(operation, "from"))),
    "test": _test,
}
