"""What the Priority admission plugin does: a class name becomes a number, or the pod or group is refused."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Final, TypeAlias

import msgspec

from dravite.api.core_v1 import Pod
from dravite.api.near import nearest
from dravite.api.releases import Profile
from dravite.api.scheduling_v1 import PriorityClass
from dravite.api.scheduling_v1alpha2 import PodGroup as OldPodGroup
from dravite.api.scheduling_v1alpha2 import PodGroupSpec as OldPodGroupSpec
from dravite.api.scheduling_v1beta1 import CompositePodGroup, PodGroup

AnyGroup: TypeAlias = PodGroup | CompositePodGroup | OldPodGroup

FORBIDDEN: Final = "Forbidden"
PREEMPT: Final = "PreemptLowerPriority"

SYSTEM: Final = (("system-cluster-critical", 2_000_000_000), ("system-node-critical", 2_000_001_000))
"""Every server makes these two by itself."""


class Refusal(msgspec.Struct, frozen=True):
    """Why admission refuses an object: Kubernetes' text, the field, and a remedy."""

    field: str
    message: str
    hint: str | None = None


class Priorities(msgspec.Struct, frozen=True):
    """The priority classes of a cluster, and the default one if there is one."""

    classes: Mapping[str, PriorityClass]
    default: PriorityClass | None

    def resolve(self, pod: Pod) -> Pod | Refusal:
        """The pod with its priority, as a server would store it. A pod that came from a server keeps its own."""
        spec = pod.spec
        if pod.metadata.uid and spec.priority is not None:
            return pod
        found = self.named(spec.priority_class_name)
        if isinstance(found, Refusal):
            return found
        value = found.value if found else 0
        if spec.priority is not None and spec.priority != value:
            message = (
                f"the integer value of priority ({spec.priority}) must not be provided in pod spec; "
                f"priority admission controller computed {value} from the given PriorityClass name"
            )
            return Refusal("spec.priority", message, "name a PriorityClass and leave the number out")
        policy = (found.preemption_policy if found else None) or PREEMPT
        if spec.preemption_policy is not None and spec.preemption_policy != policy:
            message = (
                f"the string value of PreemptionPolicy ({spec.preemption_policy}) must not be provided in pod spec; "
                f"priority admission controller computed {policy} from the given PriorityClass name"
            )
            return Refusal("spec.preemptionPolicy", message, "leave it out")
        name = found.metadata.name if found else ""
        spec = msgspec.structs.replace(spec, priority=value, priority_class_name=name, preemption_policy=policy)
        return msgspec.structs.replace(pod, spec=spec)

    def resolve_group(self, group: AnyGroup, profile: Profile) -> AnyGroup | Refusal:
        """The group with its priority, as a server would store it (5.4). Whether it does at all is the caller's."""
        spec = group.spec
        found = self.named(spec.priority_class_name)
        if isinstance(found, Refusal):
            return found
        noun = "composite pod group" if isinstance(group, CompositePodGroup) else "pod group"
        value = found.value if found else 0
        if spec.priority is not None and spec.priority != value:
            message = (
                f"priority set in the {noun} ({spec.priority}) must match the priority computed ({value}) "
                "based on the priority class set in the spec"
            )
            return Refusal("spec.priority", message, "name a PriorityClass and leave the number out")
        changes: dict[str, Any] = {"priority": value, "priority_class_name": found.metadata.name if found else ""}
        if not isinstance(spec, OldPodGroupSpec) and profile.enabled("PodGroupPreemptionPolicy"):
            policy = (found.preemption_policy if found else None) or PREEMPT
            if spec.preemption_policy is not None and spec.preemption_policy != policy:
                message = (
                    f"the string value of PreemptionPolicy ({spec.preemption_policy}) must not be provided in {noun} "
                    f"spec; priority admission controller computed {policy} from the given PriorityClass name"
                )
                return Refusal("spec.preemptionPolicy", message, f"say preemptionPolicy: {policy}, as the class does")
            changes["preemption_policy"] = policy
        return msgspec.structs.replace(group, spec=msgspec.structs.replace(spec, **changes))

    def named(self, name: str) -> PriorityClass | Refusal | None:
        """The class of this name; without a name the default one, if there is one."""
        if not name:
            return self.default
        return self.classes.get(name) or self._missing(name)

    def _missing(self, name: str) -> Refusal:
        near = nearest(name, self.classes, cutoff=0.7)
        hint = f'did you mean "{near}"?' if near else "add the PriorityClass to the input"
        return Refusal("spec.priorityClassName", f"no PriorityClass with name {name} was found", hint)


def priorities(classes: Iterable[PriorityClass]) -> Priorities:
    """The classes by name. Of several global defaults the one with the lowest value counts."""
    known = {
        name: PriorityClass(metadata=PriorityClass().metadata, value=value, preemption_policy=PREEMPT)
        for name, value in SYSTEM
    }
    known = {
        name: msgspec.structs.replace(item, metadata=msgspec.structs.replace(item.metadata, name=name))
        for name, item in known.items()
    }
    known |= {item.metadata.name: item for item in classes}
    defaults = sorted((item for item in known.values() if item.global_default), key=lambda item: item.value)
    return Priorities(known, defaults[0] if defaults else None)
