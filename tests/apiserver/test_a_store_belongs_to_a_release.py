from __future__ import annotations

import pytest

from dravite.api.releases import Profile, profile
from dravite.apiserver import ApiServer, OtherReleaseError, Settings
from dravite.store import Store


def _settings(release: str, gates: str = "") -> Settings:
    made = profile(release, gates)
    assert isinstance(made, Profile)
    return Settings(profile=made)


def test_another_release_is_told_whose_it_is() -> None:
    store = Store()
    ApiServer(store, _settings("1.36"))
    with pytest.raises(OtherReleaseError, match=r"kept by Kubernetes 1\.36, which 1\.37 does not read") as refusal:
        ApiServer(store, _settings("1.37"))
    assert refusal.value.release == "1.36"


def test_gates_may_change() -> None:
    store = Store()
    ApiServer(store, _settings("1.37", "DRAResourcePoolStatus=true"))
    assert ApiServer(store, _settings("1.37")).store is store
