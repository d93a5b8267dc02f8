"""Kinds that users define: served as plain objects while their CustomResourceDefinition exists."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

import msgspec

from dravite.api.field import ErrorType, FieldError
from dravite.api.meta import Time
from dravite.api.plain import Plain
from dravite.apiserver.kinds import Kind
from dravite.apiserver.printed import Printed
from dravite.store import Compacted, Store

GROUP: Final = "apiextensions.k8s.io"
_PROTECTED: Final = (".k8s.io", ".kubernetes.io")
_APPROVED: Final = "api-approved.kubernetes.io"
_SCOPES: Final = ("Cluster", "Namespaced")
COLLECTION: Final = f"customresourcedefinitions.{GROUP}"


class _Names(msgspec.Struct, rename="camel"):
    plural: str
    kind: str
    singular: str = ""
    short_names: tuple[str, ...] = ()
    categories: tuple[str, ...] = ()


class _Version(msgspec.Struct, rename="camel"):
    name: str
    served: bool = True
    storage: bool = False
    subresources: Mapping[str, Any] | None = None
    additional_printer_columns: tuple[Printed, ...] = ()


class _Spec(msgspec.Struct):
    group: str
    names: _Names
    versions: tuple[_Version, ...]
    scope: str = "Namespaced"


class _Definition(msgspec.Struct):
    spec: _Spec


def custom_kinds(store: Store) -> Iterator[Kind]:
    """The kinds of all definitions in a store. What is no definition defines nothing."""
    page = store.page(COLLECTION)
    for record in () if isinstance(page, Compacted) else page.records:
        try:
            spec = msgspec.json.decode(record.body, type=_Definition).spec
        except msgspec.ValidationError:
            continue
        served = tuple(version for version in spec.versions if version.served)
        if served:
            yield _kind(spec, served)


def why_no_definition(plain: Plain) -> Iterator[FieldError]:
    """What keeps a definition from defining a kind, as far as clients or other kinds would stumble over it."""
    try:
        spec = msgspec.convert(plain, _Definition).spec
    except msgspec.ValidationError as error:
        yield FieldError(type=ErrorType.INVALID, field="spec", value=plain.get("spec"), detail=str(error))
        return
    name, wanted = plain["metadata"].get("name"), f"{spec.names.plural}.{spec.group}"
    if name != wanted:
        detail = 'must be spec.names.plural+"."+spec.group'
        yield FieldError(type=ErrorType.INVALID, field="metadata.name", value=name, detail=detail)
    if "." not in spec.group:
        detail = "should be a domain with at least one dot"
        yield FieldError(type=ErrorType.INVALID, field="spec.group", value=spec.group, detail=detail)
    if spec.group.endswith(_PROTECTED) and not (plain["metadata"].get("annotations") or {}).get(_APPROVED):
        detail = "protected groups must have approval annotation"
        yield FieldError(type=ErrorType.REQUIRED, field=f"metadata.annotations[{_APPROVED}]", detail=detail)
    if spec.scope not in _SCOPES:
        detail = 'supported values: "Cluster", "Namespaced"'
        yield FieldError(type=ErrorType.NOT_SUPPORTED, field="spec.scope", value=spec.scope, detail=detail)
    if sum(version.storage for version in spec.versions) != 1:
        detail = "must have exactly one version marked as storage version"
        yield FieldError(type=ErrorType.INVALID, field="spec.versions", value=plain["spec"]["versions"], detail=detail)


def _kind(spec: _Spec, served: tuple[_Version, ...]) -> Kind:
    stored = next((version.name for version in spec.versions if version.storage), served[0].name)
    return Kind(
        group=spec.group,
        kind=spec.names.kind,
        plural=spec.names.plural,
        namespaced=spec.scope == "Namespaced",
        versions=tuple(version.name for version in served),
        hub=stored,
        short_names=spec.names.short_names,
        categories=spec.names.categories,
        status=any("status" in (version.subresources or {}) for version in served),
        printed={version.name: version.additional_printer_columns for version in served},
        unconditional=False,
        deletes_to={version.name: "Status" for version in served},
    )


def establish(plain: Plain, now: Time) -> None:
    """Say that a definition is in force, in place."""
    spec = plain["spec"]
    names = spec.get("names") if isinstance(spec.get("names"), dict) else {}
    versions = spec.get("versions") if isinstance(spec.get("versions"), list) else []
    accepted = {**names, "singular": names.get("singular") or str(names.get("kind", "")).lower()}
    accepted.setdefault("listKind", f"{names.get('kind', '')}List")
    condition = {"status": "True", "lastTransitionTime": now}
    plain["status"] = {
        "acceptedNames": accepted,
        "conditions": [
            {"type": "NamesAccepted", "reason": "NoConflicts", "message": "no conflicts found", **condition},
            {"type": "Established", "reason": "InitialNamesAccepted", "message": "the initial names have been accepted",
             **condition},
        ],
        "storedVersions": [one.get("name") for one in versions if isinstance(one, dict) and one.get("storage")],
    }  # fmt: skip
