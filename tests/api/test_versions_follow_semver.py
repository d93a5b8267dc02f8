"""Versions: the precedence of semver.org, and Kubernetes' reasons why a text is none."""

from __future__ import annotations

import pytest

from dravite.api.semver import Semver, SemverError

ASCENDING = (
    *("0.0.0", "0.9.9", "1.0.0-alpha", "1.0.0-alpha.1", "1.0.0-alpha.beta", "1.0.0-beta", "1.0.0-beta.2"),
    *("1.0.0-beta.11", "1.0.0-rc.1", "1.0.0", "1.0.1", "1.2.0", "1.10.0", "12.4.1", "18446744073709551615.0.0"),
)


def test_order_is_precedence() -> None:
    versions = [Semver.parse(text) for text in ASCENDING]
    assert sorted(versions, key=lambda version: version.precedence) == versions
    assert [version.text for version in sorted(set(versions))] == list(ASCENDING)
    for place, version in enumerate(versions):
        assert all(version < later and version != later for later in versions[place + 1 :])


def test_build_metadata_counts_only_as_text() -> None:
    plain, built = Semver.parse("1.2.3-rc.1"), Semver.parse("1.2.3-rc.1+build.7")
    assert plain == built
    assert hash(plain) == hash(built)
    assert (plain.text, built.text) == ("1.2.3-rc.1", "1.2.3-rc.1+build.7")


def test_the_parts() -> None:
    version = Semver.parse("1.20.300-rc.1.x-7+build")
    assert (version.major, version.minor, version.patch, version.prerelease) == (1, 20, 300, ("rc", 1, "x-7"))


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "Version string empty"),
        ("1.2", "No Major.Minor.Patch elements found"),
        ("v1.2.3", 'Invalid character(s) found in major number "v1"'),
        ("01.2.3", 'Major number must not contain leading zeroes "01"'),
        ("1.02.3", 'Minor number must not contain leading zeroes "02"'),
        ("1.2.03", 'Patch number must not contain leading zeroes "03"'),
        ("1.2.3-", "Prerelease is empty"),
        ("1.2.3-rc..1", "Prerelease is empty"),
        ("1.2.3-01", 'Numeric PreRelease version must not contain leading zeroes "01"'),
        ("1.2.3+", "Build meta data is empty"),
        ("1.2.3+a_b", 'Invalid character(s) found in build meta data "a_b"'),
        ("1.2.3.4", 'Invalid character(s) found in patch number "3.4"'),
        ("18446744073709551616.0.0", 'strconv.ParseUint: parsing "18446744073709551616": value out of range'),
    ],
)
def test_what_is_no_version(text: str, reason: str) -> None:
    assert Semver.read(text) == reason
    with pytest.raises(SemverError) as caught:
        Semver.parse(text)
    assert str(caught.value) == reason
