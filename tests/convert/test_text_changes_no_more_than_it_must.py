"""Texts keep their comments, order and spelling: one word changes, or things move with what belongs to them."""

from __future__ import annotations

import pytest

from dravite.render.manuscript import Commented
from dravite.render.rewriting import Rewritten, Values, rewrite

V1, BETA = "resource.k8s.io/v1", "resource.k8s.io/v1beta1"

OLD = """\
# the whole file
apiVersion: resource.k8s.io/v1beta1 # old
kind: ResourceClaim
metadata:
  name: c   # a name
  labels: {a: "b"}
spec:
  devices:
    requests:
      # first
      - name: a
        # the class
        deviceClassName: 'gpu.example.com' # of gpus
        count: 2
        selectors:
          - cel:
              expression: >-
                device.driver == "x"
                && true
      - {name: b, deviceClassName: nic}
      - firstAvailable:
          - name: s
            deviceClassName: big # big
        name: z
    # last
    constraints:
      - requests: [a, b]
        matchAttribute: resource.kubernetes.io/pcieRoot
"""
NEW = """\
# the whole file
apiVersion: resource.k8s.io/v1 # old
kind: ResourceClaim
metadata:
  name: c   # a name
  labels: {a: "b"}
spec:
  devices:
    requests:
      # first
      - name: a
        # the class
        exactly:
          deviceClassName: 'gpu.example.com' # of gpus
          count: 2
          selectors:
            - cel:
                expression: >-
                  device.driver == "x"
                  && true
      - {name: b, exactly: {deviceClassName: nic}}
      - firstAvailable:
          - name: s
            deviceClassName: big # big
        name: z
    # last
    constraints:
      - requests: [a, b]
        matchAttribute: resource.kubernetes.io/pcieRoot
"""
SLICE = """\
kind: ResourceSlice
apiVersion: resource.k8s.io/v1beta1
metadata:
  name: s
spec:
  driver: d.example.com
  pool: {name: n1, generation: 1, resourceSliceCount: 1}
  nodeName: n1
  devices:
  - name: d0
    basic:
      # what it has
      attributes:
        a: {string: "x"} # a
      capacity:
        memory: {value: 1024Mi}
  - name: d1
    basic: {}
"""


def converted(text: str, target: str = V1, *, values: bool = False) -> Rewritten:
    return rewrite("f.yaml", text, {target.rpartition("/")[0]: target}, Values() if values else Commented())


def test_requests_move_with_their_comments() -> None:
    assert converted(OLD) == Rewritten(NEW, 1)


def test_and_back() -> None:
    assert converted(NEW, BETA).text == OLD


def test_devices_move_with_their_comments_and_quantities_keep_their_spelling() -> None:
    text = converted(SLICE).text
    assert "basic" not in text
    assert '    # what it has\n    attributes:\n      a: {string: "x"} # a\n' in text
    assert "memory: {value: 1024Mi}" in text
    assert "- name: d1\n" in text


def test_capacities_become_plain_in_the_oldest_version_and_come_back() -> None:
    oldest = converted(SLICE, "resource.k8s.io/v1alpha3").text
    assert "        memory: 1024Mi\n" in oldest
    assert "        memory:\n          value: 1024Mi\n" in converted(oldest, BETA).text


def test_where_only_the_version_changes_one_word_does() -> None:
    text = 'apiVersion:   "resource.k8s.io/v1beta1"   # x\nkind:  DeviceClass\nmetadata: {name:   c}\n'
    assert converted(text).text == text.replace("v1beta1", "v1")


def test_other_documents_stay_to_the_byte() -> None:
    other = "apiVersion: v1\nkind:   Pod\nmetadata: {name:   p}\n"
    text = f"---\n# empty\n---\n{other}---\n{OLD}--- # end\n{other}"
    assert converted(text) == Rewritten(f"---\n# empty\n---\n{other}---\n{NEW}--- # end\n{other}", 1)


