"""Kubernetes' API over HTTP: an ASGI application on a store.

`ApiServer` answers requests as values; `asgi` carries them over the wire. Objects pass the doors of `api`,
`validation` and `admission`; nothing here schedules or reconciles.
"""

from dravite.apiserver.asgi import Application, Conduct
from dravite.apiserver.identity import Access
from dravite.apiserver.server import ApiServer, OtherReleaseError, Settings

__all__ = ["Access", "ApiServer", "Application", "Conduct", "OtherReleaseError", "Settings"]
