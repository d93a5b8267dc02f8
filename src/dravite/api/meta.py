"""What every object has: names, labels, owners, and the identity that other layers refer by."""

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any, Final, Self

import msgspec

if TYPE_CHECKING:
    from dravite.api.unknown_fields import UnknownField

Time = str
"""An RFC 3339 time as it stands on the wire; dravite never rounds one."""

TEXT: Final[str] = msgspec.field(default_factory=str)
"""The default of a required text: empty, and written even so, as API servers do."""

NUMBER: Final[int] = msgspec.field(default_factory=int)
"""The default of a required number: zero, and written even so."""

LIST: Final[tuple[Any, ...]] = msgspec.field(default_factory=lambda: ())
"""The default of a required list: empty, and written even so."""

_ACRONYMS: Final = {
    "share_id": "shareID",
    "pod_cidr": "podCIDR",
    "host_ip": "hostIP",
    "pod_ip": "podIP",
    "provider_id": "providerID",
    "self_link": "selfLink",
    "api_version": "apiVersion",
}


def wire_name(name: str) -> str:
    """The JSON name of a Python attribute: `device_class_name` is `deviceClassName` on the wire."""
    if name in _ACRONYMS:
        return _ACRONYMS[name]
    first, *rest = name.split("_")
    return first + "".join(word.capitalize() for word in rest)


class Model(
    msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, rename=wire_name, gc=False
):  # the one common ancestor
    """A Kubernetes type. Frozen, compared by value; maps inside are read-only by convention.

    Attributes carry Kubernetes' names in snake case. Lists that Kubernetes treats alike when missing and when
    empty default to `()`; where the two differ the attribute may be `None`.

    Constructors trust what they are given, and take tuples where Kubernetes has lists. The methods that read check
    everything; how they do it is in `surface`.
    """

    # Modules of models do not postpone annotations: as texts they would be compiled again in every process.

    @classmethod
    def from_dict(cls, value: Mapping[str, Any]) -> Self:
        """The object that dicts and lists say, with names in Python or as on the wire.

        Raises:
            surface.ModelError: unknown or missing fields, or values of the wrong type; all of them, with their paths.
        """
        from dravite.api.surface import read_dict

        return read_dict(value, cls)

    @classmethod
    def from_dict_lenient(cls, value: Mapping[str, Any]) -> tuple[Self, tuple["UnknownField", ...]]:
        """As `from_dict`; unknown fields are no fault and are handed back."""
        from dravite.api.surface import read_dict_lenient

        return read_dict_lenient(value, cls)

    @classmethod
    def from_json(cls, text: str | bytes) -> Self:
        """As `from_dict`, from a JSON text; many times faster than parsing it first."""
        from dravite.api.surface import read_json

        return read_json(text, cls)

    @classmethod
    def from_json_lenient(cls, text: str | bytes) -> tuple[Self, tuple["UnknownField", ...]]:
        """As `from_dict_lenient`, from a JSON text."""
        from dravite.api.surface import read_json_lenient

        return read_json_lenient(text, cls)

    def to_dict(self, *, serialize: bool = True, unknown: Iterable["UnknownField"] = ()) -> dict[str, Any]:
        """The object as dicts, lists and texts; absent fields are left out.

        Args:
            serialize: whether names are those on the wire, or Python's.
            unknown: fields from `from_dict_lenient` to put back; only with names as on the wire.
        """
        from dravite.api.surface import to_python, to_wire

        return to_wire(self, unknown) if serialize else to_python(self)

    def to_json(self) -> str:
        """The object as compact JSON, with the names on the wire; absent fields are left out."""
        from dravite.api.surface import to_text

        return to_text(self)

    def replace(self, **changes: Any) -> Self:
        """A copy with some fields changed; None takes a field away. Names and values are as in `from_dict`.

        Raises:
            surface.ModelError: as `from_dict`.
        """
        from dravite.api.surface import replaced

        return replaced(self, changes)

    def __repr__(self) -> str:
        from dravite.api.surface import show

        return show(self)


class ListMeta(Model, frozen=True, kw_only=True):
    resource_version: str = ""
    continue_: str = msgspec.field(default="", name="continue")
    remaining_item_count: int | None = None


class OwnerReference(Model, frozen=True, kw_only=True):
    api_version: str = TEXT
    kind: str = TEXT
    name: str = TEXT
    uid: str = TEXT
    controller: bool | None = None
    block_owner_deletion: bool | None = None


class ObjectMeta(Model, frozen=True, kw_only=True):
    name: str = ""
    generate_name: str = ""
    namespace: str = ""
    uid: str = ""
    resource_version: str = ""
    generation: int = 0
    creation_timestamp: Time | None = None
    deletion_timestamp: Time | None = None
    deletion_grace_period_seconds: int | None = None
    labels: Mapping[str, str] = {}
    annotations: Mapping[str, str] = {}
    owner_references: tuple[OwnerReference, ...] = ()
    finalizers: tuple[str, ...] = ()


def controller_of(meta: ObjectMeta) -> OwnerReference | None:
    """The owner that controls an object, if it has one."""
    return next((owner for owner in meta.owner_references if owner.controller), None)


class LabelSelectorRequirement(Model, frozen=True, kw_only=True):
    key: str = TEXT
    operator: str = TEXT
    values: tuple[str, ...] = ()


class LabelSelector(Model, frozen=True, kw_only=True):
    match_labels: Mapping[str, str] = {}
    match_expressions: tuple[LabelSelectorRequirement, ...] = ()


class Condition(Model, frozen=True, kw_only=True):
    type: str = TEXT
    status: str = TEXT
    observed_generation: int = 0
    last_transition_time: Time | None = None
    reason: str = TEXT
    message: str = TEXT


class ObjectRef(msgspec.Struct, frozen=True, order=True):
    """Which object: kind, namespace (empty for cluster-wide kinds) and name."""

    kind: str
    namespace: str
    name: str

    def __str__(self) -> str:
        place = f"{self.namespace}/{self.name}" if self.namespace else self.name
        return f"{self.kind} {place}"


class DeviceID(msgspec.Struct, frozen=True, order=True, gc=False):
    """Which device: driver, pool and device name. Slice names and generations are no part of it."""

    driver: str
    pool: str
    device: str

    def __str__(self) -> str:
        return f"{self.driver}/{self.pool}/{self.device}"
