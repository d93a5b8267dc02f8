"""What stands in a sentence of Kubernetes where it prints a structure of its own."""

from __future__ import annotations

from dravite.api.field_text import value_text
from dravite.api.go_values import go_value
from dravite.api.meta import Condition
from dravite.api.node_selector import NodeSelector, NodeSelectorRequirement, NodeSelectorTerm
from dravite.api.quantity import Quantity
from dravite.api.resource_v1 import AllocationResult, DeviceAllocationResult, DeviceRequestAllocationResult
from dravite.api.resource_v1alpha3 import PoolStatus, ResourcePoolStatusRequestStatus


def test_an_allocation_of_1_36_has_all_its_fields_by_their_names_in_go():
    result = DeviceRequestAllocationResult(request="r", driver="d.example.com", pool="n1", device="dev-0")
    field = NodeSelectorRequirement(key="metadata.name", operator="In", values=("n1",))
    selector = NodeSelector(node_selector_terms=(NodeSelectorTerm(match_fields=(field,)),))
    allocation = AllocationResult(
        devices=DeviceAllocationResult(results=(result,)),
        node_selector=selector,
        allocation_timestamp="2026-01-03T00:00:00Z",
    )
    # observed on 1.36.5
    assert value_text(go_value(allocation, "1.36")) == (
        '{"Devices":{"Results":[{"Request":"r","Driver":"d.example.com","Pool":"n1","Device":"dev-0",'
        '"AdminAccess":null,"Tolerations":null,"BindingConditions":null,"BindingFailureConditions":null,'
        '"ShareID":null,"ConsumedCapacity":null}],"Config":null},"NodeSelector":{"NodeSelectorTerms":'
        '[{"MatchExpressions":null,"MatchFields":[{"Key":"metadata.name","Operator":"In","Values":["n1"]}]}]},'
        '"AllocationTimestamp":"2026-01-03T00:00:00Z"}'
    )


def test_keys_of_maps_stay_and_stand_in_order():
    capacity = {"b": Quantity.parse("2"), "a": Quantity.parse("1Gi")}
    result = DeviceRequestAllocationResult(consumed_capacity=capacity)
    assert '"ConsumedCapacity":{"a":"1Gi","b":"2"}' in value_text(go_value(result, "1.36"))


def test_a_condition_has_the_names_of_the_api():
    told = Condition(type="Complete", status="True", last_transition_time="2026-01-03T00:00:00Z", reason="R")
    status = ResourcePoolStatusRequestStatus(pool_count=0, conditions=(told,))
    assert value_text(go_value(status, "1.37")) == (
        '{"PoolCount":0,"Pools":null,"Conditions":[{"type":"Complete","status":"True",'
        '"lastTransitionTime":"2026-01-03T00:00:00Z","reason":"R","message":""}]}'
    )


def test_a_pool_has_the_fields_of_its_release():
    assert '"PartitionSummary":null,"ShareableSummary":null}' in value_text(go_value(PoolStatus(), "1.37"))
    assert value_text(go_value(PoolStatus(), "1.36")).endswith('"NodeName":null,"ValidationError":null}')
