"""The fields that Kubernetes has and dravite does not read: they are passed over, not called unknown.

By type. An empty set stands for a type of which any field may come: states that only the system writes.
Source: core/v1, policy/v1 and meta/v1 of 1.31 to 1.37.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from dravite.api import core_v1, policy_v1
from dravite.api.meta import ListMeta, ObjectMeta

UNREAD: Final[Mapping[type, frozenset[str]]] = {
    ListMeta: frozenset({"selfLink", "shardInfo"}),
    ObjectMeta: frozenset({"managedFields", "selfLink"}),
    core_v1.PodSpec: frozenset(
        {
            "activeDeadlineSeconds",
            "automountServiceAccountToken",
            "dnsConfig",
            "dnsPolicy",
            "enableServiceLinks",
            "ephemeralContainers",
            "evictionResponders",
            "hostAliases",
            "hostIPC",
            "hostPID",
            "hostUsers",
            "hostname",
            "hostnameOverride",
            "imagePullSecrets",
            "os",
            "readinessGates",
            "runtimeClassName",
            "securityContext",
            "serviceAccount",
            "serviceAccountName",
            "setHostnameAsFQDN",
            "shareProcessNamespace",
            "subdomain",
            "terminationGracePeriodSeconds",
            "volumes",
        }
    ),
    core_v1.Container: frozenset(
        {
            "args",
            "command",
            "env",
            "envFrom",
            "imagePullPolicy",
            "lifecycle",
            "livenessProbe",
            "readinessProbe",
            "resizePolicy",
            "restartPolicyRules",
            "securityContext",
            "startupProbe",
            "stdin",
            "stdinOnce",
            "terminationMessagePath",
            "terminationMessagePolicy",
            "tty",
            "volumeDevices",
            "volumeMounts",
            "workingDir",
        }
    ),
    core_v1.NodeSpec: frozenset(
        {"configSource", "externalID", "podCIDR", "podCIDRs", "podPreemptionPolicy", "providerID"}
    ),
    core_v1.Namespace: frozenset({"spec", "status"}),
    core_v1.PodStatus: frozenset(),
    core_v1.ContainerStatus: frozenset(),
    core_v1.NodeCondition: frozenset({"lastHeartbeatTime"}),
    core_v1.NodeStatus: frozenset(),
    policy_v1.PodDisruptionBudgetSpec: frozenset({"unhealthyPodEvictionPolicy"}),
    policy_v1.PodDisruptionBudgetStatus: frozenset(),
}
