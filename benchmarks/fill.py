"""Fill a cluster: pods placed one after another, each on the first node that can take it.

    python -m benchmarks.fill --scenario FILE [--scan first|all] [--max-pods N] [--warm-up none|templates] [--json]

`--scan first` looks as far as that node, `all` wants the answer of every node and then takes the same one. Both give
the same placements, so their digest can be compared with other programs': FNV-1a over the names of the node and of
the devices, pod after pod. Reading the file and the warm-up (one question per template, nothing placed) are not timed.
"""

from __future__ import annotations

import argparse
import gc
import json
import sys
import time
from pathlib import Path
from typing import Final

import msgspec

from benchmarks.workloads import Workload, read_workload
from dravite.allocator.fleet import Fleet, first_of
from dravite.allocator.outcomes import Allocation, StepsSpent, Unallocatable
from dravite.allocator.problem import Problem, prepare
from dravite.api.meta import ObjectRef
from dravite.api.resource_v1 import AllocationResult
from dravite.snapshot.inventory import build_inventory

_FNV_START: Final = 14695981039346656037
_FNV_PRIME: Final = 1099511628211
_64_BITS: Final = 2**64 - 1


class Report(msgspec.Struct, rename="camel", kw_only=True):
    """What came of it; the fields that `reference fill` has as well mean the same."""

    scenario: str
    scan: str
    nodes: int
    variant: str = "dravite"
    workers: int = 1
    pods: int = 0
    placed: int = 0
    feasible: int = 0
    unplaced: int = 0
    errors: int = 0
    timeouts: int = 0
    asked: int = 0
    searched: int = 0
    setup_seconds: float = 0
    seconds: float = 0
    cpu_seconds: float = msgspec.field(default=0.0, name="cpuSeconds")
    pods_per_second: float = 0
    pods_per_cpu_second: float = msgspec.field(default=0.0, name="podsPerCPUSecond")
    last_error: str = ""
    stopped_early: bool = False
    digest: str = ""


class Filling:
    """One cluster while it fills."""

    def __init__(self, workload: Workload, scan: str) -> None:
        self.report = Report(scenario=workload.name, scan=scan, nodes=len(workload.nodes))
        self._workload = workload
        self._inventory = build_inventory(
            workload.slices, workload.classes, workload.allocated, features=workload.enabled
        )
        self._fleet = Fleet(workload.nodes, self._inventory)
        self._before = (0, 0)
        self._digest = _FNV_START
        self._problems: dict[str, Problem] = {}
        for name, claims in workload.templates.items():
            problem = prepare(claims, self._inventory)
            if not isinstance(problem, Problem):
                raise SystemExit(problem.message)
            self._problems[name] = problem

    def warm_up(self) -> None:
        """Ask every template once, and place nothing."""
        for problem in self._problems.values():
            self._fleet.ask(problem)

    def place(self, number: int, template: str) -> None:
        """Give one pod the first node that can take it, and its devices to its claims."""
        report = self.report
        problem = self._problems[template].on(self._inventory)
        answers = self._fleet.ask(problem)
        report.pods += 1
        first = answers.first
        if report.scan == "all" and answers.unsure:
            first = first_of(answers.unsure)
        if first is None:
            report.unplaced += 1
            return
        outcome = self._fleet.outcome(problem, first)
        if isinstance(outcome, Allocation):
            report.placed += 1
            report.feasible += answers.fit.bit_count() if report.scan == "all" else 1
            self._commit(number, self._workload.nodes[first].metadata.name, outcome.results)
        else:
            assert not isinstance(outcome, Unallocatable)
            report.errors += 1
            report.timeouts += isinstance(outcome, StepsSpent)
            report.last_error = "steps spent" if isinstance(outcome, StepsSpent) else outcome.message

    def _commit(self, number: int, node: str, results: tuple[AllocationResult, ...]) -> None:
        usage = self._inventory.usage
        self._mix(node)
        for index, result in enumerate(results):
            usage = usage.with_claim(ObjectRef("ResourceClaim", "default", f"pod-{number}-{index}"), result)
            for device in result.devices.results:
                self._mix(device.device)
        self._inventory = self._inventory.with_usage(usage)

    def _mix(self, text: str) -> None:
        for byte in text.encode():
            self._digest = (self._digest ^ byte) * _FNV_PRIME & _64_BITS

    def note_effort(self) -> None:
        """Count what is asked and searched from here on."""
        self._before = (self._fleet.effort.asked, self._fleet.effort.searched)

    def conclude(self, seconds: float, cpu_seconds: float) -> Report:
        """The report, with figures that follow from the others."""
        report, effort = self.report, self._fleet.effort
        report.seconds, report.cpu_seconds = seconds, cpu_seconds
        report.pods_per_second = report.pods / seconds if seconds else 0.0
        report.pods_per_cpu_second = report.pods / cpu_seconds if cpu_seconds else 0.0
        report.asked, report.searched = effort.asked - self._before[0], effort.searched - self._before[1]
        report.digest = f"{self._digest:016x}"
        return report


def fill(workload: Workload, scan: str, most: int, warm_up: str) -> Report:
    """Place the pods of a workload, at most `most` if that is not zero; Ctrl-C ends it with what is placed so far."""
    start = time.perf_counter()
    filling = Filling(workload, scan)
    if warm_up == "templates":
        filling.warm_up()
    gc.collect()
    gc.freeze()
    filling.report.setup_seconds = time.perf_counter() - start
    filling.note_effort()
    cpu, start = time.process_time(), time.perf_counter()
    pods = workload.pods[: most or None]
    try:
        for number, template in enumerate(pods):
            filling.place(number, template)
            if not number % 1000 and sys.stderr.isatty():
                sys.stderr.write(f"\r{number} of {len(pods)} pods ")
    except KeyboardInterrupt:
        filling.report.stopped_early = True
    finally:
        gc.unfreeze()
    return filling.conclude(time.perf_counter() - start, time.process_time() - cpu)


def main(arguments: list[str] | None = None) -> None:
    """The command."""
    parser = argparse.ArgumentParser(prog="benchmarks.fill", description=(__doc__ or "").split("\n", 1)[0])
    parser.add_argument("--scenario", type=Path, required=True, help="workload file")
    parser.add_argument("--scan", choices=["first", "all"], default="first")
    parser.add_argument("--max-pods", type=int, default=0, help="0 means all")
    parser.add_argument("--warm-up", choices=["none", "templates"], default="templates")
    parser.add_argument("--json", action="store_true", help="one line of JSON")
    options = parser.parse_args(arguments)
    report = fill(read_workload(options.scenario), options.scan, options.max_pods, options.warm_up)
    plain = msgspec.to_builtins(report)
    if options.json:
        print(json.dumps(plain))
        return
    print(
        f"{report.scenario}: {report.pods} pods ({report.placed} placed, {report.unplaced} unplaced, "
        f"{report.errors} errors) on {report.nodes} nodes, scan {report.scan}: {report.seconds:.3f} s "
        f"({report.cpu_seconds:.3f} s CPU), {report.pods_per_cpu_second:.0f} pods per CPU second, "
        f"{report.asked} answers, {report.searched} searches, digest {report.digest}"
    )


if __name__ == "__main__":
    main()
