"""How long the everyday commands take: a small folder planned, a thousand files linted, a large list validated.

    python -m benchmarks.commands [--runs N]

Commands are timed from process start to the end of the process, on the clock and in CPU time; the best of some runs
counts. The input is made here, or is that of `examples/`. Exit code 1 where something takes longer than it may.
"""

from __future__ import annotations

import argparse
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Final, NamedTuple

import msgspec

from benchmarks.decoding import resource_slice
from dravite.api.releases import newest_profile
from dravite.api.resource_v1 import ResourceSliceList
from dravite.validation import why_not_create

EXAMPLES: Final = Path(__file__).parent.parent / "examples"
FILES: Final = 1_000
SLICES: Final = 2_000

KINDS: Final = (
    """\
apiVersion: resource.k8s.io/v1
kind: ResourceClaimTemplate
metadata: {name: template-NUMBER, namespace: team-a}
spec:
  spec:
    devices:
      requests:
      - name: gpu
        exactly:
          deviceClassName: gpu.example.com
          selectors:
          - cel:
              expression: device.capacity["gpu.example.com"].memory.compareTo(quantity("40Gi")) >= 0
""",
    """\
apiVersion: batch/v1
kind: Job
metadata: {name: job-NUMBER, namespace: team-a}
spec:
  template:
    spec:
      restartPolicy: Never
      containers:
      - name: main
        image: example.com/job:1
        resources: {claims: [{name: gpu}], requests: {cpu: "1", memory: 1Gi}}
      resourceClaims: [{name: gpu, resourceClaimTemplateName: template-NUMBER}]
""",
    """\
apiVersion: v1
kind: Pod
metadata: {name: pod-NUMBER, namespace: team-a}
spec:
  containers:
  - name: main
    image: example.com/job:1
    resources: {claims: [{name: gpu}]}
  resourceClaims: [{name: gpu, resourceClaimName: claim-NUMBER}]
""",
    """\
apiVersion: resource.k8s.io/v1
kind: ResourceClaim
metadata: {name: claim-NUMBER, namespace: team-a}
spec: {devices: {requests: [{name: gpu, exactly: {deviceClassName: gpu.example.com}}]}}
""",
)


class Taken(NamedTuple):
    """Seconds on the clock, and of CPU time."""

    clock: float
    cpu: float


def folder(path: Path) -> None:
    """A thousand manifests of four kinds, in ten folders."""
    for number in range(FILES):
        inside = path / f"part-{number % 10}"
        inside.mkdir(exist_ok=True)
        text = KINDS[number % len(KINDS)].replace("NUMBER", str(number // len(KINDS)))
        (inside / f"{number:04d}.yaml").write_text(text, encoding="utf-8")


def command(*words: str) -> Taken:
    """One run of dravite."""
    before, start = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    done = subprocess.run([sys.executable, "-m", "dravite", *words], stdout=subprocess.DEVNULL, check=False)
    clock, after = time.perf_counter() - start, resource.getrusage(resource.RUSAGE_CHILDREN)
    assert done.returncode in (0, 1)
    return Taken(clock, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)


def validation() -> Taken:
    """All rules for slices with sixteen devices each."""
    items = [resource_slice(number) for number in range(SLICES)]
    body = {"apiVersion": "resource.k8s.io/v1", "kind": "ResourceSliceList", "metadata": {}, "items": items}
    slices = ResourceSliceList.from_json(msgspec.json.encode(body)).items
    profile = newest_profile()
    cpu, start = time.process_time(), time.perf_counter()
    assert not any(why_not_create(one, profile) for one in slices)
    return Taken(time.perf_counter() - start, time.process_time() - cpu)


def main() -> int:
    parser = argparse.ArgumentParser(prog="benchmarks.commands", description=(__doc__ or "").split("\n", 1)[0])
    parser.add_argument("--runs", type=int, default=5)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as made:
        folder(Path(made))
        measured: tuple[tuple[str, float, Callable[[], Taken]], ...] = (
            ("dravite --version", 0.05, lambda: command("--version")),
            ("dravite plan examples", 0.15, lambda: command("plan", str(EXAMPLES / "cluster"), str(EXAMPLES / "jobs"))),
            (f"dravite lint, {FILES} files", 2.0, lambda: command("lint", made)),
            (f"validation of {SLICES} slices with 16 devices", 1.0, validation),
        )
        kept = True
        print("| what | seconds | CPU seconds | limit |\n|---|---:|---:|---:|")
        for name, limit, run in measured:
            runs = [run() for _ in range(options.runs)]
            clock, cpu = min(one.clock for one in runs), min(one.cpu for one in runs)
            kept &= cpu <= limit
            print(f"| {name} | {clock:.3f} | {cpu:.3f} | {limit} |", flush=True)
    return 0 if kept else 1


if __name__ == "__main__":
    sys.exit(main())
