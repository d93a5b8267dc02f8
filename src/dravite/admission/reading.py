"""One document → one object at the hub version: decoded, converted, defaulted, without fields of gates that are off.

What is noticed on the way about this object alone is kept as problems; what is said once for many objects (a version
that is not served, a gate that is off) is kept as facts, and `notices` puts them together.
"""

from __future__ import annotations

import msgspec

from dravite.admission.internal import to_internal
from dravite.admission.problems import Subject
from dravite.api.codec import decode, decode_raw
from dravite.api.convert import to_hub
from dravite.api.defaults import default
from dravite.api.document import Document, Problem
from dravite.api.field import FieldError
from dravite.api.gated_fields import DroppedField, drop_gated
from dravite.api.json_text import plain_json
from dravite.api.meta import Model, ObjectMeta, ObjectRef
from dravite.api.registry import KindInfo, lookup
from dravite.api.releases import Profile
from dravite.validation import why_not_create
from dravite.validation.versions import at_version

LOST = "lost-in-conversion"
LETTER = "ambiguous-word"

_LETTER_TEXT = "kubectl takes this unquoted letter for true or false and the object is refused; here it is read as text"
_LETTER_HINT = "put it in quotes"


class Taken(msgspec.Struct, frozen=True, kw_only=True):
    """An object that was read, at the hub version.

    Attributes:
        ref: its identity; a namespaced object without a namespace is in the default one.
        problems: what is wrong with its text and shape. With an `error` it is not planned.
        dropped: fields that went because their gate is off.
        judged: the object in the form that a server of the release judges (`internal`).
    """

    object: Model
    judged: Model
    ref: ObjectRef
    document: Document
    info: KindInfo
    problems: tuple[Problem, ...] = ()
    dropped: tuple[DroppedField, ...] = ()

    @property
    def subject(self) -> Subject:
        return Subject(self.ref, self.document)


def take(document: Document, profile: Profile, namespace: str) -> Taken | tuple[Problem, ...]:
    """The object of a document of a kind that the registry knows, or why there is none."""
    info = lookup(document.api_version, document.kind)
    if info is None:
        message = f"not in the registry: {document.api_version} {document.kind}"
        raise LookupError(message)
    decoded = decode(document)
    if isinstance(decoded, tuple):
        space = namespace if info.scope == "Namespaced" else None
        subject = Subject(raw_ref(document, info.kind, space), document)
        return (*about(subject, document.problems), *_faults(document, subject, decoded, profile))
    defaulted = default(decoded.object, profile)
    converted = to_hub(defaulted)
    obj, dropped = drop_gated(converted.object, profile)
    obj = in_namespace(obj, info, namespace)
    form = to_internal(defaulted, profile)
    judged = obj if type(form) is type(obj) else in_namespace(drop_gated(form, profile)[0], info, namespace)
    meta: ObjectMeta = obj.metadata  # type: ignore[attr-defined]
    subject = Subject(ObjectRef(info.kind, meta.namespace, meta.name), document)
    lost = (subject.problem("warning", LOST, loss.detail, loss.path) for loss in converted.losses)
    letters = (subject.problem("warning", LETTER, _LETTER_TEXT, path, _LETTER_HINT) for path in decoded.letters)
    problems = (*about(subject, document.problems), *subject.unknown(decoded.unknown), *letters, *lost)
    return Taken(
        object=obj, judged=judged, ref=subject.ref, document=document, info=info, problems=problems, dropped=dropped
    )


def faults_of(taken: Taken, profile: Profile) -> tuple[FieldError, ...]:
    """Why a server of the profile would refuse the object by itself; paths are those of the version it is in."""
    return at_version(why_not_create(taken.judged, profile), taken.document.api_version, profile)


def _faults(
    document: Document, subject: Subject, errors: tuple[FieldError, ...], profile: Profile
) -> tuple[Problem, ...]:
    """Everything that is wrong with a document that does not fit its type."""
    info = lookup(document.api_version, document.kind)
    model = info.type_of(document.api_version) if info is not None else None
    try:
        plain = decode_raw(document)
    except (msgspec.DecodeError, RecursionError):
        return subject.errors(errors)
    if model is None or not isinstance(plain, dict):
        return subject.errors(errors)
    from dravite.admission.legible import faults  # most documents fit

    named = {**plain, "apiVersion": document.api_version, "kind": subject.ref.kind}
    return tuple(faults(named, model, subject, errors, profile))


def about(subject: Subject, problems: tuple[Problem, ...]) -> tuple[Problem, ...]:
    """The problems of a text, now that the object in it is known."""
    return tuple(msgspec.structs.replace(problem, object=str(subject.ref)) for problem in problems)


def with_metadata(obj: Model, metadata: ObjectMeta) -> Model:
    """The object with other metadata."""
    return msgspec.structs.replace(obj, metadata=metadata)


def in_namespace(obj: Model, info: KindInfo, namespace: str) -> Model:
    """A namespaced object without a namespace goes to the default one; other objects have none, whatever they say."""
    meta: ObjectMeta = obj.metadata  # type: ignore[attr-defined]
    wanted = "" if info.scope == "Cluster" else meta.namespace or namespace
    return obj if meta.namespace == wanted else with_metadata(obj, msgspec.structs.replace(meta, namespace=wanted))


def raw_ref(document: Document, kind: str, namespace: str | None = None) -> ObjectRef:
    """The identity of an object that has no type, as far as it can be made out.

    `namespace` is the default one; None means that the object's own is all there is to say.
    """
    raw = plain_json(document.body) if document.body else None
    meta = raw.get("metadata") if isinstance(raw, dict) else None
    names = meta if isinstance(meta, dict) else {}
    name, space = names.get("name"), names.get("namespace") or namespace
    return ObjectRef(kind, space if isinstance(space, str) else "", name if isinstance(name, str) else "")
