"""Every recorded request to create an object gets the server's answer: code, reasons, fields, order, and words."""

from __future__ import annotations

import pytest

from tests.validation.recorded import answer, expand, lines

PRINTED_BY_GO = ("MatchExpressions", "IntValue", "G_", "<now>")
"""Bad values that only Go prints so, and texts that differ from run to run."""


@pytest.mark.parametrize("key", sorted(lines()), ids="-".join)
def test_what_is_refused_is_refused_for_the_same_reasons(key: tuple[str, str, str]) -> None:
    for line in lines()[key]:
        found = answer(line)
        assert found.code == line["code"], line["name"]
        wanted = [(reason, field) for reason, field, _ in line.get("causes", ())]
        mine = [(reason, field) for reason, field, _ in found.causes]
        if any("attributes[" in field for _, field in wanted):  # Go walks maps in any order
            wanted, mine = sorted(wanted), sorted(mine)
        assert mine == wanted, line["name"]


@pytest.mark.parametrize("key", [key for key in sorted(lines()) if key[0].endswith("/v1")], ids="-".join)
def test_messages_are_kubernetes_own(key: tuple[str, str, str]) -> None:
    for line in lines()[key]:
        wanted = sorted(message for _, _, message in line.get("causes", ()))
        for mine, theirs in zip(sorted(text for _, _, text in answer(line).causes), wanted, strict=True):
            if not any(text in theirs for text in PRINTED_BY_GO):
                assert mine == expand(theirs), line["name"]


def test_unknown_fields_are_those_that_the_server_warns_of() -> None:
    for (version, kind, name), found in lines().items():
        for line in found:
            told = [text.replace("\\", "") for text in line.get("warnings", ()) if "unknown field" in text]
            if line["code"] == 201 and "v1alpha3" not in version:  # whose types keep fields of older releases
                assert sorted(answer(line).unknown) == sorted(told), (version, kind, name, line["name"])
