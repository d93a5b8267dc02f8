"""What an API server would refuse to create, to update, or to take as a status.

Pure functions, one module for each kind or group of fields. Each gives every `FieldError`, in the server's order and
words. Rules that Kubernetes declares in its types are marked, because a server lists them last.
"""

from dravite.validation.create import why_not_create
from dravite.validation.update import why_not_update, why_not_update_status

__all__ = ["why_not_create", "why_not_update", "why_not_update_status"]
