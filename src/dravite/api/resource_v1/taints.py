"""Device taints, tolerations, and DeviceTaintRule."""

from typing import Literal

import msgspec

from dravite.api.meta import TEXT, Condition, Model, ObjectMeta, Time


class DeviceTaint(Model, frozen=True, kw_only=True):
    key: str = TEXT
    value: str = ""
    effect: str = TEXT
    time_added: Time | None = None


class DeviceToleration(Model, frozen=True, kw_only=True):
    key: str = ""
    operator: str = ""
    value: str = ""
    effect: str = ""
    toleration_seconds: int | None = None


class DeviceTaintSelector(Model, frozen=True, kw_only=True):
    """Which devices a rule taints: all that are set must match; empty matches every device."""

    driver: str | None = None
    pool: str | None = None
    device: str | None = None


class DeviceTaintRuleSpec(Model, frozen=True, kw_only=True):
    """Without `device_selector` a rule taints nothing (P-22)."""

    device_selector: DeviceTaintSelector | None = None
    taint: DeviceTaint = msgspec.field(default_factory=DeviceTaint)


class DeviceTaintRuleStatus(Model, frozen=True, kw_only=True):
    conditions: tuple[Condition, ...] = ()


class DeviceTaintRule(Model, frozen=True, kw_only=True):
    api_version: Literal["resource.k8s.io/v1"] = msgspec.field(default_factory=lambda: "resource.k8s.io/v1")
    kind: Literal["DeviceTaintRule"] = msgspec.field(default_factory=lambda: "DeviceTaintRule")
    metadata: ObjectMeta = ObjectMeta()
    spec: DeviceTaintRuleSpec = msgspec.field(default_factory=DeviceTaintRuleSpec)
    status: DeviceTaintRuleStatus = DeviceTaintRuleStatus()
