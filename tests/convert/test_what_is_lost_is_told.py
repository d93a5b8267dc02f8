"""What a version cannot say, kinds that it does not have, and files that cannot be read: with exit codes."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from dravite.cli.convert import chosen_targets, run
from dravite.cli.dispatch import UsageError

CLASSIC = """\
apiVersion: resource.k8s.io/v1alpha3
kind: ResourceClaim
metadata: {name: c, namespace: ml}
spec:
  controller: old.example.com # classic
  devices:
    requests:
    - name: a
      deviceClassName: gpu
"""
LATER = """\
apiVersion: resource.k8s.io/v1
kind: DeviceClass
metadata: {name: gpu}
spec:
  extendedResourceName: example.com/gpu # later
  selectors:
  - cel: {expression: "true"}
"""
RULE = """\
apiVersion: resource.k8s.io/v1
kind: DeviceTaintRule
metadata: {name: r}
spec: {taint: {key: k, effect: None}}
"""


def answer(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[str, str, int]:
    code = run(list(words))
    said = capsys.readouterr()
    return said.out, said.err, code


@pytest.fixture
def file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path / "m.yaml"


def test_a_field_of_the_old_version_goes_and_is_told(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file.write_text(CLASSIC)
    out, err, code = answer(capsys, "m.yaml", "--to", "resource.k8s.io/v1")
    assert code == 1
    assert "controller" not in out
    assert out.endswith("    - name: a\n      exactly:\n        deviceClassName: gpu\n")
    assert "drivers with a control plane controller were removed in 1.32" in err
    assert "m.yaml:5   ResourceClaim ml/c   spec.controller" in err


def test_a_field_of_a_later_version_goes_and_is_told(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file.write_text(LATER)
    out, err, code = answer(capsys, "m.yaml", "--to", "resource.k8s.io/v1alpha3")
    assert code == 1
    assert "extendedResourceName" not in out
    assert "resource.k8s.io/v1alpha3 has no such field" in err


def test_a_kind_that_the_version_does_not_have_stays(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file.write_text(RULE)
    out, err, code = answer(capsys, "m.yaml", "--to", "resource.k8s.io/v1beta1")
    assert (out, code) == (RULE, 1)
    assert "DeviceTaintRule does not exist in resource.k8s.io/v1beta1 and stays as it is" in err


def test_what_is_no_manifest_stays_and_is_no_fault(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file.write_text("replicas: 3\n---\n" + RULE)
    out, err, code = answer(capsys, "m.yaml", "--to", "resource.k8s.io/v1beta2")
    assert (out, err, code) == ("replicas: 3\n---\n" + RULE.replace("/v1\n", "/v1beta2\n"), "", 0)
    file.write_text("kind: ResourceClaim\n")
    assert answer(capsys, "m.yaml", "--to", "resource.k8s.io/v1")[2] == 1


def test_an_unknown_field_is_no_loss_and_stays(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file.write_text(CLASSIC.replace("  controller: old.example.com # classic\n", "  contorller: x\n"))
    out, err, code = answer(capsys, "m.yaml", "--to", "resource.k8s.io/v1")
    assert (err, code) == ("", 0)
    assert "  contorller: x\n" in out


def test_what_cannot_be_read_stays_and_ends_in_2(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file.write_text("a: [\n---\n" + LATER)
    out, _, code = answer(capsys, "m.yaml", "--to", "resource.k8s.io/v1beta2")
    assert (out, code) == ("a: [\n---\n" + LATER.replace("/v1\n", "/v1beta2\n"), 2)
    assert answer(capsys, "gone.yaml", "--to", "resource.k8s.io/v1")[2] == 2


def test_in_place_only_changed_files_are_written_and_keep_their_mode(
    file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    other = file.with_name("other.yaml")
    file.write_text(LATER)
    file.chmod(0o640)
    other.write_text(RULE)
    before = other.stat().st_mtime_ns
    out, err, code = answer(capsys, ".", "--to", "resource.k8s.io/v1beta2", "--in-place")
    assert (err, code) == ("", 0)
    assert (
        out == "./m.yaml: 1 object converted\n./other.yaml: 1 object converted\n2 objects converted in 2 of 2 files.\n"
    )
    assert file.read_text() == LATER.replace("/v1\n", "/v1beta2\n")
    assert file.stat().st_mode & 0o777 == 0o640
    assert other.stat().st_mtime_ns > before
    assert sorted(os.listdir(file.parent)) == ["m.yaml", "other.yaml"]
    out, _, _ = answer(capsys, ".", "--to", "resource.k8s.io/v1beta2", "--in-place")
    assert out == "Nothing converted in 2 files.\n"


@pytest.mark.parametrize(
    ("versions", "hint"),
    [
        ((), "say --to resource.k8s.io/v1"),
        (("resource.k8s.io/v2",), "did you mean resource.k8s.io/v1?"),
        (("resource.k8s.io/v1", "resource.k8s.io/v1beta1"), "convert in two runs"),
    ],
)
def test_versions_that_cannot_be_meant(versions: tuple[str, ...], hint: str) -> None:
    with pytest.raises(UsageError) as fault:
        chosen_targets(versions)
    assert fault.value.hint == hint


def test_groups_of_one_version_are_no_targets() -> None:
    with pytest.raises(UsageError, match="nothing can be converted to 'policy/v1'") as fault:
        chosen_targets(("policy/v1",))
    assert {one.partition("/")[0] for one in fault.value.hint.removeprefix("there are ").split(", ")} == {
        "resource.k8s.io",
        "scheduling.k8s.io",
    }


def test_standard_input_is_not_written_in_place() -> None:
    with pytest.raises(UsageError, match="standard input cannot be written in place"):
        run(["-", "--to", "resource.k8s.io/v1", "--in-place"])
