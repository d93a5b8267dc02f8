"""The rules of a kind are named in a table and loaded when they are needed: every name in it must lead somewhere."""

from __future__ import annotations

import pytest

from dravite.api.meta import Model
from dravite.api.releases import newest_profile
from dravite.validation import why_not_create
from dravite.validation.create import _RULES


@pytest.mark.parametrize("kind", _RULES, ids=lambda kind: f"{kind.__module__.rpartition('.')[2]}.{kind.__name__}")
def test_an_object_without_a_name_is_refused_by_the_rules_of_its_kind(kind: type[Model]) -> None:
    errors = why_not_create(kind(), newest_profile())
    assert any(error.field == "metadata.name" for error in errors), errors
