"""`--pod-templates FILE`: kinds that the user adds to those whose pod templates dravite knows."""

from __future__ import annotations

from collections.abc import Sequence

from dravite.api.document import Problem
from dravite.api.json_text import plain_json
from dravite.cli.dispatch import UsageError
from dravite.sources import read
from dravite.workloads import BUILT_IN, PodTemplates, parse_pod_templates


def known_kinds(paths: Sequence[str]) -> PodTemplates:
    """The built-in kinds and those of the files; a later file wins. Raises `UsageError` with all that is wrong."""
    known = dict(BUILT_IN)
    for path in paths:
        known |= _of_file(path)
    return known


def _is_fault(problem: Problem) -> bool:
    """The file is no Kubernetes object, so it has neither apiVersion nor kind."""
    return problem.severity == "error" and problem.field not in ("apiVersion", "kind")


def _of_file(path: str) -> PodTemplates:
    documents = read([path])
    faults = [problem.message for document in documents for problem in document.problems if _is_fault(problem)]
    table: PodTemplates = {}
    for document in documents:
        if document.body:
            found = parse_pod_templates(plain_json(document.body))
            if isinstance(found, tuple):
                faults += [f"{error.field}: {error.detail}" for error in found]
            else:
                table = {**table, **found}
    if faults:
        message = f"--pod-templates {path}: {'; '.join(faults)}"
        raise UsageError(message, "docs/reference/pod-templates.md describes the file")
    return table
