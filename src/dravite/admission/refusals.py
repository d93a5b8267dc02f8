"""How an API server says no: a code, a reason, a sentence, and for objects that break rules every broken rule."""

from __future__ import annotations

import msgspec

from dravite.api.field import FieldError
from dravite.api.field_text import cause_message
from dravite.api.registry import KindInfo


class Address(msgspec.Struct, frozen=True):
    """Which object a request is about."""

    info: KindInfo
    name: str
    namespace: str

    @property
    def text(self) -> str:
        """The object as messages name it: `resourceclaims.resource.k8s.io "c"`."""
        group = f".{self.info.group}" if self.info.group else ""
        return f'{self.info.plural}{group} "{self.name}"'

    @property
    def kind_text(self) -> str:
        """The object as validation names it: `ResourceClaim.resource.k8s.io "c"`."""
        group = f".{self.info.group}" if self.info.group else ""
        return f'{self.info.kind}{group} "{self.name}"'

    @property
    def not_found(self) -> str:
        return f"{self.text} not found"

    @property
    def key(self) -> str:
        """The place in storage."""
        return "/" + "/".join(filter(None, (self.info.plural, self.namespace, self.name)))


class Refused(msgspec.Struct, frozen=True):
    """A request that is refused.

    Attributes:
        reason: the one of a Status.
        errors: the causes of a 422, and `name` that of the object that broke rules.
    """

    code: int
    reason: str
    message: str
    errors: tuple[FieldError, ...] = ()
    warnings: tuple[str, ...] = ()
    name: str = ""


def refused(code: int, reason: str, message: str) -> Refused:
    """A refusal without causes."""
    return Refused(code, reason, message)


def not_found(message: str) -> Refused:
    """Nothing is there."""
    return Refused(404, "NotFound", message)


def forbidden(address: Address, reason: str) -> Refused:
    """A plugin says no."""
    return Refused(403, "Forbidden", f"{address.text} is forbidden: {reason}")


def conflict(address: Address, reason: str) -> Refused:
    """The request speaks of another state of the object."""
    group = f".{address.info.group}" if address.info.group else ""
    kind = f"{address.info.plural}{group}"
    return Refused(409, "Conflict", f'Operation cannot be fulfilled on {kind} "{address.name}": {reason}')


def invalid_object(address: Address, errors: tuple[FieldError, ...]) -> Refused:
    """The object breaks rules: one is told as it is, several as a list in which each stands once."""
    told = tuple(dict.fromkeys(f"{error.field}: {cause_message(error)}" for error in errors))
    text = told[0] if len(told) == 1 else f"[{', '.join(told)}]"
    return Refused(422, "Invalid", f"{address.kind_text} is invalid: {text}", errors, name=address.name)
