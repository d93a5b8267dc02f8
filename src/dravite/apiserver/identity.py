"""Who asks: bearer tokens and the users that they stand for."""

from __future__ import annotations

import hmac
from collections.abc import Mapping
from typing import Final

import msgspec

from dravite.apiserver.backend import Response
from dravite.apiserver.statuses import status

ADMIN: Final = "admin"
ANONYMOUS: Final = "system:anonymous"
_OPEN: Final = ("/healthz", "/livez", "/readyz", "/version")


class Access(msgspec.Struct, frozen=True):
    """Who may ask.

    Attributes:
        tokens: the user of each token.
        anonymous: whether requests without a token are answered too.
    """

    tokens: Mapping[str, str] = {}
    anonymous: bool = True

    def user_of(self, headers: Mapping[str, str], path: str) -> str | None:
        """The user who asks; None for nobody that is known. Health and version are for everybody."""
        word, _, token = headers.get("authorization", "").partition(" ")
        if word.lower() == "bearer":
            known = (user for secret, user in self.tokens.items() if hmac.compare_digest(secret, token.strip()))
            return next(known, None)
        return ANONYMOUS if self.anonymous or path.startswith(_OPEN) else None


UNAUTHORIZED: Final = Response(401, status(401, "Unauthorized", "Unauthorized"))
