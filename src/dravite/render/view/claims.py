"""Claims for people: what they hold, for whom, and what drivers report of it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import datetime
from typing import Final, Literal, TypeAlias

from dravite.api.document import Problem
from dravite.api.meta import ObjectRef
from dravite.render import words
from dravite.render.ages import age
from dravite.render.report import Block, ClaimsReport, Row
from dravite.render.view.sight import consumers, full, objects
from dravite.snapshot.device_reports import ClaimReport, DeviceReport, Readiness

Width: TypeAlias = Literal["normal", "wide"]

_STATES: Final = {
    "pending": "not allocated",
    "allocated": "allocated, nobody uses it",
    "reserved": "in use",
    "deleting": "being deleted",
}


def claims_report(
    claims: Sequence[ClaimReport], problems: Iterable[Problem], notes: Iterable[str], now: datetime, width: Width
) -> ClaimsReport:
    """What `claims` prints: a block per claim, and the sum."""

    def old(then: str | None) -> str | None:
        return age(then, now)

    return ClaimsReport(
        claims=tuple(Block(_title(one), tuple(_rows(one, old, width))) for one in claims),
        values=tuple(claims),
        summary=_summary(claims),
        notes=tuple(notes),
        problems=tuple(problems),
    )


def _title(one: ClaimReport) -> str:
    where = f" on {words.listed(one.nodes)}" if one.nodes else ""
    by = "and still reserved for" if one.state == "deleting" else "by"
    whom = f" {by} {_whom(one.consumers)}" if one.consumers else ""
    return f"{full(one.claim)}: {_STATES[one.state]}{whom}{where}"


def _whom(many: Sequence[ObjectRef]) -> str:
    """Pods go without saying."""
    return objects(many, 4) if all(one.kind == "Pod" for one in many) else consumers(many, 4)


def _rows(one: ClaimReport, old: Callable[[str | None], str | None], width: Width) -> Iterator[Row]:
    for device in one.devices:
        cells = (device.request or "(no device)", str(device.device), _readiness(device, old(device.since)))
        yield Row((*cells, _more(device)) if width == "wide" else cells)


def _readiness(device: DeviceReport, old: str | None) -> str:
    since = f" for {old}" if old else ""
    reason = f" ({device.reason})" if device.reason else ""
    match device.readiness:
        case "ready":
            text = f"ready{since}"
        case "not-ready":
            text = f"not ready{since}{reason}"
        case "unknown":
            text = f"readiness unknown{since}{reason}"
        case "not-told":
            text = "reported without a Ready condition"
        case "no-report":
            text = "no report of the driver"
    return text if device.allocated else f"{text}; the claim does not hold this device"


def _more(device: DeviceReport) -> str:
    """Which share it is, and what else the driver reports: the network, and conditions other than Ready."""
    share = f"share {device.share_id}" if device.share_id else ""
    status = device.status
    if status is None:
        return share
    parts = [share, *(f"{one.type}={one.status}" for one in status.conditions if one.type != "Ready")]
    if status.network_data is not None:
        network = status.network_data
        parts += [network.interface_name, *network.ips, network.hardware_address]
    return " ".join(filter(None, parts))


_COUNTED: Final[tuple[tuple[Readiness, str], ...]] = (
    ("ready", "ready"),
    ("not-ready", "not ready"),
    ("unknown", "of unknown readiness"),
    ("not-told", "without a Ready condition"),
    ("no-report", "without a report"),
)


def _summary(claims: Sequence[ClaimReport]) -> str:
    """Counts that add up: every device is in one of the parts."""
    numbers = [(sum(one.count(readiness) for one in claims), text) for readiness, text in _COUNTED]
    parts = [f"{number} {text}" for number, text in numbers if number]
    devices = sum(number for number, _ in numbers)
    total = f"{words.count(len(claims), 'claim')}, {words.count(devices, 'device')}"
    total += f": {words.listed(parts)}" if parts else ""
    strays = sum(one.strays for one in claims)
    total += f"; {words.count(strays, 'report')} about devices that no claim holds" if strays else ""
    return f"{total[0].upper()}{total[1:]}."
