"""`deploy/web`, `pod/vision/render-0`, `node/gpu-01`: one object of the input, by kind and name.

Kinds may be said as kubectl takes them: singular, plural or short, in any case.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from difflib import get_close_matches
from typing import Final, NamedTuple

from dravite.admission.amending import refs_of_kinds
from dravite.api.document import Document
from dravite.api.meta import ObjectRef
from dravite.api.registry import KINDS
from dravite.cli.dispatch import UsageError
from dravite.cli.flags import Flag
from dravite.cli.subjects import SHORT
from dravite.snapshot.manifests import Manifests

_SHORT: Final[Mapping[str, str]] = {
    **SHORT,
    "class": "deviceclass",
    "slice": "resourceslice",
    "template": "resourceclaimtemplate",
    "rule": "devicetaintrule",
    "taintrule": "devicetaintrule",
    "quota": "resourcequota",
    **{short: info.kind.lower() for info in KINDS for short in info.short_names},
}


class Named(NamedTuple):
    """An object as somebody named it: the flag, the kind as it was typed, and a namespace if one was said."""

    flag: Flag
    kind: str
    namespace: str
    name: str

    @property
    def text(self) -> str:
        return "/".join(part for part in (self.kind, self.namespace, self.name) if part)


def named(flag: Flag, word: str) -> Named:
    """`KIND/NAME` or `KIND/NAMESPACE/NAME`. Raises `UsageError` for anything else."""
    parts = word.split("/")
    if len(parts) not in (2, 3) or not all(parts):
        message = f"{flag.names[-1]} takes KIND/NAME or KIND/NAMESPACE/NAME, not {word!r}"
        raise UsageError(message, f"as in {flag.names[-1]} pod/ml/train-0")
    return Named(flag, parts[0], parts[1] if len(parts) == 3 else "", parts[-1])


class Objects:
    """What can be named: the documents, the pods that workloads make, and the namespaces that objects are in."""

    def __init__(self, documents: Iterable[Document], manifests: Manifests, namespace: str) -> None:
        self._documents = tuple(documents)
        self._manifests = manifests
        self._namespace = namespace

    def find(self, wanted: Named, nodes: Sequence[str]) -> ObjectRef:
        """The object. `nodes` are the names of all nodes. Raises `UsageError` with what may have been meant."""
        kinds = self._kinds(wanted.kind)
        if not kinds:
            every = sorted({one.kind.lower() for one in self._documents if one.kind} | {"node", "pod", "namespace"})
            near = get_close_matches(wanted.kind.lower(), every, n=1)
            message = f"{wanted.flag.names[-1]} {wanted.text}: there is no object of kind {wanted.kind}"
            raise UsageError(message, f"did you mean {near[0]}?" if near else f"kinds here: {', '.join(every)}")
        refs = list(dict.fromkeys(self._refs(kinds, nodes)))
        space = wanted.namespace or self._namespace
        for ref in refs:
            if ref.name == wanted.name and ref.namespace in ("", space):
                return ref
        message = f"{wanted.flag.names[-1]} {wanted.text}: there is no such object"
        if any(ref.namespace for ref in refs):
            message += f" in namespace {space}"
        raise UsageError(message, _meant(wanted, refs))

    def _kinds(self, text: str) -> frozenset[str]:
        """The kinds of objects here that somebody means who types this."""
        said = text.lower().partition(".")[0]
        said = _SHORT.get(said) or _SHORT.get(said.removesuffix("s"), said)
        known = {one.kind for one in self._documents if one.kind} | {"Node", "Pod", "Namespace"}
        return frozenset(kind for kind in known if said in _spelled(kind.lower()))

    def _refs(self, kinds: frozenset[str], nodes: Iterable[str]) -> Iterator[ObjectRef]:
        if "Node" in kinds:
            yield from (ObjectRef("Node", "", name) for name in nodes)
        if "Pod" in kinds:
            pods = (planned.pod.metadata for planned in self._manifests.pods)
            yield from (ObjectRef("Pod", meta.namespace, meta.name) for meta in pods)
        if "Namespace" in kinds:
            yield from (ObjectRef("Namespace", "", name) for name in self._namespaces())
        yield from refs_of_kinds(self._documents, kinds - {"Node", "Pod", "Namespace"}, self._namespace)

    def _namespaces(self) -> list[str]:
        """Those that were read, and those that objects are in."""
        return sorted(
            {ref.name if ref.kind == "Namespace" else ref.namespace for ref in self._manifests.origins} - {""}
        )


def _spelled(kind: str) -> tuple[str, ...]:
    """A kind in lower case as people write it: one or many."""
    return (kind, f"{kind}s", f"{kind}es", f"{kind[:-1]}ies" if kind.endswith("y") else kind)


def _meant(wanted: Named, refs: Sequence[ObjectRef]) -> str | None:
    elsewhere = sorted({ref.namespace for ref in refs if ref.name == wanted.name})
    if elsewhere:
        return f"it is in namespace {elsewhere[0]}: say {wanted.kind}/{elsewhere[0]}/{wanted.name}"
    near = get_close_matches(wanted.name, [ref.name for ref in refs], n=1)
    if near:
        ref = next(ref for ref in refs if ref.name == near[0])
        return f"did you mean {'/'.join(part for part in (wanted.kind, ref.namespace, ref.name) if part)}?"
    names = ", ".join(sorted(ref.name for ref in refs)[:8])
    return f"objects of this kind: {names}" if names else None
