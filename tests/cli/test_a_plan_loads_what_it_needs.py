"""Half the time of a small plan is loading modules: what it leaves alone is fixed, and how models are defined."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import msgspec
import pytest

from dravite.api.field_types import struct_info
from dravite.api.meta import Model
from dravite.api.registry import KINDS

EXAMPLES = Path(__file__).parents[2] / "examples"
INPUTS = [str(EXAMPLES / "cluster"), str(EXAMPLES / "jobs")]

PROBE = """
import sys
sys.argv = ["dravite", *sys.argv[1:]]
import dravite.cli
dravite.cli.main()
sys.stderr.write(repr(sorted(sys.modules)).replace("'", '"'))
"""

MOST_MODULES = {"plan": 340, "lint": 195}
"""How many of our modules a small question loads at most; each costs a third of a millisecond."""

FOR_OTHER_ANSWERS = (
    "dravite.admission.legible",
    "dravite.admission.remedies",
    "dravite.api.convert.resource_v1alpha3",
    "dravite.api.convert.scheduling_v1alpha1",
    "dravite.cel.grammar",
    "dravite.cel.library.formats",
    "dravite.cel.library.patterns",
    "dravite.cli.labels",
    "dravite.explain.remedies.advice",
    "dravite.lifecycle.device_evictions",
    "dravite.live",
    "dravite.lint",
    "dravite.planning.gangs",
    "dravite.planning.preemptions",
    "dravite.planning.whatif",
    "dravite.render.document",
    "dravite.render.view.advice",
    "dravite.render.view.groups",
    "dravite.scheduler.gang",
    "dravite.scheduler.gang_permits",
    "dravite.scheduler.group_cycle",
    "dravite.validation.classic.claims",
    "dravite.validation.groups",
    "dravite.validation.update",
    *("asyncio", "difflib", "json", "pathlib", "shutil", "threading"),
)


@pytest.fixture(scope="module")
def loaded() -> frozenset[str]:
    return modules_of("plan", *INPUTS)


def modules_of(*question: str) -> frozenset[str]:
    """The modules that are there when a question has been answered."""
    command = [sys.executable, "-S", "-c", PROBE, *question]
    done = subprocess.run(command, capture_output=True, text=True, check=False, env=paths())  # noqa: S603
    return frozenset(json.loads(done.stderr))


def paths() -> dict[str, str]:
    """Nothing but what this interpreter finds: start-up files of the environment may load anything."""
    return {"PYTHONPATH": ":".join(sys.path)}


@pytest.mark.parametrize("module", FOR_OTHER_ANSWERS)
def test_a_plan_leaves_alone_what_other_answers_need(module: str, loaded: frozenset[str]) -> None:
    assert "dravite.planning.planner" in loaded
    assert module not in loaded


def test_a_small_plan_loads_few_modules(loaded: frozenset[str]) -> None:
    assert ours(loaded) <= MOST_MODULES["plan"]


def test_the_lint_of_one_file_loads_few_modules() -> None:
    loaded = modules_of("lint", str(EXAMPLES / "jobs" / "train-big.yaml"))
    assert "dravite.lint.check" in loaded
    assert "dravite.admission.admit" not in loaded
    assert "dravite.validation.update" not in loaded
    assert ours(loaded) <= MOST_MODULES["lint"]


def ours(loaded: frozenset[str]) -> int:
    return sum(name.startswith("dravite") for name in loaded)


def models() -> list[type[Model]]:
    """The types of all kinds and versions, with all that they hold."""
    found: dict[type[Model], None] = {}
    pending = [model for info in KINDS for model in info.types.values()]
    while pending:
        model = pending.pop()
        if model not in found:
            found[model] = None
            pending += [kind for field in struct_info(model).fields for kind in held(field.type)]
    return list(found)


def held(kind: msgspec.inspect.Type) -> list[type[Model]]:
    inner = (getattr(kind, name, ()) for name in ("types", "item_type", "value_type"))
    parts = [part for one in inner for part in (one if isinstance(one, tuple) else (one,))]
    own = [kind.cls] if isinstance(kind, msgspec.inspect.StructType) else []
    return [*own, *(model for part in parts for model in held(part))]


def test_no_type_of_a_field_is_a_text_that_every_process_compiles_again() -> None:
    assert len(models()) > 150
    for model in models():
        texts = [name for name, kind in model.__annotations__.items() if isinstance(kind, str)]
        assert not texts, f"{model.__module__}.{model.__name__}: {texts}"
