"""Who asks: users, and the bearer tokens that stand for them."""

from __future__ import annotations

import hmac
from collections.abc import Callable, Mapping
from typing import Final

import msgspec

_OPEN: Final = ("/healthz", "/livez", "/readyz", "/version")


class User(msgspec.Struct, frozen=True):
    """Somebody who asks.

    Attributes:
        node: the node that a service account's token is bound to; empty for none.
    """

    name: str
    groups: tuple[str, ...] = ("system:authenticated",)
    uid: str = ""
    node: str = ""


ADMIN: Final = User("admin", ("system:masters", "system:authenticated"), "1")
ANONYMOUS: Final = User("system:anonymous", ("system:unauthenticated",))


STRANGER: Final = User("", ())
"""Somebody who is not known."""


class Access(msgspec.Struct, frozen=True):
    """Who may ask at all.

    Attributes:
        tokens: the user of each token.
        stranger: who asks without a token; None where that is not allowed but for health and version.
        known: the user of another token, as a server knows it.
    """

    tokens: Mapping[str, User] = {}
    stranger: User | None = ADMIN
    known: Callable[[str], User | None] | None = None

    def user_of(self, headers: Mapping[str, str], path: str) -> User | None:
        """The user who asks; None for nobody that is known."""
        word, _, token = headers.get("authorization", "").partition(" ")
        if word.lower() == "bearer" and self.tokens:
            given = token.strip().encode()
            known = (user for secret, user in self.tokens.items() if hmac.compare_digest(secret.encode(), given))
            found = next(known, None)
            return found if found is not None or self.known is None else self.known(token.strip())
        return ANONYMOUS if self.stranger is None and path.startswith(_OPEN) else self.stranger
