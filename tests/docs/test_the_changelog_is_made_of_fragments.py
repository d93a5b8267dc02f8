from __future__ import annotations

import importlib.util
import shutil
from pathlib import Path
from types import ModuleType

import pytest

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def changelog() -> ModuleType:
    spec = importlib.util.spec_from_file_location("changelog", ROOT / ".ci" / "changelog.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    shutil.copytree(ROOT / "changelog.d", tmp_path / "changelog.d")
    shutil.copy(ROOT / "CHANGELOG.md", tmp_path)
    return tmp_path


def test_every_fragment_is_a_list(changelog: ModuleType) -> None:
    assert changelog.faults(ROOT) == []


def test_a_release_takes_all_fragments_by_name_and_stands_before_earlier_ones(
    changelog: ModuleType, copy: Path
) -> None:
    texts = [file.read_text() for file in sorted((copy / "changelog.d").iterdir())]
    assert changelog.main(["0.2.0", "2026-12-01"], copy) == 0
    (copy / "changelog.d" / "later.md").write_text("- later\n")
    assert changelog.main(["0.3.0", "2026-12-24"], copy) == 0
    made = (copy / "CHANGELOG.md").read_text()
    assert made.startswith(changelog.HEAD + "\n## 0.3.0 (2026-12-24)\n\n- later\n")
    assert made.index("## 0.2.0 (2026-12-01)") < made.index(texts[0]) < made.index(texts[-1])
    assert list((copy / "changelog.d").iterdir()) == []


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["next", "2026-12-01"], "next is no version"),
        (["0.2.0", "today"], "today is no day"),
        (["0.2.0"], "python .ci/changelog.py"),
    ],
)
def test_a_wrong_question_changes_nothing(
    changelog: ModuleType, copy: Path, capsys: pytest.CaptureFixture[str], arguments: list[str], says: str
) -> None:
    before = (copy / "CHANGELOG.md").read_text()
    assert changelog.main(arguments, copy) == 1
    assert says in capsys.readouterr().err
    assert (copy / "CHANGELOG.md").read_text() == before


def test_text_that_is_no_list_is_refused(changelog: ModuleType, copy: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (copy / "changelog.d" / "prose.md").write_text("Something changed.\n")
    assert changelog.main(["0.2.0", "2026-12-01"], copy) == 1
    assert "prose.md: write a list" in capsys.readouterr().err
