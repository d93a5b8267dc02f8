"""Schemas of the kinds of resource.k8s.io and scheduling.k8s.io, made from dravite's types, with meanings in our words.

One source of truth: what a schema says of a field, its type in `api` says; what the field means stands in `words`.
"""

from dravite.schema.fields import FieldMeaning, NoField, described_kind, find_field, versions_of
from dravite.schema.maker import all_schemas, json_schema

__all__ = [
    "FieldMeaning",
    "NoField",
    "all_schemas",
    "described_kind",
    "find_field",
    "json_schema",
    "versions_of",
]
