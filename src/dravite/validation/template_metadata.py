"""Rules about the metadata of a template: what claims made from it get, and nothing else (2.3)."""

from __future__ import annotations

from dravite.api.field import child
from dravite.api.meta import ObjectMeta
from dravite.validation.faults import Faults, forbidden
from dravite.validation.metadata import labels_and_annotations


def template_metadata(meta: ObjectMeta, path: str) -> Faults:
    """Labels and annotations, and that nothing else is set."""
    others = {
        "name": meta.name,
        "generateName": meta.generate_name,
        "namespace": meta.namespace,
        "uID": meta.uid,
        "resourceVersion": meta.resource_version,
        "generation": meta.generation,
        "creationTimestamp": meta.creation_timestamp,
        "deletionTimestamp": meta.deletion_timestamp,
        "deletionGracePeriodSeconds": meta.deletion_grace_period_seconds,
        "ownerReferences": meta.owner_references,
        "finalizers": meta.finalizers,
    }
    yield from (forbidden(child(path, name), "cannot be set") for name, value in others.items() if value)
    yield from labels_and_annotations(meta, path)
