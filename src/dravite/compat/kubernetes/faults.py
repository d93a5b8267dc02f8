"""Why a value does not fit a class of the official client, in the words that its users match on."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

import msgspec

Location = tuple[str | int, ...]

MESSAGES: Final[Mapping[str, str]] = {
    "missing": "Field required",
    "extra_forbidden": "Extra inputs are not permitted",
    "invalid_key": "Keys should be strings",
    "string_type": "Input should be a valid string",
    "int_type": "Input should be a valid integer",
    "bool_type": "Input should be a valid boolean",
    "list_type": "Input should be a valid list",
    "dict_type": "Input should be a valid dictionary",
    "model_type": "Input should be a valid dictionary or instance of {class_name}",
    "datetime_type": "Input should be a valid datetime",
    "datetime_from_date_parsing": "Input should be a valid datetime or date, {error}",
    "datetime_parsing": "Input should be a valid datetime, {error}",
    "no_such_attribute": "Object has no attribute '{attribute}'",
}
"""The kinds of faults, by the names that pydantic gives them."""


class Fault(msgspec.Struct, frozen=True):
    """One fault: its kind, where it is, and the value that has it.

    Attributes:
        context: what the kind's message is completed with.
    """

    kind: str
    location: Location
    value: Any
    context: Mapping[str, str] = {}

    @property
    def message(self) -> str:
        return MESSAGES[self.kind].format_map(self.context)


class ValidationError(ValueError):
    """Stands for pydantic's error of that name: every fault of a value at once."""

    def __init__(self, title: str, faults: Sequence[Fault]) -> None:
        self.title = title
        self._faults = tuple(faults)
        super().__init__(title, self._faults)

    def errors(self) -> list[dict[str, Any]]:
        """Every fault as a dict of `type`, `loc`, `msg` and `input`, and `ctx` where the message needed one."""
        return [
            {"type": fault.kind, "loc": fault.location, "msg": fault.message, "input": fault.value}
            | ({"ctx": dict(fault.context)} if fault.context else {})
            for fault in self._faults
        ]

    def error_count(self) -> int:
        return len(self._faults)

    def __str__(self) -> str:
        count = len(self._faults)
        lines = [f"{count} validation error{'' if count == 1 else 's'} for {self.title}"]
        for fault in self._faults:
            if fault.location:
                lines.append(".".join(map(str, fault.location)))
            about = f"type={fault.kind}, input_value={fault.value!r}, input_type={type(fault.value).__name__}"
            lines.append(f"  {fault.message} [{about}]")
        return "\n".join(lines)
