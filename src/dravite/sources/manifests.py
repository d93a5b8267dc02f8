"""The library's first step: paths → typed, checked objects, with every problem of every file."""

from __future__ import annotations

from collections.abc import Sequence

from dravite.admission.admit import admit
from dravite.api.releases import Profile, newest_profile
from dravite.snapshot.manifests import Manifests
from dravite.sources.files import read


def read_manifests(paths: Sequence[str], profile: Profile | None = None, namespace: str = "default") -> Manifests:
    """Everything in files and folders as planning takes it.

    Nothing is raised for what the files hold: faults are in `problems`, and objects with an `error` are left out.

    Args:
        paths: files and folders, or a single one; a folder stands for every .yaml, .yml and .json file below it.
        profile: the release and its gates, from `planned_profile`; None is the newest.
        namespace: where namespaced objects without a namespace go.
    """
    # A text is a sequence of texts too, and each "/" in it would be the whole disk.
    return admit(read((paths,) if isinstance(paths, str) else paths), profile or newest_profile(), namespace)
