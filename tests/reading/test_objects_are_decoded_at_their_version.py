"""Documents become typed objects; every fault of shape is said, and every field that nobody knows is found."""

from __future__ import annotations

import msgspec
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from dravite.api import core_v1, resource_v1, resource_v1beta1
from dravite.api.codec import Decoded, decode, encode
from dravite.api.document import Document, Origin
from dravite.api.documents import split
from dravite.api.field import ErrorType, FieldError
from dravite.api.quantity import Quantity

CLAIM = "apiVersion: resource.k8s.io/v1\nkind: ResourceClaim\n"
SLICE = "apiVersion: resource.k8s.io/v1\nkind: ResourceSlice\n"
POD = "apiVersion: v1\nkind: Pod\n"


def decoded(text: str) -> Decoded:
    (document,) = split("a.yaml", text.encode())
    found = decode(document)
    assert isinstance(found, Decoded)
    return found


def faults(text: str) -> list[tuple[str, ErrorType, str]]:
    (document,) = split("a.yaml", text.encode())
    found = decode(document)
    assert isinstance(found, tuple)
    assert all(isinstance(error, FieldError) for error in found)
    return [(error.field, error.type, error.detail) for error in found]


def test_every_fault_of_shape_is_said_at_once() -> None:
    text = CLAIM + (
        "metadata: {labels: [a]}\n"
        "spec: {devices: {requests: [{name: 5, exactly: {count: '2', adminAccess: 'true'}}, x], config: {}}}\n"
    )
    assert faults(text) == [
        ("metadata.labels", ErrorType.TYPE_INVALID, "must be a map, not a list"),
        ("spec.devices.requests[0].name", ErrorType.TYPE_INVALID, "must be a string, not a number"),
        ("spec.devices.requests[0].exactly.count", ErrorType.TYPE_INVALID, "must be a whole number, not a string"),
        ("spec.devices.requests[0].exactly.adminAccess", ErrorType.TYPE_INVALID, "must be true or false, not a string"),
        ("spec.devices.requests[1]", ErrorType.TYPE_INVALID, "must be an object, not a string"),
        ("spec.devices.config", ErrorType.TYPE_INVALID, "must be a list, not an object"),
    ]


@pytest.mark.parametrize(
    ("text", "detail"),
    [
        ("5 GiB", "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'"),
        ("1K", "unable to parse quantity's suffix"),
        ("''", "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'"),
        ("true", "must be a quantity, not true or false"),
    ],
)
def test_a_bad_quantity_has_kubernetes_own_words(text: str, detail: str) -> None:
    ((field, _, found),) = faults(SLICE + f"spec: {{devices: [{{capacity: {{m: {{value: {text}}}}}}}]}}")
    assert (field, found) == ("spec.devices[0].capacity[m].value", detail)


def test_numbers_beyond_their_bits_are_refused() -> None:
    text = SLICE + "spec: {pool: {generation: 9223372036854775808}, devices: [{attributes: {a: {int: 1.5}}}]}"
    assert [(field, detail) for field, _, detail in faults(text)] == [
        ("spec.pool.generation", "must be a whole number of 64 bits"),
        ("spec.devices[0].attributes[a].int", "must be a whole number, not a number"),
    ]
    ((field, _, detail),) = faults(POD + "spec: {priority: 2147483648}")
    assert (field, detail) == ("spec.priority", "must be a whole number of 32 bits")


def test_a_bad_time_is_refused() -> None:
    ((field, kind, _),) = faults(POD + "metadata: {creationTimestamp: yesterday}")
    assert (field, kind) == ("metadata.creationTimestamp", ErrorType.INVALID)


def test_null_is_as_good_as_missing() -> None:
    text = CLAIM + "metadata: {labels: {a: null}, finalizers: null}\nspec: {devices: {requests: [null], config: null}}"
    claim = decoded(text).object
    assert isinstance(claim, resource_v1.ResourceClaim)
    assert claim.metadata.labels == {"a": ""}
    assert claim.spec.devices.requests == (resource_v1.DeviceRequest(),)
    assert claim.spec.devices.config == ()


def test_numbers_may_stand_for_quantities() -> None:
    text = SLICE + "spec: {devices: [{capacity: {a: {value: 5}, b: {value: 1.5}, c: {value: 1e3}, d: {value: ' 1 '}}}]}"
    found = decoded(text).object
    assert isinstance(found, resource_v1.ResourceSlice)
    capacity = (found.spec.devices or ())[0].capacity
    assert {name: entry.value.text for name, entry in capacity.items()} == {"a": "5", "b": "1500m", "c": "1k", "d": "1"}


def test_a_number_in_json_keeps_its_notation() -> None:
    body = b'{"apiVersion":"v1","kind":"Node","status":{"capacity":{"a":1e3,"b":1000}}}'
    (document,) = split("a.json", body)
    found = decode(document)
    assert isinstance(found, Decoded)
    assert isinstance(found.object, core_v1.Node)
    assert found.object.status.capacity["a"].text == "1e3"
    assert found.object.status.capacity["b"].text == "1k"


