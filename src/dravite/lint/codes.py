"""Every finding's code, how serious it is, and what it is called. One table; each code has a page in `pages/`.

An `error` is what a server or kubectl would refuse; a `warning` is accepted and not what anybody wants; an `info` is
worth knowing. Codes are stable: a code that is gone does not come back with another meaning.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, Literal

import msgspec

from dravite.api.field import ErrorType

Severity = Literal["error", "warning", "info"]


class Rule(msgspec.Struct, frozen=True):
    """One kind of finding. `title` is a sentence without its full stop."""

    code: str
    severity: Severity
    title: str


_FIELDS: Final = (
    (ErrorType.REQUIRED, "a required field is missing"),
    (ErrorType.INVALID, "a value breaks a rule of its field"),
    (ErrorType.TYPE_INVALID, "a value has the wrong type"),
    (ErrorType.NOT_SUPPORTED, "a value is none of those that the field takes"),
    (ErrorType.DUPLICATE, "a value stands twice where it may stand once"),
    (ErrorType.FORBIDDEN, "a field may not be set here"),
    (ErrorType.TOO_LONG, "a text is too long"),
    (ErrorType.TOO_MANY, "a list has too many entries"),
    (ErrorType.TOO_FEW, "a list has too few entries"),
    (ErrorType.NOT_FOUND, "a name refers to nothing in the same object"),
    (ErrorType.INTERNAL, "a rule could not be checked"),
)

_TABLE: Final[tuple[tuple[str, Severity, str], ...]] = (
    # texts and files
    ("unreadable", "error", "a file cannot be read"),
    ("yaml-syntax", "error", "a text is no YAML as Kubernetes reads it"),
    ("json-syntax", "error", "a text is no JSON"),
    ("ambiguous-word", "error", "an unquoted y or n is taken for true or false"),
    ("object-read-twice", "info", "an object stands in the files more than once"),
    # versions, gates and fields
    ("unknown-field", "error", "a field does not exist"),
    ("unknown-version", "error", "a version or kind does not exist"),
    ("version-not-served", "error", "the release does not serve this version"),
    ("version-off-by-default", "warning", "the release serves this version only where it is switched on"),
    ("version-deprecated", "warning", "a server warns that this version will go"),
    ("gate-off", "warning", "a field is dropped because its feature gate is off"),
    ("lost-in-conversion", "warning", "a value has no place in the newest version"),
    # admission
    ("admin-access-unchecked", "info", "whether the namespace allows admin access cannot be told"),
    ("admission-refused", "error", "an admission plugin of the server would refuse the object"),
    ("server-warning", "warning", "a server accepts this with a warning"),
    ("quota-exceeded", "error", "a claim asks for more than the quota of its namespace allows"),
    # names that lead nowhere
    ("class-not-found", "warning", "a DeviceClass is named that is not there"),
    ("template-not-found", "warning", "a ResourceClaimTemplate is named that is not there"),
    ("claim-not-found", "warning", "a ResourceClaim is named that is not there"),
    ("request-not-found", "warning", "a request is named that the claim does not have"),
    ("pod-group-not-found", "warning", "a PodGroup is named that is not there"),
    ("composite-pod-group-not-found", "warning", "a CompositePodGroup is named that is not there"),
    ("workload-not-found", "warning", "a Workload is named that is not there"),
    ("pod-group-template-not-found", "warning", "a pod group template is named that the Workload does not have"),
    ("topology-label-missing", "warning", "no node that was given has the label by which a group lies together"),
    ("priority-class-not-found", "error", "a PriorityClass is named that is not there"),
    # pods and claims
    ("node-name-skips-scheduler", "warning", "a pod names its node and so gets no devices"),
    ("claim-named-twice", "warning", "two entries of a pod name the same claim"),
    ("claim-entry-unused", "warning", "no container uses an entry of spec.resourceClaims"),
    ("claim-too-large", "warning", "a claim asks for more devices than any claim can hold"),
    ("allocation-without-timestamp", "warning", "an allocated claim lacks allocationTimestamp"),
    ("allocated-device-not-published", "warning", "a claim holds a device that no slice publishes"),
    # selectors and names of devices
    ("class-matches-nothing", "warning", "no device that was given is of this class"),
    ("selector-matches-nothing", "warning", "no device that was given passes these selectors"),
    ("selector-fails", "warning", "a selector runs into an error on some devices"),
    ("attribute-not-published", "warning", "no device that was given has this attribute or capacity"),
    ("capacity-too-large", "warning", "no device that was given has as much of a capacity as is asked for"),
    ("config-for-other-driver", "warning", "configuration is for a driver that has none of the devices"),
    ("resource-not-offered", "warning", "no node offers an extended resource and no class serves it"),
    # slices and pools
    ("pool-incomplete", "warning", "a pool lacks slices of its newest generation, or has too many"),
    ("slice-counts-differ", "warning", "slices of one pool disagree about how many they are"),
    ("pool-generations-mixed", "warning", "slices of older generations are still there"),
    ("device-name-twice", "warning", "two slices of a pool publish a device of one name"),
    ("counter-set-twice", "warning", "two slices of a pool define a counter set of one name"),
    ("counter-set-not-published", "warning", "a device consumes a counter set that its pool does not define"),
    ("counter-not-published", "warning", "a device consumes a counter that its counter set does not have"),
    ("counter-too-small", "warning", "a device consumes more of a counter than its counter set has"),
    ("pool-unreachable", "warning", "no node that was given reaches these devices"),
    ("device-under-two-names", "warning", "one piece of hardware is published as two devices"),
    ("two-books", "warning", "a node offers the same hardware by a device plugin and by a driver"),
    # taints and tolerations
    ("toleration-without-effect", "warning", "a toleration without effect does not protect against eviction"),
    ("toleration-seconds-ignored", "warning", "tolerationSeconds counts only with the effect NoExecute"),
    ("toleration-of-node-taint", "warning", "a claim tolerates what is the taint of a node"),
    ("toleration-of-device-taint", "warning", "a pod tolerates what is the taint of a device"),
    ("taint-rule-selects-all", "warning", "a DeviceTaintRule taints every device of the cluster"),
    ("taint-rule-selects-nothing", "warning", "a DeviceTaintRule taints no device"),
)

RULES: Final[Mapping[str, Rule]] = {
    rule.code: rule
    for rule in (
        *(Rule(kind.value, "error", title) for kind, title in _FIELDS),
        *(Rule(code, severity, title) for code, severity, title in _TABLE),
    )
}
"""All rules by code, in the order of the reference."""

UNPARSED: Final = frozenset({"unreadable", "yaml-syntax", "json-syntax"})
"""What an `error` of these codes says: the file could not be read or parsed."""
