"""JSON Schema of the documents that `-o json` prints, made from the types that they are made from.

A document's own keys are described here by hand; typed reasons are read off their classes, so that a new reason is
in the schema the moment it can be printed.
"""

from __future__ import annotations

import types
from collections.abc import Mapping
from typing import Any, Final, Literal, Union, get_args, get_origin, get_type_hints

import msgspec

from dravite.api.meta import Model, ObjectRef, wire_name
from dravite.diagnosis.findings import PoolFinding
from dravite.diagnosis.verdicts import AttemptError
from dravite.explain import insights
from dravite.explain.explanation import DeviceStory, NearestMiss, NodeGroup, SelectorFailure
from dravite.explain.groups.explanation import Demand, DomainStory, GroupRemedy, OtherWays
from dravite.explain.notes import Note
from dravite.explain.remedies.advice import Remedy
from dravite.planning.enough import Enough
from dravite.planning.leaving import Cause, RuleReach
from dravite.planning.plan import Preempted
from dravite.planning.supposed import Supposed
from dravite.planning.whatif import Turn
from dravite.render.report import API_VERSION
from dravite.snapshot.device_reports import ClaimReport
from dravite.snapshot.survey import PoolSurvey

Schema = dict[str, Any]

DIALECT: Final = "https://json-schema.org/draft/2020-12/schema"

_TEXT: Final[Schema] = {"type": "string"}
_MAYBE: Final[Schema] = {"type": ["string", "null"]}
_SCALARS: Final[Mapping[Any, Schema]] = {
    str: _TEXT,
    int: {"type": "integer"},
    bool: {"type": "boolean"},
    float: {"type": "number"},
    type(None): {"type": "null"},
}


class SchemaMaker:
    """Collects the definitions of all types that it meets."""

    def __init__(self) -> None:
        self.definitions: dict[str, Schema] = {}

    def of(self, kind: Any) -> Schema:
        """The schema of a type as `document.typed` prints it."""
        if kind in _SCALARS:
            return _SCALARS[kind]
        if isinstance(kind, type) and issubclass(kind, msgspec.Struct):
            return self._struct(kind)
        origin, arguments = get_origin(kind), get_args(kind)
        if origin is Literal:
            return {"enum": list(arguments)}
        if origin in (Union, types.UnionType):
            return {"anyOf": [self.of(one) for one in arguments]}
        if origin in (tuple, list, frozenset):
            return self._items(arguments)
        if origin is not None and issubclass(origin, Mapping):
            return {"type": "object", "additionalProperties": self.of(arguments[1])}
        return {}

    def _items(self, arguments: tuple[Any, ...]) -> Schema:
        if len(arguments) == 2 and arguments[1] is Ellipsis:
            return {"type": "array", "items": self.of(arguments[0])}
        if len(arguments) == 1:
            return {"type": "array", "items": self.of(arguments[0])}
        return {"type": "array", "prefixItems": [self.of(one) for one in arguments], "items": False}

    def _struct(self, kind: type[msgspec.Struct]) -> Schema:
        if issubclass(kind, Model):
            return {"type": "object", "description": f"{kind.__name__} as in Kubernetes' API"}
        name = kind.__name__
        if name not in self.definitions:
            self.definitions[name] = {}
            self.definitions[name] = self._definition(kind)
        return {"$ref": f"#/$defs/{name}"}

    def _definition(self, kind: type[msgspec.Struct]) -> Schema:
        hints = get_type_hints(kind)
        properties = {wire_name(field): self.of(hints[field]) for field in kind.__struct_fields__}
        if kind is not ObjectRef:
            properties = {"type": {"const": kind.__name__}, **properties}
        made: Schema = {"type": "object", "properties": properties, "required": list(properties)}
        if kind.__doc__:
            made = {"description": " ".join(kind.__doc__.split("\n\n")[0].split()), **made}
        return made


def closed(properties: Schema) -> Schema:
    """An object that has all of these keys."""
    return {"type": "object", "properties": properties, "required": list(properties)}


def listed(items: Schema) -> Schema:
    return {"type": "array", "items": items}


BLOCK: Final = closed(
    {
        "title": _TEXT,
        "rows": listed(closed({"cells": listed(_TEXT), "source": listed(_TEXT)})),
        "folded": {"type": "integer"},
    }
)
PROBLEM: Final = closed(
    {
        "file": _MAYBE,
        "line": {"type": ["integer", "null"]},
        "object": _TEXT,
        "field": _MAYBE,
        "type": _TEXT,
        "severity": {"enum": ["error", "warning", "info"]},
        "message": _TEXT,
        "hint": _MAYBE,
    }
)
CLAIM: Final = closed(
    {
        "name": _TEXT,
        "claim": _MAYBE,
        "generateName": _MAYBE,
        "allocation": {
            "type": ["object", "null"],
            "description": "AllocationResult of resource.k8s.io/v1 as on the wire",
        },
    }
)


SAID: Final = closed(
    {
        "source": {"enum": ["condition", "event"]},
        "speaker": _TEXT,
        "reason": _TEXT,
        "message": _TEXT,
        "at": _MAYBE,
        "count": {"type": "integer"},
        "meaning": _TEXT,
    }
)


def pod_schema(reasons: Schema) -> Schema:
    """One pod of a plan or an explanation."""
    return closed(
        {
            "namespace": _TEXT,
            "name": _TEXT,
            "owner": {"anyOf": [closed({"kind": _TEXT, "name": _TEXT}), {"type": "null"}]},
            "inferredName": {"type": "boolean"},
            "verdict": {"enum": ["scheduled", "unschedulable", "aborted", "waiting"]},
            "certainty": {"enum": ["proven", "not-found", "budget-spent"]},
            "node": _MAYBE,
            "tied": listed(_TEXT),
            "reason": _MAYBE,
            "upstreamMessage": _MAYBE,
            "said": listed(SAID),
            "claims": listed(CLAIM),
            "message": _TEXT,
            "evidence": listed(BLOCK),
            "hints": listed(closed({"text": _TEXT, "command": _MAYBE})),
            "notes": listed(_TEXT),
            "reasons": listed(reasons),
        }
    )


