"""What the fields of slices, devices, taints and pool questions mean, in our own words: type → field → sentence."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

WORDS: Final[Mapping[str, Mapping[str, str]]] = {
    "ResourceSlice": {
        "": "A part of a pool of devices, published by a driver. A pool is complete when all of its slices are there.",
        "spec": "The devices or counters, the pool that they belong to, and the nodes that reach them.",
    },
    "ResourceSliceSpec": {
        "": "The content of a ResourceSlice.",
        "driver": "The driver that publishes the slice. It cannot be changed.",
        "pool": "The pool that the slice belongs to.",
        "nodeName": "The one node that reaches the devices. One of nodeName, nodeSelector, allNodes and"
        " perDeviceNodeSelection must be set.",
        "nodeSelector": "The nodes that reach the devices; exactly one term.",
        "allNodes": "Whether every node reaches the devices; true or not set.",
        "perDeviceNodeSelection": "Whether each device says for itself which nodes reach it; true or not set.",
        "devices": "The devices, at most 128, or 64 with taints, counters or lists. A slice has devices or"
        " sharedCounters.",
        "sharedCounters": "Counters that devices of the pool consume from. They stand in slices of their own.",
        "partitionTypeAttribute": "The attribute that says of which type a partition is.",
        "skipNodeOperations": "Calls to the driver on the node that are left out for all devices of the slice.",
    },
    "ResourcePool": {
        "": "Which pool a slice belongs to, and which state of it.",
        "name": "The name of the pool, unique for the driver. It cannot be changed.",
        "generation": "The state of the pool: only slices of the highest generation count.",
        "resourceSliceCount": "How many slices of this generation the pool has; without all of them none is used.",
    },
    "BasicDevice": {
        "": "Everything about a device but its name.",
    },
    "Device": {
        "": "One device that can be allocated.",
        "name": "The name of the device, unique in its pool.",
        "basic": "Everything about the device but its name.",
    },
    "DeviceAttribute": {
        "": "One value that describes a device. Exactly one of the fields is set.",
        "int": "A whole number of 64 bits.",
        "bool": "True or false.",
        "string": "A text of at most 64 bytes.",
        "version": "A semantic version with three numbers, at most 64 bytes.",
        "ints": "Several whole numbers.",
        "bools": "Several booleans.",
        "strings": "Several texts.",
        "versions": "Several versions.",
    },
    "DeviceCapacity": {
        "": "How much a device has of something.",
        "value": "All of it.",
        "requestPolicy": "Which amounts may be asked for, where several claims share the device.",
    },
    "CapacityRequestPolicy": {
        "": "Which amounts of a capacity a claim gets: the requested one is rounded up to the next that is allowed.",
        "default": "The amount for claims that ask for none.",
        "validValues": "The amounts that can be had, in ascending order, at most 10.",
        "validRange": "The amounts that can be had, as a range. Either this or validValues.",
    },
    "CapacityRequestPolicyRange": {
        "": "A range of amounts.",
        "min": "The least that can be had.",
        "max": "The most that can be had.",
        "step": "Amounts are min plus a multiple of this.",
    },
    "DeviceCounterConsumption": {
        "": "What a device takes of one counter set while it is allocated.",
        "counterSet": "The counter set, of the same pool.",
        "counters": "Amounts by name of the counter.",
        "compatibilityGroups": "Groups of devices that can use the set at the same time.",
    },
    "CounterSet": {
        "": "Counters that devices of a pool share, such as the memory of a card that is cut into partitions.",
        "name": "The name of the set, unique in its pool.",
        "counters": "The counters by name.",
    },
    "Counter": {
        "": "An amount of a counter.",
        "value": "The amount.",
    },
    "NodeAllocatableResource": {
        "": "What a device brings or takes of a resource of its node.",
        "mapping": "How the amount follows from the allocated device.",
        "overhead": "What the device takes in addition.",
    },
    "NodeAllocatableMapping": {
        "": "How much of a node's resource a device stands for: by a capacity, or by device.",
        "capacityKey": "The capacity whose amount counts.",
        "capacityMultiplier": "By how much the amount of the capacity is multiplied.",
        "deviceMultiplier": "How much each device counts.",
    },
    "NodeAllocatableOverhead": {
        "": "What a device takes of a node's resource in addition.",
        "perPod": "For each pod that uses it.",
        "perContainer": "For each container that uses it.",
    },
    "NodeAllocatableResourceMapping": {
        "": "How much of a node's resource a device stands for, as 1.36 said it.",
        "capacityKey": "The capacity whose amount counts.",
        "allocationMultiplier": "By how much the amount is multiplied.",
    },
    "DeviceTaint": {
        "": "Something about a device that keeps claims away which do not tolerate it.",
        "key": "The key of the taint.",
        "value": "The value of the taint.",
        "effect": "NoSchedule keeps new claims away, NoExecute evicts pods as well, None does nothing and is for"
        " trying.",
        "timeAdded": "When the taint was added; the server fills it in.",
    },
    "DeviceTaintRule": {
        "": "Adds a taint to devices, published or allocated, from outside their driver.",
        "spec": "The taint and the devices.",
        "status": "What the rule does.",
    },
    "DeviceTaintRuleSpec": {
        "": "The content of a DeviceTaintRule.",
        "deviceSelector": "The devices. Empty selects every device of the cluster; missing selects none.",
        "taint": "The taint that they get.",
    },
    "DeviceTaintSelector": {
        "": "Which devices are tainted: all that is set must be equal.",
        "driver": "The driver of the devices.",
        "pool": "The pool that the devices are in.",
        "device": "The name of the device in its pool.",
        "deviceClassName": "The class of the devices. Gone since 1.35.",
        "selectors": "Conditions on the devices. Gone since 1.35.",
    },
    "DeviceTaintRuleStatus": {
        "": "What a rule does.",
        "conditions": "Its state, at most 8 conditions.",
    },
    "ResourcePoolStatusRequest": {
        "": "A question about a driver's pools, which is answered once.",
        "spec": "The question. It cannot be changed.",
        "status": "The answer; missing until it is given.",
    },
    "ResourcePoolStatusRequestSpec": {
        "": "Which pools are asked about.",
        "driver": "The driver.",
        "poolName": "The one pool that is asked about; all pools of the driver if it is missing.",
        "limit": "How many pools are told at most, from 1 to 1000; 100 if nothing is said.",
        "defaultPartitionTypeAttribute": "The attribute that says of which type a partition is, for slices that do"
        " not name one.",
    },
    "ResourcePoolStatusRequestStatus": {
        "": "The answer.",
        "poolCount": "How many pools there are.",
        "pools": "The pools, at most as many as were asked for.",
        "conditions": "Whether the answer is complete, or why there is none.",
    },
    "PoolStatus": {
        "": "One pool. The counts are missing while it is incomplete.",
        "driver": "The driver of the pool.",
        "poolName": "The name of the pool.",
        "generation": "The generation that is told about.",
        "nodeName": "The node of the pool, if it has one.",
        "resourceSliceCount": "How many slices it has.",
        "totalDevices": "All devices.",
        "allocatedDevices": "Devices that are allocated.",
        "availableDevices": "Devices that can be allocated.",
        "unavailableDevices": "Devices that are neither.",
        "partitionSummary": "Partitions by type.",
        "shareableSummary": "Devices that several claims can share.",
        "validationError": "What is wrong with the pool, at most 256 bytes.",
    },
    "PartitionTypeStatus": {
        "": "Partitions of one type.",
        "attribute": "The attribute that says the type.",
        "type": "The type.",
        "total": "All partitions of the type.",
        "allocatable": "How many more of them can be allocated.",
    },
    "ShareableSummaryStatus": {
        "": "Devices that several claims can share.",
        "fullyAvailableDevices": "Those of which nothing is taken.",
        "partiallyAvailableDevices": "Those of which something is taken.",
        "capacity": "Their capacities, added up.",
    },
    "ShareableCapacityStatus": {
        "": "One capacity over all devices that can be shared.",
        "name": "The name of the capacity.",
        "total": "All of it.",
        "consumed": "What is taken.",
        "available": "What is left.",
    },
}
"""The empty field is the type itself."""

DEVICE: Final[Mapping[str, str]] = {
    "attributes": "What the device is: values by name. A name without a domain belongs to the driver's domain.",
    "capacity": "How much the device has of what, by name.",
    "consumesCounters": "What the device takes of shared counters while it is allocated; at most 2 sets.",
    "nodeName": "The one node that reaches the device, with perDeviceNodeSelection.",
    "nodeSelector": "The nodes that reach the device, with perDeviceNodeSelection.",
    "allNodes": "Whether every node reaches the device, with perDeviceNodeSelection; true or not set.",
    "taints": "What keeps claims away that do not tolerate it; at most 16.",
    "bindsToNode": "Whether the claim is tied to the node that was chosen, even if others reach the device.",
    "bindingConditions": "Conditions that must be true in the device's status before a pod is bound; at most 4.",
    "bindingFailureConditions": "Conditions of which one that is true makes the allocation fail; at most 4.",
    "allowMultipleAllocations": "Whether several claims can have the device at once, each a share of its capacities.",
    "nodeAllocatableResources": "What the device brings or takes of resources of its node, by resource.",
    "nodeAllocatableResourceMappings": "What the device stands for of resources of its node, as 1.36 said it.",
}
"""What a device has, in every version; older ones keep it under `basic`."""
