"""All of it in one table: `python -m benchmarks [--runs N] [--opponent PROGRAM] [--only WORD]`.

Workloads are filled by dravite and, where Go is there to build `upstream/` (or a PROGRAM with the same flags is named),
by Kubernetes' own allocator, in turn, on this machine. Figures are medians of pods per CPU second; a ratio counts only
if both made the same placements, and looked at as many nodes where all are wanted. `first sight` is dravite without
the warm-up of one question per template.
"""

from __future__ import annotations

import argparse
import json
import platform
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final, NamedTuple

from benchmarks.made_workloads import workload
from dravite import __version__
from dravite.allocator.outcomes import Unallocatable
from tests.allocator.situations import attempt, inventory
from tests.allocator.test_hard_cases_stay_short import CASES

Json = dict[str, Any]

HERE: Final = Path(__file__).parent
LARGEST: Final = {"awkward shares": 15, "many claims": 64, "a last claim that fits nowhere": 64}


class Row(NamedTuple):
    """One measurement: the workload, how it is scanned, and how many of its pods each program gets."""

    name: str
    nodes: int
    scan: str
    pods: int
    goal: float


ROWS: Final = (
    Row("one-template", 5000, "first", 2000, 20),
    Row("one-template", 5000, "all", 20, 200),
    Row("one-template", 500, "first", 4000, 15),
    Row("full", 5000, "first", 10, 200),
    Row("mixed", 500, "first", 2500, 10),
    Row("partitions", 500, "first", 1000, 10),
    Row("shared", 500, "first", 4000, 5),
)


def main() -> None:
    parser = argparse.ArgumentParser(prog="benchmarks", description=(__doc__ or "").split("\n", 1)[0])
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--opponent", help="a program that fills clusters; built from upstream/ if none is named")
    parser.add_argument("--only", default="", help="only workloads whose name contains this")
    options = parser.parse_args()
    print("\n".join(_machine()), end="\n\n", flush=True)
    with tempfile.TemporaryDirectory() as folder:
        opponent = options.opponent or _built(Path(folder))
        print("| workload | scan | pods | upstream | dravite | ratio | goal | first sight | searches |")
        print("|---|---|---:|---:|---:|---:|---:|---:|---:|", flush=True)
        for row in ROWS:
            if options.only in row.name:
                print(_measured(row, Path(folder), opponent, options.runs), flush=True)
    if not options.only:
        print("\n| hard case | size | steps | seconds |\n|---|---:|---:|---:|")
        print("\n".join(_hard_cases()))


def _machine() -> Iterator[str]:
    """What the figures were taken on."""
    models = (
        [
            line.partition(":")[2].strip()
            for line in Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
            if line.startswith("model name")
        ]
        if Path("/proc/cpuinfo").exists()
        else []
    )
    yield f"dravite {__version__}, Python {platform.python_version()}, {platform.system()} {platform.machine()}"
    yield f"{len(models)} x {models[0]}" if models else platform.processor()


def _built(folder: Path) -> str | None:
    """Kubernetes' allocator behind a command; None without Go."""
    go = shutil.which("go")
    if go is None:
        print("Go is not there: dravite's figures alone.\n")
        return None
    program = folder / "upstream"
    subprocess.run([go, "build", "-o", str(program), "."], cwd=HERE / "upstream", check=True)
    return str(program)


def _measured(row: Row, folder: Path, opponent: str | None, runs: int) -> str:
    path = folder / f"{row.name}-{row.nodes}.json"
    if not path.exists():
        path.write_text(json.dumps(workload(row.name, row.nodes)), encoding="utf-8")
    flags = ["--scenario", str(path), "--scan", row.scan, "--max-pods", str(row.pods), "--json"]
    ours: list[Json] = []
    theirs: dict[str, list[Json]] = {"1": [], "16": []}
    mine = [sys.executable, "-m", "benchmarks.fill", *flags]
    for _ in range(runs):
        ours.append(_run(mine))
        for workers, found in theirs.items():
            found += [_run([opponent, *flags, "--workers", workers])] if opponent else []
    cold = _run([*mine, "--warm-up", "none"])
    rate = _median(ours)
    upstream = max((_median(found) for found in theirs.values() if found), default=0.0)
    told = f"{rate / upstream:.0f}x" if upstream else "-"
    if any(_answer(one, row) != _answer(ours[0], row) for found in (*theirs.values(), [cold]) for one in found):
        told = "**answers differ**"
    return (
        f"| {row.name}, {row.nodes} nodes | {row.scan} | {row.pods} | {upstream:.0f} | {rate:.0f} | {told} | "
        f"≥ {row.goal:.0f}x | {cold['podsPerCPUSecond']:.0f} | {ours[0]['searched']} |"
    )


def _answer(report: Json, row: Row) -> tuple[object, ...]:
    looked = report["feasible"] if row.scan == "all" else 0
    return (report["digest"], report["placed"], report["unplaced"], report["errors"], looked)


def _median(reports: list[Json]) -> float:
    return statistics.median(report["podsPerCPUSecond"] for report in reports)


def _run(command: list[str]) -> Json:
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    report: Json = json.loads(done.stdout)
    return report


def _hard_cases() -> Iterator[str]:
    for case, make in CASES.items():
        size = LARGEST.get(case, 31)
        slices, claims = make(size)
        stock = inventory(*slices)
        start = time.perf_counter()
        outcome = attempt(stock, *claims)
        seconds = time.perf_counter() - start
        steps = outcome.steps if isinstance(outcome, Unallocatable) else str(outcome)
        yield f"| {case} | {size} | {steps} | {seconds:.3f} |"


if __name__ == "__main__":
    main()
