"""What an API server would refuse: create rules of every kind that planning relies on.

Pure functions, one module for each kind or group of fields. Each gives every `FieldError`, in the server's order and
words. Rules that Kubernetes declares in its types are marked, because a server lists them last.
"""

from dravite.validation.create import why_not_create

__all__ = ["why_not_create"]
