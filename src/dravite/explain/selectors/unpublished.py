"""Names in selectors, constraints and capacity requests that the devices asked do not publish."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from dravite.api.near import near_names
from dravite.cel import CelError
from dravite.diagnosis.reasons import AttributeMissing, CapacityMissing, ConstraintID
from dravite.explain.explanation import RequestFinding
from dravite.explain.insights import NameInsight
from dravite.explain.selectors.clauses import demand, split
from dravite.explain.selectors.judging import Judged, paths_of, verdicts_of
from dravite.explain.selectors.published import Located, has, name_insight
from dravite.snapshot.device_paths import DevicePath
from dravite.snapshot.selector_verdicts import SelectorVerdicts, compiled_selector


def of_selector(judged: Judged, memory: SelectorVerdicts) -> tuple[NameInsight, ...]:
    """Names that a selector reads in vain: each clause is judged on the devices that the clauses before it admit."""
    parts = split(judged.asked.expression)
    if any(isinstance(compiled_selector(part.text), CelError) for part in parts):
        return ()
    found: dict[DevicePath, NameInsight] = {}
    reached = judged.kinds()
    for part in parts:
        verdicts = verdicts_of(part.text, [kind[0] for kind in reached], memory)
        failing = [kind for kind, verdict in zip(reached, verdicts, strict=True) if verdict is not True]
        for path in paths_of(part, demand(part.text)):
            if path not in found and any(not has(kind[0], path) for kind in failing):
                devices = [seen for kind in reached for seen in kind]
                insight = name_insight(judged.asked.id, judged.asked.request, path, devices)
                found.update({path: insight} if insight is not None else {})
        admitted = tuple(kind for kind, verdict in zip(reached, verdicts, strict=True) if verdict is True)
        reached = admitted or reached
    return tuple(found.values())


def of_findings(findings: Iterable[RequestFinding], devices: Sequence[Located]) -> tuple[NameInsight, ...]:
    """Attributes that constraints want and capacities that requests want, of devices that are refused for it."""
    lacking: dict[tuple[ConstraintID, str, str], list[Located]] = {}
    by_id = {seen.id: seen for seen in devices}
    for finding in findings:
        for group in finding.refusals:
            for rejection in group.rejections:
                if rejection.device not in by_id:
                    continue
                match rejection:
                    case AttributeMissing(device=device, constraint=constraint, attribute=name):
                        lacking.setdefault((constraint, finding.request, name), []).append(by_id[device])
                    case CapacityMissing(device=device, capacity=name):
                        asked = capacity_id(finding, name)
                        lacking.setdefault((asked, finding.request, name), []).append(by_id[device])
    found = (_of_devices(*key, without) for key, without in lacking.items())
    return tuple(insight for insight in found if insight is not None)


def capacity_id(finding: RequestFinding, name: str) -> ConstraintID:
    """Where a request asks for a capacity."""
    request = finding.demand.path.rpartition(".")[0]
    return ConstraintID(finding.demand.object, f"{request}.capacity.requests[{name}]")


def _of_devices(asked: ConstraintID, request: str, name: str, lacking: list[Located]) -> NameInsight | None:
    if not asked.path.endswith("]"):
        domain, _, bare = name.partition("/")
        return name_insight(asked, request, DevicePath("attributes", domain, bare), lacking)
    published = sorted({key for seen in lacking for key in seen.device.capacity})
    alike = near_names(name.rpartition("/")[2], published) or near_names(name, published)
    if not alike and len(published) == 1:
        alike = tuple(published)
    return NameInsight(
        asked_by=asked,
        request=request,
        path=DevicePath("capacity", "", name),
        problem="name-unknown",
        having=0,
        devices=len(lacking),
        near=tuple(DevicePath("capacity", "", one) for one in alike),
        lacking=tuple(seen.id for seen in lacking),
    )
