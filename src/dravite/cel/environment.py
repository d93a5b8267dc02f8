"""What an expression may use: the fields of `device`, the functions, and what it may answer with.

Stored expressions are compiled with everything that Kubernetes knows, whatever the feature gates say; the API server
checks new ones against its gates (CEL-6).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, Literal

import msgspec

from dravite.cel.messages import MESSAGE_FIELDS
from dravite.cel.types import ANY, BOOL, DEVICE, DYN, INT, QUANTITY, SEMVER, STRING, Type, map_of, same

Feature = Literal["ConsumableCapacity", "ListTypeAttributes"]

_SCALARS: Final = (BOOL, INT, STRING, ANY, DYN, SEMVER)


class Environment(msgspec.Struct, frozen=True):
    """The declarations behind one compilation.

    Attributes:
        sharing: whether `device.allowMultipleAllocations` exists.
        lists: whether attribute values may be lists: `includes`, and loops over attribute values.
        derived_lists: whether a derived attribute may be a list.
        newer: whether named formats and macros with two variables exist, which 1.31 did not know.
    """

    sharing: bool
    lists: bool
    derived_lists: bool
    newer: bool = True

    @property
    def attribute_type(self) -> Type:
        """The type of an attribute's value, which is not known before evaluation."""
        return DYN if self.lists else ANY

    def declares(self, function: str) -> bool:
        """Whether a function of the table exists here."""
        if not self.newer and function.startswith("format."):
            return False
        return self.lists or function != "includes"

    def fields(self, type_name: str) -> Mapping[str, Type] | None:
        """The fields of an object type, or None for a type that has none to look at."""
        return self._device_fields() if type_name == DEVICE.name else MESSAGE_FIELDS.get(type_name)

    def _device_fields(self) -> Mapping[str, Type]:
        fields = {
            "driver": STRING,
            "attributes": map_of(STRING, map_of(STRING, self.attribute_type)),
            "capacity": map_of(STRING, map_of(STRING, QUANTITY)),
        }
        return {**fields, "allowMultipleAllocations": BOOL} if self.sharing else fields

    def why_no_selector(self, t: Type) -> str | None:
        """Why an expression of this type cannot select devices; None if it can."""
        if same(t, BOOL) or same(t, self.attribute_type):
            return None
        return f"must evaluate to bool or the unknown type, not {t.text}"

    def why_no_derived_attribute(self, t: Type) -> str | None:
        """Why the value of an expression of this type cannot be an attribute; None if it can."""
        element = t.params[0] if t.kind == "list" and self.derived_lists else t
        if any(same(element, scalar) for scalar in _SCALARS):
            return None
        allowed = "a primitive scalar (string, integer, boolean, semver)"
        if self.derived_lists:
            allowed += " or a list of these scalars"
        return f"must evaluate to {allowed}, not {t.text}"


STORED: Final = Environment(sharing=True, lists=True, derived_lists=True)
"""The scheduler's environment: every feature."""


OLDEST: Final = Environment(sharing=False, lists=False, derived_lists=False, newer=False)
"""The environment of 1.31, where no gate changed it."""


def new_environment(features: frozenset[str]) -> Environment:
    """The API server's environment for a new or changed expression, given the enabled features of DRA."""
    lists = "ListTypeAttributes" in features
    return Environment(sharing="ConsumableCapacity" in features, lists=lists, derived_lists=lists)
