"""`kind: ControlPlane`: for which release and gates a dump is to be answered, kept inside the dump.

Flags on the command line say more than it does.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from dravite.api.document import Document
from dravite.api.gates import GATES, RELEASES
from dravite.api.json_text import plain_json
from dravite.api.releases import Profile
from dravite.planning.settings import planned_profile
from dravite.render.report import API_VERSION

KIND: Final = "ControlPlane"


def control_plane(profile: Profile) -> dict[str, Any]:
    """The object that says a profile: the release, and the gates of it that are not as in a stock one.

    Gates that the release does not have are left out: `planned_profile` refuses them, and others switch them.
    """
    stock = planned_profile(profile.release)
    known = stock.gates if isinstance(stock, Profile) else frozenset()
    other = sorted(gate for gate in profile.gates ^ known if GATES[gate].stage(profile.release) != "-")
    gates = {gate: gate in profile.gates for gate in other}
    return {
        "apiVersion": API_VERSION,
        "kind": KIND,
        "metadata": {"name": "control-plane"},
        "spec": {"release": profile.release, "featureGates": gates},
    }


def set_apart(documents: Sequence[Document]) -> tuple[tuple[Document, ...], str, str]:
    """The other documents, and the release and gates that the last such object says; empty where it says none."""
    others = tuple(one for one in documents if (one.api_version, one.kind) != (API_VERSION, KIND))
    release = gates = ""
    for one in documents:
        if (one.api_version, one.kind) == (API_VERSION, KIND):
            spec = (plain_json(one.body) if one.body else {}).get("spec")
            spec = spec if isinstance(spec, dict) else {}
            release = str(spec.get("release") or "")
            given = spec.get("featureGates")
            gates = (
                ",".join(f"{name}={str(on).lower()}" for name, on in given.items()) if isinstance(given, dict) else ""
            )
    return others, release if release in RELEASES else "", gates
