"""What somebody asked for, in the words of the field where it stands.

`request gpu: 2 devices of class gpu.example.com`, `matchAttribute x/numa: one value for gpu and nic`.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from dravite.diagnosis.reasons import ConstraintID
from dravite.render import words
from dravite.render.view.sight import Sight, said

_REQUEST = re.compile(r"\A(.*?devices\.requests\[\d+\](?:\.firstAvailable\[\d+\])?)")
_SELECTOR = re.compile(r"\A(.*?selectors\[\d+\])")


def demand(asked: ConstraintID, sight: Sight) -> str:
    """One line for one demand; the bare field where the object cannot be looked into."""
    data = sight.text_at(asked)
    if found := _SELECTOR.match(asked.path):
        return _selector(asked, found[1], sight)
    if "constraints[" in asked.path:
        return _constraint(asked, sight)
    if isinstance(data, str | int | float):
        return f"{asked.path.rpartition('.')[2]}: {data}"
    if _REQUEST.match(asked.path) and isinstance(data, Mapping):
        return request(data)
    return f"{asked.path} of {said(asked.object)}"


def request(data: Mapping[str, Any]) -> str:
    """`request gpu: 2 devices of class gpu.example.com`, or its alternatives in order."""
    name = data.get("name", "")
    if alternatives := data.get("firstAvailable"):
        return f"request {name}: {words.listed((_amount(one) for one in alternatives), 'or')}"
    return f"request {name}: {_amount(data.get('exactly') or data)}"


def _amount(exact: Mapping[str, Any]) -> str:
    of_class = f" of class {exact['deviceClassName']}" if exact.get("deviceClassName") else ""
    if exact.get("allocationMode") == "All":
        return f"all devices{of_class}"
    wanted = exact.get("count") or 1
    amounts = (exact.get("capacity") or {}).get("requests") or {}
    share = f" with {words.listed(f'{name} {amount}' for name, amount in amounts.items())}" if amounts else ""
    return f"{words.count(int(wanted), 'device')}{of_class}{share}"


def _selector(asked: ConstraintID, path: str, sight: Sight) -> str:
    data = sight.text_at(ConstraintID(asked.object, path))
    cel = data.get("cel") if isinstance(data, Mapping) else None
    expression = " ".join(str(cel.get("expression", "")).split()) if isinstance(cel, Mapping) else ""
    whose = f"class {asked.object.name}" if asked.object.kind == "DeviceClass" else _whose(asked, sight)
    return f"selector of {whose}: {expression}" if expression else f"selector of {whose}"


def _whose(asked: ConstraintID, sight: Sight) -> str:
    found = _REQUEST.match(asked.path)
    data = sight.text_at(ConstraintID(asked.object, found[1])) if found else None
    return f"request {data['name']}" if isinstance(data, Mapping) and "name" in data else said(asked.object)


def _constraint(asked: ConstraintID, sight: Sight) -> str:
    base = asked.path[: asked.path.index("constraints[")] + re.findall(r"constraints\[\d+\]", asked.path)[0]
    data = sight.text_at(ConstraintID(asked.object, base))
    if not isinstance(data, Mapping):
        return f"{base} of {said(asked.object)}"
    kind = "matchAttribute" if data.get("matchAttribute") else "distinctAttribute"
    over = words.listed(data.get("requests") or ()) or "all requests"
    meaning = "one value" if kind == "matchAttribute" else "different values"
    return f"{kind} {data.get(kind)}: {meaning} for {over}"
