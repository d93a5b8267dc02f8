"""What the fields of claims, templates and classes mean, in our own words: type → field → sentence."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

WORDS: Final[Mapping[str, Mapping[str, str]]] = {
    "DeviceClass": {
        "": "A kind of devices that administrators offer: selectors that a device must pass, and configuration for it.",
        "spec": "What belongs to the class, and how its devices are set up.",
    },
    "DeviceClassSpec": {
        "": "The content of a DeviceClass.",
        "selectors": "Conditions that every device of the class meets; all of them must be true.",
        "config": "Settings for the driver of an allocated device; those of the claim come after them.",
        "extendedResourceName": "An extended resource that pods may ask for the old way and are served with devices"
        " of this class. Of several classes with one name the newest is taken.",
        "suitableNodes": "Nodes that a driver with a control plane controller could use. Gone since 1.32.",
    },
    "DeviceClassConfiguration": {
        "": "One setting of a class.",
        "opaque": "Parameters that only the driver understands.",
    },
    "DeviceSelector": {
        "": "One condition on a device.",
        "cel": "The condition as a CEL expression.",
    },
    "CELDeviceSelector": {
        "": "A CEL expression about one device.",
        "expression": "True for devices that may be taken. It sees device.driver, device.attributes, device.capacity"
        " and device.allowMultipleAllocations. An error ends the scheduling attempt; it is not the same as"
        " false.",
    },
    "OpaqueDeviceConfiguration": {
        "": "Parameters for one driver.",
        "driver": "The driver that the parameters are for; others pass them over.",
        "parameters": "Any JSON object, at most 10 KiB. Kubernetes hands it on and does not look into it.",
    },
    "ResourceClaim": {
        "": "A request for devices, and what was allocated for it. Pods of its namespace refer to it.",
        "spec": "What is asked for. It cannot be changed.",
        "status": "What was allocated, for whom, and what drivers report. Servers ignore it in new objects.",
    },
    "ResourceClaimSpec": {
        "": "What a claim asks for.",
        "devices": "The devices that are asked for.",
        "controller": "The driver's controller that allocates the claim instead of the scheduler. Gone since 1.32.",
    },
    "ResourceClaimTemplate": {
        "": "A pattern from which every pod that names it gets a claim of its own.",
        "spec": "The pattern. It cannot be changed.",
    },
    "ResourceClaimTemplateSpec": {
        "": "The content of a ResourceClaimTemplate.",
        "metadata": "Labels and annotations for the claims; nothing else may be set.",
        "spec": "The spec of the claims.",
    },
    "DeviceClaim": {
        "": "Requests, what must hold between their devices, and settings for them.",
        "requests": "What is asked for, one entry for each kind of device. All of them are served, or none.",
        "constraints": "What must hold for the devices of several requests together.",
        "config": "Settings for the drivers of the devices.",
    },
    "DeviceRequest": {
        "": "One request of a claim: exactly one way to serve it, or alternatives in order of preference.",
        "name": "How constraints, settings, results and containers refer to the request.",
        "exactly": "The one way to serve the request. Either this or firstAvailable.",
        "firstAvailable": "Alternatives; the first that can be had is taken. Either this or exactly.",
    },
    "ExactDeviceRequest": {
        "": "One way to serve a request.",
        "adminAccess": "Access to devices that are in use, for monitoring. The namespace needs the label"
        " resource.kubernetes.io/admin-access=true.",
    },
    "DeviceSubRequest": {
        "": "One alternative of a request.",
        "name": "How results refer to the alternative, after the name of the request and a slash.",
    },
    "CapacityRequirements": {
        "": "How much of a device's capacities is wanted.",
        "requests": "Amounts by name of the capacity. Of a device that can be shared that much is taken; any other"
        " device must have at least that much and is taken whole.",
    },
    "DeviceDerivedAttribute": {
        "": "An attribute that is computed for each device, for constraints to compare.",
        "name": "The name by which constraints of the claim refer to it, with a domain.",
        "expression": "A CEL expression whose value on a device the attribute has: a text, number, boolean, version,"
        " or a list of these.",
    },
    "DeviceConstraint": {
        "": "What must hold between devices. Without requests it is about all devices of the claim.",
        "requests": "The requests, or request/alternative, that the constraint is about; empty means all.",
        "matchAttribute": "An attribute, with its domain, that must have the same value on all the devices. A device"
        " that lacks it is refused.",
        "distinctAttribute": "An attribute, with its domain, that must have another value on each of the devices.",
    },
    "DeviceClaimConfiguration": {
        "": "One setting of a claim.",
        "requests": "The requests that the setting is for; empty means all.",
        "opaque": "Parameters that only the driver understands.",
    },
    "DeviceToleration": {
        "": "A device taint that is put up with.",
        "key": "The key of the taint; empty, with the operator Exists, tolerates every key.",
        "operator": "Exists tolerates every value, Equal the one that is given.",
        "value": "The value of the taint, with the operator Equal.",
        "effect": "The effect that is tolerated; empty means every effect for scheduling. Eviction only spares"
        " tolerations that say NoExecute.",
        "tolerationSeconds": "How long a pod may stay after a NoExecute taint came; without it, for ever.",
    },
    "ResourceClaimStatus": {
        "": "What became of a claim.",
        "allocation": "The devices that were allocated. It can be set and cleared, not changed.",
        "reservedFor": "Who uses the claim; a claim with users is not deallocated.",
        "devices": "What drivers report about the allocated devices.",
        "deallocationRequested": "Asked a driver's controller to take the allocation back. Gone since 1.32.",
    },
    "AllocationResult": {
        "": "An allocation: devices, and where they can be used.",
        "devices": "The devices, and the settings that came with them.",
        "nodeSelector": "The nodes on which the devices can be used; every node if it is missing.",
        "allocationTimestamp": "When the devices were allocated. The scheduler sets it; who allocates by hand must,"
        " too.",
        "controller": "The driver's controller that made the allocation. Gone since 1.32.",
    },
    "DeviceAllocationResult": {
        "": "The devices of an allocation.",
        "results": "One entry for each device.",
        "config": "The settings of classes and of the claim, in the order in which drivers apply them.",
    },
    "DeviceRequestAllocationResult": {
        "": "One allocated device.",
        "request": "The request, or request/alternative, that it serves.",
        "driver": "The driver that published the device and will prepare it.",
        "pool": "The pool that the device is in.",
        "device": "The name of the device in its pool.",
        "adminAccess": "Whether the device was given for admin access, beside other claims.",
        "tolerations": "The tolerations of the request, kept for eviction.",
        "bindingConditions": "Conditions that must be true in the device's status before a pod is bound.",
        "bindingFailureConditions": "Conditions of which one that is true makes the allocation fail.",
        "shareID": "Which share of a device that several claims have; a UUID.",
        "consumedCapacity": "How much of the capacities of a shared device this share takes.",
        "skipNodeOperations": "Calls to the driver on the node that are left out for the device.",
    },
    "DeviceAllocationConfiguration": {
        "": "One setting as it was when the claim was allocated.",
        "source": "FromClass or FromClaim.",
        "requests": "The requests that the setting is for; empty means all.",
        "opaque": "Parameters that only the driver understands.",
    },
    "ResourceClaimConsumerReference": {
        "": "One user of a claim.",
        "apiGroup": "The API group of the user; empty for pods.",
        "resource": "The kind of user in plural, as in addresses: pods.",
        "name": "The name of the user, in the claim's namespace.",
        "uid": "The UID of the user.",
    },
    "AllocatedDeviceStatus": {
        "": "What a driver reports about one allocated device.",
        "driver": "The driver that reports.",
        "pool": "The pool that the device is in.",
        "device": "The name of the device in its pool.",
        "shareID": "The share that is reported about, for devices that several claims have.",
        "conditions": "The state of the device, at most 8 conditions; Ready is the usual one.",
        "data": "Any JSON object of at most 10 KiB.",
        "networkData": "What belongs to a network device.",
    },
    "NetworkDeviceData": {
        "": "What a driver of network devices reports.",
        "interfaceName": "The interface in the pod, at most 256 bytes.",
        "ips": "Addresses with prefix length, in canonical form, at most 16.",
        "hardwareAddress": "The hardware address, at most 128 bytes.",
    },
    "PodSchedulingContext": {
        "": "How scheduler and drivers agreed on a node for a pod in 1.31. No other release has it.",
        "spec": "What the scheduler proposes.",
        "status": "What the drivers answer.",
    },
    "PodSchedulingContextSpec": {
        "": "What the scheduler proposes.",
        "selectedNode": "The node that is tried.",
        "potentialNodes": "Nodes that the scheduler could use, at most 128.",
    },
    "PodSchedulingContextStatus": {
        "": "What the drivers answer.",
        "resourceClaims": "One entry for each claim of the pod.",
    },
    "ResourceClaimSchedulingStatus": {
        "": "What a driver says about one claim of a pod.",
        "name": "The pod's entry for the claim.",
        "unsuitableNodes": "Nodes that the claim cannot be allocated for.",
    },
}
"""The empty field is the type itself."""

EXACT: Final[Mapping[str, str]] = {
    "deviceClassName": "The DeviceClass whose devices are asked for. A server does not look whether it exists.",
    "selectors": "Further conditions on the devices; all of them must be true.",
    "allocationMode": "ExactCount takes as many devices as count says; All takes every device that matches and can"
    " be reached, and needs all of them to be free.",
    "count": "How many devices, with the mode ExactCount; 1 if nothing is said.",
    "adminAccess": "Access to devices that are in use, for monitoring. The namespace needs a label.",
    "tolerations": "Device taints that are put up with. Node taints are the pod's business.",
    "capacity": "How much of the device's capacities is wanted.",
    "derivedAttributes": "Attributes that are computed for each device, for constraints to compare.",
}
"""What `exactly`, alternatives, and the flat requests of older versions have in common."""
