"""CronJobs make a Job whenever they are due, and keep some of those that have ended."""

from __future__ import annotations

from dravite.controllers.garbage import GarbageCollector
from dravite.controllers.workloads import Workloads
from dravite.lifecycle.cron_jobs import CronScene, cron_turn
from tests.clusters import release
from tests.controllers.servers import BEGIN, Plain, World

TEMPLATE: Plain = {"spec": {"restartPolicy": "Never", "containers": [{"name": "main", "image": "i:1"}]}}
JOB_ALREADY_ACTIVE = "Not starting job because prior execution is running and concurrency policy is Forbid"


def cron(**spec: object) -> Plain:
    metadata: Plain = {"labels": {"team": "a"}, "annotations": {"note": "b"}}
    given: Plain = {"schedule": "*/5 * * * *", "jobTemplate": {"metadata": metadata, "spec": {"template": TEMPLATE}}}
    return {"apiVersion": "batch/v1", "kind": "CronJob", "metadata": {"name": "c"}, "spec": {**given, **spec}}


def world() -> World:
    return World(release("1.37"), Workloads, lambda _: GarbageCollector())


def end(cluster: World, job: str, phase: str = "Succeeded") -> None:
    """End the pods of a Job."""
    for pod in cluster.all("Pod"):
        if pod["metadata"]["labels"]["job-name"] == job and pod["status"]["phase"] == "Pending":
            cluster.patch("Pod", pod["metadata"]["name"], {"status": {"phase": phase}}, "status")


def status(cluster: World) -> Plain:
    found = cluster.get("CronJob", "c")
    assert found is not None
    return dict(found.get("status") or {})


def told(cluster: World) -> list[tuple[str, str]]:
    return [(reason, message) for reason, about, message in cluster.events() if about == "CronJob c"]


def test_a_job_is_made_in_time_and_bears_its_time():
    cluster = world()
    cluster.apply(cron())
    cluster.wait(299)
    assert cluster.names("Job") == []
    cluster.wait(2)
    (job,) = cluster.all("Job")
    assert job["metadata"]["name"] == f"c-{(1_767_398_400 + 300) // 60}"
    assert job["metadata"]["labels"]["team"] == "a"
    assert job["metadata"]["annotations"] == {
        "note": "b",
        "batch.kubernetes.io/cronjob-scheduled-timestamp": "2026-01-03T00:05:00Z",
    }
    assert job["metadata"]["ownerReferences"][0]["kind"] == "CronJob"
    assert len(cluster.names("Pod")) == 1
    assert status(cluster)["lastScheduleTime"] == "2026-01-03T00:05:00Z"
    assert [one["name"] for one in status(cluster)["active"]] == [job["metadata"]["name"]]
    end(cluster, job["metadata"]["name"])
    assert status(cluster) == {
        "lastScheduleTime": "2026-01-03T00:05:00Z",
        "lastSuccessfulTime": "2026-01-03T00:05:01Z",
    }
    name = job["metadata"]["name"]
    assert told(cluster) == [
        ("SuccessfulCreate", f"Created job {name}"),
        ("SawCompletedJob", f"Saw completed job: {name}, condition: Complete"),
    ]


def test_ended_jobs_are_kept_as_far_as_the_limits_say():
    cluster = world()
    cluster.apply(cron(successfulJobsHistoryLimit=2))
    for _ in range(4):
        cluster.wait(300)
        cluster.wait(1)
        end(cluster, cluster.names("Job")[-1])
    assert cluster.names("Job") == [f"c-{29_456_640 + 5 * number}" for number in (3, 4)]
    cluster.patch("CronJob", "c", {"spec": {"successfulJobsHistoryLimit": 0}})
    assert cluster.names("Job") == []


