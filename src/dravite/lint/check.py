"""All rules over all objects, in one order."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Final

import msgspec

from dravite.admission.problems import in_order
from dravite.api.document import Problem
from dravite.api.documents import NO_MANIFEST
from dravite.lint import admitted, books, claims, configs, pools, quotas, references, selectors, taints, topology
from dravite.lint.codes import RULES, UNPARSED
from dravite.lint.reading import Asked, Read, read_document, twice
from dravite.lint.world import World


class Findings(msgspec.Struct, frozen=True, kw_only=True):
    """What lint has to say.

    Attributes:
        problems: the findings, by file and line.
        objects: how many objects were looked at.
        passed_over: files of folders that hold no manifests.
        unchecked: kinds of which names could not be followed, with how many.
    """

    problems: tuple[Problem, ...]
    objects: int = 0
    passed_over: int = 0
    unchecked: tuple[tuple[str, int], ...] = ()


def lint(asked: Asked) -> Findings:
    """Everything that is wrong with the documents, or worth a second look, in order of file and line."""
    read = [read_document(document, asked, around=False) for document in asked.documents]
    around = [read_document(document, asked, around=True) for document in asked.around]
    world = _world(read, around, asked)
    problems = [
        *(problem for one in read for problem in one.problems),
        *(problem for one in around for problem in one.problems if problem.type in UNPARSED),
        *twice([item for item in world.items if not item.around]),
        *(problem for rule in _RULES for problem in rule(world)),
    ]
    files = [document.origin.file for document in (*asked.documents, *asked.around)]
    told = (_with_severity(problem) for problem in problems if problem.type != NO_MANIFEST)
    return Findings(
        problems=in_order(told, files),
        objects=sum(1 for document in asked.documents if document.body),
        passed_over=sum(1 for problem in problems if problem.type == NO_MANIFEST),
        unchecked=references.unchecked(world),
    )


_RULES: Final[tuple[Callable[[World], Iterator[Problem]], ...]] = (
    admitted.of_admission,
    quotas.of_quotas,
    references.dangling,
    claims.of_pods,
    claims.of_claims,
    claims.of_groups,
    selectors.of_selectors,
    configs.of_configs,
    pools.of_pools,
    books.of_books,
    books.of_resources,
    taints.of_tolerations,
    taints.of_rules,
    topology.of_topology,
)


def _world(read: list[Read], around: list[Read], asked: Asked) -> World:
    every = (*around, *read)
    return World(
        profile=asked.profile,
        items=tuple(item for one in every for item in one.items),
        pods=tuple(pod for one in every for pod in one.pods),
        mentioned=frozenset(ref for one in every for ref in one.mentioned),
        quotas=tuple(quota for one in every for quota in one.quotas),
        complete=asked.complete,
    )


_STRICTER: Final[Mapping[str, str]] = {"unknown-field": "error", "ambiguous-word": "error"}
"""What kubectl refuses, though a server asked in another way would not."""


def _with_severity(problem: Problem) -> Problem:
    """Unknown fields are refused by kubectl, which asks for strict decoding."""
    if problem.type in _STRICTER:
        return msgspec.structs.replace(problem, severity=RULES[problem.type].severity)
    return problem
