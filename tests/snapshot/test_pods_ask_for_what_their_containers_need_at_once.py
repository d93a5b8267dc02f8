from __future__ import annotations

from dravite.api.core_v1 import Container, Pod, PodSpec, ResourceRequirements
from dravite.snapshot.requests import pod_request
from tests.clusters import amounts


def container(restart_policy=None, **requests: str) -> Container:
    requirements = ResourceRequirements(requests=amounts(**requests))
    return Container(name="c", resources=requirements, restart_policy=restart_policy)


def requested(**spec):
    return pod_request(Pod(spec=PodSpec(**spec))).amounts


def test_f9_6_containers_add_up():
    assert requested(containers=(container(cpu="1"), container(cpu="500m", memory="1Gi"))) == {
        "cpu": 1500,
        "memory": 2**30,
    }


def test_f9_6_of_init_containers_the_hungriest_counts_if_it_is_more():
    spec = {"containers": (container(cpu="1"),)}
    assert requested(init_containers=(container(cpu="3"), container(cpu="2")), **spec) == {"cpu": 3000}
    assert requested(init_containers=(container(cpu="500m"),), **spec) == {"cpu": 1000}


def test_f9_6_a_sidecar_runs_beside_the_containers_and_later_init_containers():
    inits = (container("Always", cpu="1"), container(cpu="3"))
    assert requested(init_containers=inits, containers=(container(cpu="1"),)) == {"cpu": 4000}
    late = (container(cpu="3"), container("Always", cpu="1"))
    assert requested(init_containers=late, containers=(container(cpu="1"),)) == {"cpu": 3000}


def test_f9_6_overhead_comes_on_top_and_pod_level_resources_replace_the_sum():
    spec = {"containers": (container(cpu="1", memory="1Gi"),), "overhead": amounts(cpu="250m")}
    assert requested(**spec) == {"cpu": 1250, "memory": 2**30}
    whole = ResourceRequirements(requests=amounts(cpu="3"))
    assert requested(resources=whole, **spec) == {"cpu": 3250, "memory": 2**30}


def test_pod_level_resources_are_ignored_where_the_release_does_not_know_them():
    whole = ResourceRequirements(requests=amounts(cpu="3"))
    pod = Pod(spec=PodSpec(containers=(container(cpu="1"),), resources=whole))
    assert pod_request(pod, "ignore").amounts == {"cpu": 1000}


def test_amounts_are_rounded_up_to_the_unit_of_the_scheduler():
    assert requested(containers=(container(cpu="1n", memory="100m"),)) == {"cpu": 1, "memory": 1}


def test_f10_6_containers_without_a_request_count_in_scoring():
    request = pod_request(Pod(spec=PodSpec(containers=(container(), container(cpu="2")))))
    assert request.amounts == {"cpu": 2000}
    assert (request.scored_cpu, request.scored_memory) == (2100, 2 * 200 * 2**20)
