"""`dravite schema KIND.path`: what a field means, and what is wrong with a path that leads nowhere."""

from __future__ import annotations

import json

import pytest

from dravite.cli.dispatch import UsageError
from dravite.cli.schema import run


@pytest.fixture(autouse=True)
def _unbroken(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("COLUMNS", raising=False)


def answer(capsys: pytest.CaptureFixture[str], *words: str) -> str:
    assert run(list(words)) == 0
    return capsys.readouterr().out


def test_a_field_is_explained_with_what_is_in_it(capsys: pytest.CaptureFixture[str]) -> None:
    text = answer(capsys, "resourceclaim.spec.devices.requests[0].exactly.tolerations")
    lines = text.splitlines()
    assert lines[0] == (
        "ResourceClaim.spec.devices.requests.exactly.tolerations (resource.k8s.io/v1): list of DeviceToleration"
    )
    assert "It exists only where the gate DRADeviceTaints is on; else a server drops it without a word." in lines
    assert any(line.startswith("  tolerationSeconds   whole number   How long a pod may stay") for line in lines)


def test_words_that_a_field_takes_are_listed(capsys: pytest.CaptureFixture[str]) -> None:
    assert 'It takes "ExactCount" or "All".' in answer(
        capsys, "ResourceClaim.spec.devices.requests.exactly.allocationMode"
    )


def test_required_fields_are_marked(capsys: pytest.CaptureFixture[str]) -> None:
    text = answer(capsys, "ResourceSlice.spec.pool.generation")
    assert text.startswith("ResourceSlice.spec.pool.generation (resource.k8s.io/v1): whole number, required\n")


def test_older_versions_have_their_own_fields(capsys: pytest.CaptureFixture[str]) -> None:
    text = answer(capsys, "ResourceSlice.spec.devices.basic", "--api-version", "v1beta1")
    assert text.startswith("ResourceSlice.spec.devices.basic (resource.k8s.io/v1beta1): BasicDevice\n")
    with pytest.raises(UsageError, match=r"ResourceSlice\.spec\.devices has no field 'basic'"):
        run(["ResourceSlice.spec.devices.basic"])


@pytest.mark.parametrize(
    ("words", "hint"),
    [
        (("ResourceClaim.spec.device",), "did you mean devices?"),
        (("ResourceClaims.spec.devices.requests.name.x",), "it has no fields"),
        (("ResourceClam",), "did you mean ResourceClaim?"),
        (
            ("DeviceTaintRule", "--api-version", "v1beta1"),
            "it exists in resource.k8s.io/v1, resource.k8s.io/v1beta2, resource.k8s.io/v1alpha3",
        ),
        (("Pod",), "say `dravite schema` for all kinds"),
    ],
)
def test_what_does_not_exist_is_said_with_what_does(words: tuple[str, ...], hint: str) -> None:
    with pytest.raises(UsageError) as fault:
        run(list(words))
    assert fault.value.hint == hint


def test_one_kind_and_all_kinds_are_printed_as_json(capsys: pytest.CaptureFixture[str]) -> None:
    one = json.loads(answer(capsys, "deviceclasses"))
    assert one["title"] == "resource.k8s.io/v1 DeviceClass"
    assert one["x-kubernetes-group-version-kind"] == [
        {"group": "resource.k8s.io", "version": "v1", "kind": "DeviceClass"}
    ]
    every = json.loads(answer(capsys))
    assert len(every["allOf"]) > 30
