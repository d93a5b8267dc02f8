"""lightkube's model classes, under the names of its modules: `from dravite.compat.lightkube.models import resource_v1`.

They are msgspec Structs, as lightkube's are: positional arguments in its order (what is required first, then what is
not, each by name), names as on the wire, no checks in constructors, maps of objects as plain dicts, times as
`datetime`, quantities as text. Where a release dropped a class, it is here as the last release had it.
"""