def test_parameters_are_kept_byte_for_byte() -> None:
    body = (
        b'{"apiVersion":"resource.k8s.io/v1","kind":"DeviceClass","foo":1,"spec":{"config":[{"opaque":{"driver":"d",'
        b'"parameters":{ "b": 1.50,  "a": 2 }}}]}}'
    )
    (document,) = split("a.json", body)
    found = decode(document)
    assert isinstance(found, Decoded)
    assert isinstance(found.object, resource_v1.DeviceClass)
    opaque = found.object.spec.config[0].opaque
    assert opaque is not None
    assert bytes(opaque.parameters) == b'{ "b": 1.50,  "a": 2 }'


def test_each_version_has_its_own_type() -> None:
    text = (
        "apiVersion: resource.k8s.io/v1beta1\nkind: ResourceClaim\nspec: {devices: {requests: [{name: r, count: 2}]}}"
    )
    claim = decoded(text).object
    assert isinstance(claim, resource_v1beta1.ResourceClaim)
    assert claim.spec.devices.requests[0].count == 2


@pytest.mark.parametrize(
    ("text", "path", "near", "belongs"),
    [
        (
            CLAIM + "spec: {devices: {requests: [{name: r, deviceClassName: c}]}}",
            "spec.devices.requests[0].deviceClassName",
            None,
            "spec.devices.requests[0].exactly.deviceClassName",
        ),
        (CLAIM + "spec: {tolerations: []}", "spec.tolerations", None, "spec.devices.requests[].exactly.tolerations"),
        (
            CLAIM + "spec: {resourceClassName: c}",
            "spec.resourceClassName",
            None,
            "spec.devices.requests[].exactly.deviceClassName",
        ),
        (
            POD + "spec: {resourceClaims: [{name: a, source: {resourceClaimName: b}}]}",
            "spec.resourceClaims[0].source",
            None,
            "spec.resourceClaims[0].resourceClaimTemplateName",
        ),
        (POD + "spec: {containers: [{tolerations: []}]}", "spec.containers[0].tolerations", None, "spec.tolerations"),
        (POD + "spec: {resourceclaims: []}", "spec.resourceclaims", "resourceClaims", None),
        (SLICE + "spec: {devcies: []}", "spec.devcies", "devices", None),
        (SLICE + "spec: {zzz: []}", "spec.zzz", None, None),
    ],
)
def test_an_unknown_field_is_found_and_interpreted(text: str, path: str, near: str | None, belongs: str | None) -> None:
    (unknown,) = decoded(text).unknown
    assert (unknown.path, unknown.near, unknown.belongs) == (path, near, belongs)


def test_fields_that_dravite_does_not_read_are_not_unknown() -> None:
    text = POD + "metadata: {managedFields: []}\nspec: {volumes: [], containers: [{env: []}]}\nstatus: {podIPs: []}"
    assert decoded(text).unknown == ()


def test_a_document_of_an_unknown_kind_is_a_broken_question() -> None:
    with pytest.raises(LookupError):
        decode(Document(origin=Origin("a", 1), api_version="v1", kind="Nope", body=b"{}"))


def test_what_is_written_is_read_back() -> None:
    text = CLAIM + "metadata: {name: 'yes', labels: {a: '1e3', b: 'y', c: '0x10', d: '12:30'}}\n"
    claim = decoded(text).object
    for form in ("json", "yaml"):
        (document,) = split("a", encode(claim, form))
        again = decode(document)
        assert isinstance(again, Decoded)
        assert again.object == claim


def test_quantities_are_written_in_canonical_form() -> None:
    node = core_v1.Node(status=core_v1.NodeStatus(capacity={"cpu": Quantity.parse("1000m")}))
    assert encode(node) == b'{"apiVersion":"v1","kind":"Node","status":{"capacity":{"cpu":"1"}}}'
    assert encode(node, "yaml") == b'apiVersion: v1\nkind: Node\nstatus:\n  capacity:\n    cpu: "1"\n'


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(
                ["spec", "metadata", "name", "devices", "requests", "exactly", "count", "labels", "capacity"]
            ),
            inner,
            max_size=3,
        )
    ),
    max_leaves=20,
)


@settings(suppress_health_check=[HealthCheck.too_slow], deadline=None, max_examples=60)
@given(st.dictionaries(st.sampled_from(["metadata", "spec", "status"]), json_values), st.booleans())
def test_any_json_is_decoded_or_refused_with_reasons(fields: dict[str, object], dumped: bool) -> None:
    body = msgspec.json.encode({"apiVersion": "resource.k8s.io/v1", "kind": "ResourceClaim", **fields})
    found = decode(
        Document(
            origin=Origin("a", 1),
            api_version="resource.k8s.io/v1",
            kind="ResourceClaim",
            body=body,
            handwritten=not dumped,
        )
    )
    assert isinstance(found, Decoded) or (found and all(error.detail for error in found))