def test_items_of_lists_are_converted() -> None:
    item = "".join(f"  {line}\n" for line in OLD.splitlines()[1:]).replace("  apiVersion", "- apiVersion", 1)
    found = converted(f"apiVersion: v1\nkind: List\nitems:\n{item}")
    assert found.converted == 1
    assert found.text.startswith("apiVersion: v1\nkind: List\nitems:\n- apiVersion: resource.k8s.io/v1 # old\n")
    typed = "apiVersion: resource.k8s.io/v1beta1\nkind: ResourceClaimList\nitems:\n- metadata: {name: c}\n"
    assert converted(typed).text == typed.replace("v1beta1", "v1")


def test_a_node_that_is_used_twice_moves_once() -> None:
    text = OLD.replace("- {name: b, deviceClassName: nic}", "- {name: b, deviceClassName: nic, tolerations: &t []}")
    assert converted(text).text.count("exactly") == 2


@pytest.mark.parametrize("indent", ["  ", "\t", None])
def test_json_stays_json_with_its_indentation(indent: str | None) -> None:
    import json

    raw = {
        "kind": "ResourceClaim",
        "apiVersion": BETA,
        "metadata": {"name": "c"},
        "spec": {"devices": {"requests": []}},
    }
    raw["spec"]["devices"]["requests"] = [{"name": "é", "deviceClassName": "g"}]  # type: ignore[index]
    text = json.dumps(raw, indent=indent, ensure_ascii=False) + "\n"
    made = converted(text).text
    assert json.loads(made)["spec"]["devices"]["requests"] == [{"name": "é", "exactly": {"deviceClassName": "g"}}]
    assert made == json.dumps(json.loads(made), indent=indent, ensure_ascii=False) + "\n"


_CLAIM = '{"apiVersion": "%s", "kind": "ResourceClaim", "spec": {"devices": {"requests": [{"name": "r", %s}]}}}'
_OLD_CLAIM, _NEW_CLAIM = _CLAIM % (BETA, '"deviceClassName": "g"'), _CLAIM % (V1, '"exactly": {"deviceClassName": "g"}')


@pytest.mark.parametrize(
    ("text", "made"),
    [
        (f"{_OLD_CLAIM}\n{_OLD_CLAIM}\n", f"{_NEW_CLAIM}\n{_NEW_CLAIM}\n"),
        (f'{_OLD_CLAIM}\n{{"a": [\n', f'{_OLD_CLAIM}\n{{"a": [\n'),
        (f"{_OLD_CLAIM}\n5\n{_OLD_CLAIM}", f"{_NEW_CLAIM}\n5\n{_NEW_CLAIM}"),
        (
            f'{{"apiVersion": "v1", "kind": "List", "items": [null, {_OLD_CLAIM}]}}',
            f'{{"apiVersion": "v1", "kind": "List", "items": [null, {_NEW_CLAIM}]}}',
        ),
    ],
)
def test_json_objects_may_follow_one_another_with_others_between(text: str, made: str) -> None:
    assert converted(text).text == made


def test_an_item_that_is_no_object_does_not_move_the_others() -> None:
    spec = "{devices: {requests: [{name: r, deviceClassName: g}]}}"
    claim = f"{{apiVersion: {BETA}, kind: ResourceClaim, spec: {spec}}}"
    text = f"apiVersion: v1\nkind: List\nitems:\n- 5\n- {claim}\n"
    assert "- 5\n- {apiVersion: resource.k8s.io/v1, " in converted(text).text
    assert "exactly: {deviceClassName: g}" in converted(text).text


def test_line_ends_of_windows_stay() -> None:
    assert converted(OLD.replace("\n", "\r\n")).text == NEW.replace("\n", "\r\n")


def test_without_comments_the_values_are_written_and_the_loss_is_told() -> None:
    found = converted(OLD, values=True)
    assert [problem.type for problem in found.problems] == ["written-anew"]
    assert "exactly:\n        deviceClassName: gpu.example.com\n" in found.text


def test_a_text_that_is_in_the_version_already_stays() -> None:
    assert converted(NEW) == Rewritten(NEW)
