"""What the fields of groups, workloads, priorities and metadata mean, in our own words: type → field → sentence."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

WORDS: Final[Mapping[str, Mapping[str, str]]] = {
    "PriorityClass": {
        "": "A name for a priority of pods.",
        "value": "The priority; higher comes first. Users may go up to one billion. It cannot be changed.",
        "globalDefault": "Whether pods without a class get this one; only one class may say so.",
        "description": "For people: when to use the class.",
        "preemptionPolicy": "Whether pods of the class may push others out: PreemptLowerPriority or Never. It cannot"
        " be changed.",
    },
    "Workload": {
        "": "A tree of templates for groups of pods that are scheduled together. It has no effect of its own.",
        "spec": "The templates.",
    },
    "WorkloadSpec": {
        "": "The content of a Workload.",
        "controllerRef": "The object that the workload belongs to, such as a Job.",
        "podGroupTemplates": "Templates of groups, at most 8. Either this or compositePodGroupTemplates.",
        "compositePodGroupTemplates": "Templates of groups of groups. Either this or podGroupTemplates.",
        "podGroups": "The groups, in the one version without templates.",
    },
    "TypedLocalObjectReference": {
        "": "An object of the same namespace.",
        "apiGroup": "Its API group; empty for the core group.",
        "kind": "Its kind.",
        "name": "Its name.",
    },
    "PodGroupTemplate": {
        "": "A template of a group of pods.",
        "name": "The name of the template, unique in the workload.",
    },
    "CompositePodGroupTemplate": {
        "": "A template of a group of groups.",
        "name": "The name of the template, unique in the workload.",
        "podGroupTemplates": "Templates of the groups in it.",
        "compositePodGroupTemplates": "Templates of the groups of groups in it; the tree has at most 4 levels.",
    },
    "PodGroup": {
        "": "A group of pods that are scheduled together. Pods name it in spec.schedulingGroup.",
        "spec": "How the group is scheduled.",
        "status": "What became of the group.",
        "name": "The name of the group, in the one version in which it is an entry of a Workload.",
        "policy": "How the pods of the group are scheduled, in the one version in which it is an entry of a Workload.",
    },
    "PodGroupSpec": {
        "": "How a group of pods is scheduled.",
        "podGroupTemplateRef": "The template that the group was made from, as 1.36 said it.",
    },
    "CompositePodGroup": {
        "": "A group of groups that are scheduled together.",
        "spec": "How the group is scheduled.",
        "status": "What became of the group.",
    },
    "CompositePodGroupSpec": {"": "How a group of groups is scheduled."},
    "PodGroupSchedulingPolicy": {
        "": "How the pods of a group are scheduled. Exactly one of the fields is set.",
        "basic": "One by one, as pods without a group.",
        "gang": "Together, or not at all.",
    },
    "CompositePodGroupSchedulingPolicy": {
        "": "How the groups of a group are scheduled. Exactly one of the fields is set.",
        "basic": "One by one.",
        "gang": "Together, or not at all.",
    },
    "BasicSchedulingPolicy": {"": "Scheduling one by one; it has no fields."},
    "GangSchedulingPolicy": {
        "": "Scheduling together.",
        "minCount": "How many pods must find a place at the same time, at least 1.",
    },
    "CompositeGangSchedulingPolicy": {
        "": "Scheduling together.",
        "minGroupCount": "How many groups must find a place at the same time, at least 1.",
    },
    "PodGroupSchedulingConstraints": {
        "": "Where the members of a group may go.",
        "topology": "Labels of nodes of which all members get one value; at most one entry.",
    },
    "TopologyConstraint": {
        "": "One label of nodes.",
        "key": "The label; all members of the group go to nodes that have the same value of it.",
    },
    "DisruptionMode": {
        "": "How members of a group may be pushed out. Exactly one of the fields is set.",
        "single": "One by one.",
        "all": "Together, or not at all.",
    },
    "SingleDisruptionMode": {"": "Members are pushed out one by one; it has no fields."},
    "AllDisruptionMode": {"": "Members are pushed out together; it has no fields."},
    "PodGroupResourceClaim": {
        "": "A claim that the pods of a group share.",
        "name": "The name of the entry; pods refer to it.",
        "resourceClaimName": "A claim of the namespace. Either this or resourceClaimTemplateName.",
        "resourceClaimTemplateName": "A template; the group gets one claim from it. Either this or resourceClaimName.",
    },
    "WorkloadReference": {
        "": "Which template of which Workload a group was made from.",
        "workloadName": "The Workload.",
        "templateName": "The template in it.",
    },
    "PodGroupTemplateReference": {
        "": "Which template a group was made from, as 1.36 said it.",
        "workload": "A template of a Workload.",
    },
    "WorkloadPodGroupTemplateReference": {
        "": "A template of a Workload.",
        "workloadName": "The Workload.",
        "podGroupTemplateName": "The template in it.",
    },
    "PodGroupStatus": {
        "": "What became of a group.",
        "conditions": "Its state: whether it was scheduled, and whether it is to be disrupted.",
        "resourceClaimStatuses": "The claims that were made for the group.",
    },
    "PodGroupResourceClaimStatus": {
        "": "The claim of one entry.",
        "name": "The entry of spec.resourceClaims.",
        "resourceClaimName": "The claim that was made for it; missing if none is needed.",
    },
    "CompositePodGroupStatus": {"": "What became of a group of groups.", "conditions": "Its state."},
    "ObjectMeta": {
        "": "What every object has.",
        "name": "The name of the object, unique for its kind and namespace.",
        "generateName": "The beginning of a name that the server completes.",
        "namespace": "The namespace of the object; cluster-wide kinds have none.",
        "uid": "What tells the object from others that had its name. The server sets it.",
        "resourceVersion": "The state of the object. The server sets it.",
        "generation": "Counts changes of the spec. The server sets it.",
        "creationTimestamp": "When the object was created. The server sets it.",
        "deletionTimestamp": "When the object is to go. The server sets it.",
        "deletionGracePeriodSeconds": "How long the object has until it goes. The server sets it.",
        "labels": "Values by name, for selecting objects.",
        "annotations": "Values by name, for programs and people.",
        "ownerReferences": "Objects that this one belongs to; it goes when all of them are gone.",
        "finalizers": "Who has to agree before the object goes.",
    },
    "OwnerReference": {
        "": "An object that another one belongs to.",
        "apiVersion": "The version of the owner.",
        "kind": "The kind of the owner.",
        "name": "The name of the owner.",
        "uid": "The UID of the owner.",
        "controller": "Whether the owner manages the object; at most one does.",
        "blockOwnerDeletion": "Whether the owner cannot go before the object, if deleted in the foreground.",
    },
    "Condition": {
        "": "One aspect of an object's state.",
        "type": "Which aspect.",
        "status": "True, False or Unknown.",
        "observedGeneration": "The generation of the object that was looked at.",
        "lastTransitionTime": "When the status changed last.",
        "reason": "Why, in one word for programs.",
        "message": "Why, for people.",
    },
    "NodeSelector": {
        "": "Which nodes: any of the terms must hold.",
        "nodeSelectorTerms": "The terms; one that holds is enough.",
    },
    "NodeSelectorTerm": {
        "": "Conditions on a node; all of them must hold.",
        "matchExpressions": "Conditions on the labels of the node.",
        "matchFields": "Conditions on fields of the node; only metadata.name is known.",
    },
    "NodeSelectorRequirement": {
        "": "One condition on a label or field.",
        "key": "The label or field.",
        "operator": "In, NotIn, Exists, DoesNotExist, Gt or Lt.",
        "values": "The values to compare with; none for Exists and DoesNotExist.",
    },
}
"""The empty field is the type itself."""

GROUP: Final[Mapping[str, str]] = {
    "parentCompositePodGroupName": "The group of groups that this one belongs to.",
    "workloadRef": "Which template of which Workload the group was made from.",
    "schedulingPolicy": "Whether members are scheduled one by one or together.",
    "schedulingConstraints": "Where the members may go.",
    "resourceClaims": "Claims that the pods of the group share; at most 4.",
    "disruptionMode": "Whether members are pushed out one by one or together.",
    "priorityClassName": "The PriorityClass of the members.",
    "priority": "The priority of the members; admission fills it in.",
    "preemptionPolicy": "Whether the group may push others out: PreemptLowerPriority or Never.",
}
"""What groups and their templates have in common."""

ANYWHERE: Final[Mapping[str, str]] = {
    "apiVersion": "The version in which the object is written.",
    "kind": "The kind of the object.",
    "metadata": "Name, namespace, labels and what else every object has.",
}
"""What every object has."""