def test_jobs_run_beside_each_other_unless_that_is_forbidden():
    cluster = world()
    cluster.apply(cron())
    cluster.wait(601)
    assert len(cluster.names("Job")) == 2
    cluster.patch("CronJob", "c", {"spec": {"concurrencyPolicy": "Forbid"}})
    cluster.wait(300)
    assert len(cluster.names("Job")) == 2
    assert ("JobAlreadyActive", JOB_ALREADY_ACTIVE) in told(cluster)
    for name in cluster.names("Job"):
        end(cluster, name)
    assert len(cluster.names("Job")) == 3  # what was due meanwhile is made up for


def test_a_job_takes_the_place_of_the_one_before_it_where_that_is_wanted():
    cluster = world()
    cluster.apply(cron(concurrencyPolicy="Replace"))
    cluster.wait(301)
    (first,) = cluster.names("Job")
    cluster.wait(300)
    (second,) = cluster.names("Job")
    assert first < second
    assert ("SuccessfulDelete", f"Deleted job {first}") in told(cluster)


def test_of_many_missed_times_the_last_one_counts():
    cluster = world()
    cluster.apply(cron(suspend=True))
    cluster.wait(3700)
    assert cluster.names("Job") == []
    cluster.patch("CronJob", "c", {"spec": {"suspend": False}})
    assert cluster.names("Job") == [f"c-{29_456_640 + 60}"]


def test_a_time_that_is_missed_for_too_long_is_let_go():
    cluster = world()
    cluster.apply(cron(suspend=True, startingDeadlineSeconds=60))
    cluster.wait(3700)
    cluster.patch("CronJob", "c", {"spec": {"suspend": False}})
    assert cluster.names("Job") == []
    cluster.wait(201)
    assert cluster.names("Job") == [f"c-{29_456_640 + 65}"]


def test_a_schedule_follows_its_time_zone():
    cluster = world()
    cluster.apply(cron(schedule="30 6 * * *", timeZone="Asia/Kolkata"))
    cluster.wait(3601)
    (job,) = cluster.all("Job")
    stamp = job["metadata"]["annotations"]["batch.kubernetes.io/cronjob-scheduled-timestamp"]
    assert stamp == "2026-01-03T06:30:00+05:30"


def test_what_cannot_be_followed_is_told():
    kept = cron(schedule="0 0 * * 9")  # by a server that did not look
    turn = cron_turn(kept, CronScene([], lambda _: False, BEGIN))
    why = "end of range (9) above maximum (6): 9"
    expected = f'unparseable schedule: "0 0 * * 9" : {why}'
    assert [(one.type, one.reason, one.message) for one in turn.told] == [("Warning", "UnparseableSchedule", expected)]
    cluster = world()
    cluster.apply(cron(timeZone="Mars/Olympus"))
    assert told(cluster)[-1] == ("UnknownTimeZone", 'invalid timeZone: "Mars/Olympus": unknown time zone Mars/Olympus')


def test_a_job_that_somebody_else_makes_of_it_is_not_among_the_active():
    cluster = world()
    cluster.apply(cron())
    whole = cluster.get("CronJob", "c")
    assert whole is not None
    owner = {"apiVersion": "batch/v1", "kind": "CronJob", "name": "c", "uid": whole["metadata"]["uid"]}
    metadata = {
        "name": "by-hand",
        "annotations": {"cronjob.kubernetes.io/instantiate": "manual"},
        "ownerReferences": [{**owner, "controller": True}],
    }
    cluster.apply({"apiVersion": "batch/v1", "kind": "Job", "metadata": metadata, "spec": {"template": TEMPLATE}})
    assert "active" not in status(cluster)
    assert told(cluster) == [
        ("UnexpectedJob", "Saw a job that the controller did not create or forgot: by-hand"),
    ]
    end(cluster, "by-hand")
    assert status(cluster) == {"lastSuccessfulTime": "2026-01-03T00:00:00Z"}


def test_jobs_go_with_the_cron_job():
    cluster = world()
    cluster.apply(cron())
    cluster.wait(301)
    cluster.delete("CronJob", "c")
    assert cluster.names("Job") == []