def group_schema(reasons: Schema) -> Schema:
    """One PodGroup of a plan or an explanation."""
    return closed(
        {
            "namespace": _TEXT,
            "name": _TEXT,
            "root": closed({"kind": _TEXT, "name": _TEXT}),
            "verdict": {"enum": ["scheduled", "unschedulable", "aborted", "waiting"]},
            "certainty": {"enum": ["proven", "not-found", "budget-spent"]},
            "minCount": {"type": ["integer", "null"]},
            "topologyKey": _MAYBE,
            "domain": _MAYBE,
            "tied": listed(_TEXT),
            "clash": listed({"enum": list(get_args(Demand))}),
            "otherWays": {"enum": list(get_args(OtherWays))},
            "pods": listed(_TEXT),
            "running": {"type": "integer"},
            "reason": _MAYBE,
            "upstreamMessage": _MAYBE,
            "message": _TEXT,
            "evidence": listed(BLOCK),
            "hints": listed(closed({"text": _TEXT, "command": _MAYBE})),
            "reasons": listed(reasons),
        }
    )


PLACE: Final = {
    "anyOf": [
        closed(
            {
                "state": {"enum": ["running", "scheduled", "unschedulable", "aborted", "waiting", "preempted"]},
                "node": _MAYBE,
                "claims": listed(CLAIM),
            }
        ),
        {"type": "null"},
    ]
}


def what_if_schema(maker: SchemaMaker) -> Schema:
    """The keys of a WhatIf that are its own."""
    pod = {
        "namespace": _TEXT,
        "name": _TEXT,
        "owner": {"anyOf": [closed({"kind": _TEXT, "name": _TEXT}), {"type": "null"}]},
        "becomes": {"enum": list(get_args(Turn))},
        "before": PLACE,
        "after": PLACE,
        "cause": {"anyOf": [*(maker.of(kind) for kind in get_args(Cause)), {"type": "null"}]},
        "afterSeconds": {"type": ["integer", "null"]},
        "madeAgain": {"type": ["boolean", "null"]},
    }
    return {
        "message": _TEXT,
        "changes": listed({"anyOf": [maker.of(kind) for kind in get_args(Supposed)]}),
        "enough": {"anyOf": [maker.of(Enough), {"type": "null"}]},
        "pods": listed(closed(pod)),
        "answers": listed(pod_schema({"anyOf": [maker.of(kind) for kind in REASONS]})),
        "groups": listed(group_schema({"anyOf": [maker.of(kind) for kind in GROUP_REASONS]})),
        "rules": listed(maker.of(RuleReach)),
        "same": {"type": "integer"},
        "waiting": listed(maker.of(ObjectRef)),
        "evidence": listed(BLOCK),
        "summary": _TEXT,
    }


def document_schema(kind: str, body: Schema, definitions: Mapping[str, Schema]) -> Schema:
    """The schema of a whole document of one kind."""
    head = {"apiVersion": {"const": API_VERSION}, "kind": {"const": kind}}
    tail = {"notes": listed(_TEXT), "problems": listed(PROBLEM)}
    return {
        "$schema": DIALECT,
        "title": f"dravite {kind}",
        **closed({**head, **body, **tail}),
        "$defs": {name: definitions[name] for name in sorted(definitions)},
    }


REASONS: Final[tuple[type, ...]] = (
    insights.MissingName,
    SelectorFailure,
    AttemptError,
    NodeGroup,
    insights.SelectorInsight,
    insights.NameInsight,
    insights.ConstraintInsight,
    insights.AmountInsight,
    insights.UnmetLabel,
    PoolFinding,
    insights.Holding,
    NearestMiss,
    DeviceStory,
    *get_args(Note),
    Remedy,
)
"""What may stand in `reasons` of a pod, in the order in which it stands there."""


GROUP_REASONS: Final[tuple[type, ...]] = (DomainStory, Preempted, GroupRemedy)
"""What may stand in `reasons` of a group, in the order in which it stands there."""


def schemas() -> Mapping[str, Schema]:
    """The schemas of all documents by their kind."""
    maker = SchemaMaker()
    reasons: Schema = {"anyOf": [maker.of(kind) for kind in REASONS]}
    of_groups: Schema = {"anyOf": [maker.of(kind) for kind in GROUP_REASONS]}
    pods = {"pods": listed(pod_schema(reasons)), "groups": listed(group_schema(of_groups))}
    claim_maker = SchemaMaker()
    claim = claim_maker.of(ClaimReport)
    pool_maker = SchemaMaker()
    pool = pool_maker.of(PoolSurvey)
    pools = {"pools": listed(pool), "evidence": listed(BLOCK), "summary": listed(_TEXT)}
    what_if_maker = SchemaMaker()
    what_if = what_if_schema(what_if_maker)
    return {
        "Plan": document_schema("Plan", {**pods, "summary": _TEXT}, maker.definitions),
        "Explanation": document_schema("Explanation", pods, maker.definitions),
        "WhatIf": document_schema("WhatIf", what_if, what_if_maker.definitions),
        "Pools": document_schema("Pools", pools, pool_maker.definitions),
        "Claims": document_schema("Claims", {"claims": listed(claim), "summary": _TEXT}, claim_maker.definitions),
        "Lint": document_schema("Lint", {"summary": _TEXT}, {}),
    }
