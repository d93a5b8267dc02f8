"""The feature gates of Kubernetes that planning depends on: one table of release, gate and stage.

This module holds the facts; `releases` reads the command line against them. A stage is written as
`A` alpha, off · `b` beta, off · `B` beta, on · `G` generally available, on · `GL` the same, locked · `-` no such gate.
The columns are the releases in `RELEASES`. Sources: the versioned gate table of Kubernetes 1.37.2 and those of
the releases before it for gates that are gone.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

import msgspec

RELEASES: Final = ("1.31", "1.32", "1.33", "1.34", "1.35", "1.36", "1.37")

_DRA: Final = "DynamicResourceAllocation"

_TABLE: Final = (
    # gate                                        1.31 1.32 1.33 1.34 1.35 1.36 1.37     needs
    ("DynamicResourceAllocation",                   "A  b  b  G  GL GL GL", ()),
    ("DRAControlPlaneController",                   "A  -  -  -  -  -  -", (_DRA,)),
    ("DRAAdminAccess",                              "-  A  A  B  B  GL GL", (_DRA,)),
    ("DRAResourceClaimDeviceStatus",                "-  A  B  B  B  B  GL", ()),
    ("DRAPrioritizedList",                          "-  -  A  B  B  G  GL", (_DRA,)),
    ("DRAPartitionableDevices",                     "-  -  A  A  A  B  B", (_DRA,)),
    ("DRADeviceTaints",                             "-  -  A  A  A  B  G", (_DRA,)),
    ("DRADeviceTaintRules",                         "-  -  -  -  A  b  G", ("DRADeviceTaints",)),
    ("DRAConsumableCapacity",                       "-  -  -  A  A  B  B", (_DRA,)),
    # Beta and on only for a server that need not be compatible with 1.36, which a stock 1.37 must.
    ("DRAFractionalCapacityRange",                  "-  -  -  -  -  -  b", ("DRAConsumableCapacity",)),
    ("DRADerivedAttributes",                        "-  -  -  -  -  -  A", (_DRA,)),
    ("DRADeviceCompatibilityGroups",                "-  -  -  -  -  -  A", (_DRA, "DRAPartitionableDevices")),
    ("DRADeviceBindingConditions",                  "-  -  -  A  A  B  B", (_DRA, "DRAResourceClaimDeviceStatus")),
    ("DRAExtendedResource",                         "-  -  -  A  A  B  GL", (_DRA,)),
    ("DRASchedulerFilterTimeout",                   "-  -  -  B  B  B  B", (_DRA,)),
    ("DRAListTypeAttributes",                       "-  -  -  -  -  A  A", (_DRA,)),
    ("DRANodeAllocatableResources",                 "-  -  -  -  -  A  A", (_DRA,)),
    ("DRAResourcePoolStatus",                       "-  -  -  -  -  A  A", (_DRA,)),
    ("DRAPartitionableDevicesType",                 "-  -  -  -  -  -  A", (
        _DRA, "DRAPartitionableDevices", "DRAResourcePoolStatus")),
    ("DRAResourceClaimGranularStatusAuthorization", "-  -  -  -  -  B  B", (_DRA, "DRAResourceClaimDeviceStatus")),
    ("DRAWorkloadResourceClaims",                   "-  -  -  -  -  A  b", (_DRA, "GenericWorkload")),
    ("DRAOptionalNodeOperations",                   "-  -  -  -  -  -  A", (_DRA, "NodeDeclaredFeatures")),
    ("ResourceHealthStatus",                        "A  A  A  A  A  B  B", (_DRA,)),
    ("ResourceHealthStatusMessage",                 "-  -  -  -  -  B  B", ("ResourceHealthStatus",)),
    ("GenericWorkload",                             "-  -  -  -  A  A  b", ()),
    ("GangScheduling",                              "-  -  -  -  A  A  -", ("GenericWorkload",)),
    ("WorkloadAwarePreemption",                     "-  -  -  -  -  A  -", ("GangScheduling",)),
    ("TopologyAwareWorkloadScheduling",             "-  -  -  -  -  A  A", ("GenericWorkload",)),
    ("WorkloadWithJob",                             "-  -  -  -  -  A  A", ("GenericWorkload",)),
    ("CompositePodGroup",                           "-  -  -  -  -  -  A", (
        "GenericWorkload", "TopologyAwareWorkloadScheduling")),
    ("PodGroupPreemptionPolicy",                    "-  -  -  -  -  -  A", ("GenericWorkload",)),
    ("OpportunisticBatching",                       "-  -  -  -  B  B  B", ()),
    ("NominatedNodeNameForExpectation",             "-  -  -  A  B  B  B", ()),
    ("SchedulerAsyncPreemption",                    "-  A  B  B  B  B  B", ()),
    ("PodLevelResources",                           "-  A  A  B  B  B  B", ()),
    ("TaintTolerationComparisonOperators",          "-  -  -  -  A  A  A", ()),
    ("NodeDeclaredFeatures",                        "-  -  -  -  A  B  GL", ()),
)  # fmt: skip


class Gate(msgspec.Struct, frozen=True):
    """One feature gate: its stage per release, in the order of `RELEASES`, and the gates that it needs."""

    name: str
    stages: tuple[str, ...]
    needs: tuple[str, ...]

    def stage(self, release: str) -> str:
        """The stage in a known release; `-` when the gate does not exist there."""
        return self.stages[RELEASES.index(release)]


GATES: Final[Mapping[str, Gate]] = {
    name: Gate(name, tuple(stages.split()), needs) for name, stages, needs in _TABLE
}  # fmt: skip

IMPLIED: Final = (
    # Before a gate split off, or after it was merged away, another one switches its fields: in these releases.
    ("DynamicResourceAllocation", "DRAAdminAccess", ("1.31",)),
    ("DRADeviceTaints", "DRADeviceTaintRules", ("1.33", "1.34")),
    ("GenericWorkload", "GangScheduling", ("1.37",)),
    ("GenericWorkload", "WorkloadAwarePreemption", ("1.37",)),
)

FEATURES: Final[Mapping[str, tuple[str, ...]]] = {
    # What the allocator calls a feature, and the gates that must all be on for it.
    "AdminAccess": ("DRAAdminAccess",),
    "CompatibilityGroups": ("DRADeviceCompatibilityGroups",),
    "ConsumableCapacity": ("DRAConsumableCapacity",),
    "DerivedAttributes": ("DRADerivedAttributes",),
    "DeviceBindingAndStatus": ("DRADeviceBindingConditions", "DRAResourceClaimDeviceStatus"),
    "DeviceTaints": ("DRADeviceTaints",),
    "FractionalCapacityRange": ("DRAFractionalCapacityRange",),
    "ListTypeAttributes": ("DRAListTypeAttributes",),
    "OptionalNodeOperations": ("DRAOptionalNodeOperations",),
    "PartitionableDevices": ("DRAPartitionableDevices",),
    "PrioritizedList": ("DRAPrioritizedList",),
}

_UNRELATED: Final = """
APIResponseCompression APIServerIdentity APIServerWebhookAuthenticationToken APIServingWithRoutine
AggregatedDiscoveryRemoveBetaType AllowDNSOnlyNodeCSR AllowInsecureKubeletCertificateSigningRequests
AllowOverwriteTerminationGracePeriodSeconds AllowParsingUserUIDFromCertAuth AllowServiceExternalIPs
AllowUnsafeMalformedObjectDeletion AtomicWriteVolumeUserFields AuthorizePodWebsocketUpgradeCreatePermission
CBORServingAndStorage CPUManagerPolicyAlphaOptions CPUManagerPolicyBetaOptions CPUManagerPolicyOptions
CRIListStreaming CSIServiceAccountTokenSecrets CSIVolumeHealth ChangeContainerStatusOnKubeletRestart
ClearingNominatedNodeNameAfterBinding ClusterTrustBundle ClusterTrustBundleProjection ConcurrentWatchObjectDecode
ConsistentListFromCacheSkipTimeoutFallback ConstrainedImpersonation ContainerCheckpoint ContainerRestartRules
ContainerStopSignals CoordinatedLeaderElection CrossNamespaceVolumeDataSource CustomCPUCFSQuotaPeriod
DeclarativeValidation DeclarativeValidationBeta DeclarativeValidationTakeover DefaultPodSysctls
DeploymentReplicaSetTerminatingReplicas DetectCacheInconsistency DisableAllocatorDualWrite
DisableCPUQuotaWithExclusiveCPUs DisableNodeKubeProxyVersion EmptyDirVolumeMode EnvFiles EtcdRangeStream EventedPLEG
EvictionRequestAPI ExcludeAdmissionWebhookVirtualResources ExecProbeTimeout ExtendWebSocketsToKubelet
ExternalServiceAccountTokenSigner GRPCContainerProbeTLS GitRepoVolumeDriver GracefulNodeShutdown
GracefulNodeShutdownBasedOnPodPriority H2CContainerProbe HPAConfigurableTolerance HPAGeneration
HPAOptimizedSelectorStore HPAScaleToZero HostnameOverride HugepageAwareEviction ImageMaximumGCAge ImageVolume
ImageVolumeWithDigest InPlacePodLevelResourcesVerticalScaling InPlacePodVerticalScaling
InPlacePodVerticalScalingExclusiveCPUs InPlacePodVerticalScalingExclusiveMemory
InPlacePodVerticalScalingInitContainers InPlacePodVerticalScalingMemoryBackedVolumes
InPlacePodVerticalScalingSchedulerPreemption InterPodAffinityHostnameFastPath JobManagedBy KMSv1 KubeProxyIPVS
KubeProxyNFTablesLocalhostNodePorts KubeletAllocatedPodsEndpoint KubeletCgroupDriverFromCRI
KubeletCrashLoopBackOffMax KubeletEnsureSecretPulledImages KubeletFineGrainedAuthz KubeletInUserNamespace KubeletPSI
KubeletPodResourcesDynamicResources KubeletPodResourcesGet KubeletPodResourcesListUseActivePods
KubeletRegistrationGetOnExistsOnly KubeletSeparateDiskGC KubeletServiceAccountTokenForCredentialProviders
KubeletTracing ListFromCacheSnapshot LocalStorageCapacityIsolationFSQuotaMonitoring
ManifestBasedAdmissionControlConfig MatchLabelKeysInPodAffinity MatchLabelKeysInPodTopologySpread
MatchLabelKeysInPodTopologySpreadSelectorMerge MaxUnavailableStatefulSet MemoryQoS MultiCIDRServiceAllocator
MutableCSINodeAllocatableCount MutablePVNodeAffinity MutablePodResourcesForSuspendedJobs
MutableSchedulingDirectivesForSuspendedJobs MutatingAdmissionPolicy NFTablesNetlink NFTablesProxyMode
NodeControllerLeaseCircuitBreaker NodeInclusionPolicyInPodTopologySpread NodeLifecycleConditions NodeLogQuery
NodeSwap OpenAPIEnums PLEGOnDemandRelist PersistentVolumeClaimUnusedSinceTime PodAndContainerStatsFromCRI
PodCertificateRequest PodDeletionCost PodLevelResourceManagers PodLevelResourcesFixDefaulting
PodLevelResourcesFixKubeletQOSClass PodLogsQuerySplitStreams PodObservedGenerationTracking
PodReadyToStartContainersCondition PodSchedulingReadiness PodTopologyLabelsAdmission PodsAPI PortForwardWebsockets
PreferSameTrafficDistribution ProcMountType QOSReserved RecoverVolumeExpansionFailure RecursiveReadOnlyMounts
ReduceDefaultCrashLoopBackOffDecay RelaxedEnvironmentVariableValidation RelaxedServiceNameValidation
ReloadKubeletServerCertificateFile RemoteRequestHeaderUID RestartAllContainersOnContainerExits
RotateKubeletServerCertificate RuntimeClassInImageCriApi SELinuxChangePolicy SELinuxMount
SELinuxMountReadWriteOncePod SchedulerAsyncAPICalls SchedulerPopFromBackoffQ SchedulerPreQueueingHints
SeparateCacheWatchRPC SeparateTaintEvictionController ServiceAccountNodeAudienceRestriction ServiceAccountTokenJTI
ServiceAccountTokenNodeBinding ServiceAccountTokenNodeBindingValidation ServiceAccountTokenPodNodeInfo
ServiceCIDRStatusFieldWiping ShardedListAndWatch SizeBasedListCostEstimate StaleControllerConsistencyDaemonSet
StaleControllerConsistencyHPA StaleControllerConsistencyJob StaleControllerConsistencyReplicaSet
StaleControllerConsistencyStatefulSet StatefulSetRecreateStrategy StatefulSetSemanticRevisionComparison
StorageCapacityScoring StorageNamespaceIndex StorageVersionAPI StorageVersionHash StorageVersionMigrator
StrictIPCIDRValidation StructuredAuthenticationConfigurationEgressSelector
StructuredAuthenticationConfigurationJWKSMetrics SupplementalGroupsPolicy TokenRequestServiceAccountUIDValidation
TopologyManagerPolicyAlphaOptions TopologyManagerPolicyBetaOptions TopologyManagerPolicyOptions
TranslateStreamCloseWebsocketRequests UnauthenticatedHTTP2DOSMitigation UnknownVersionInteroperabilityProxy
UserNamespacesHostNetworkSupport UserNamespacesSupport VolumeAttributesClass VolumeBindMountOptions
VolumeLimitScaling WatchCacheInitializationPostStartHook WatchList WatchListCompression
WebhookRoundTripLoadBalancing WinDSR WinOverlay WindowsCPUAndMemoryAffinity WindowsGracefulNodeShutdown
WindowsHostNetwork
"""

UNRELATED_GATES: Final = frozenset(_UNRELATED.split())
"""Gates of Kubernetes 1.37 that change nothing here: accepted, so that the flags of a real cluster can be given."""
