"""A workload that contradicts itself is refused when it is written, as `plan` refuses it."""

from __future__ import annotations

from typing import Any

from asking import ask, server

CRON_JOBS = "/apis/batch/v1/namespaces/default/cronjobs"
TEMPLATE = {"spec": {"containers": [{"name": "c", "image": "i"}], "restartPolicy": "Never"}}


def cron_job(schedule: str, template: dict[str, Any] | None = None) -> dict[str, Any]:
    job = {"spec": {"template": TEMPLATE if template is None else template}}
    return {"metadata": {"name": "c"}, "spec": {"schedule": schedule, "jobTemplate": job}}


def test_a_schedule_that_nobody_can_follow() -> None:
    to = server()
    code, said = ask(to, "POST", CRON_JOBS, cron_job("* * * *"))
    why = "expected exactly 5 fields, found 4: [* * * *]"
    told = f'CronJob.batch "c" is invalid: spec.schedule: Invalid value: "* * * *": {why}'
    assert (code, said["message"]) == (422, told)
    assert ask(to, "POST", CRON_JOBS, cron_job("*/5 * * * MON"))[0] == 201
    patch = {"spec": {"schedule": "@often"}}
    code, said = ask(to, "PATCH", f"{CRON_JOBS}/c", patch, content_type="application/merge-patch+json")
    assert (code, said["details"]["causes"][0]["message"]) == (
        422,
        'Invalid value: "@often": unrecognized descriptor: @often',
    )


def test_a_job_whose_pods_would_never_end() -> None:
    spec = {"template": {"spec": {"containers": [{"name": "c", "image": "i"}]}}}
    code, said = ask(
        server(), "POST", "/apis/batch/v1/namespaces/default/jobs", {"metadata": {"name": "j"}, "spec": spec}
    )
    why = 'Required value: valid values: "OnFailure", "Never"'
    assert (code, said["message"]) == (422, f'Job.batch "j" is invalid: spec.template.spec.restartPolicy: {why}')


def test_a_deployment_that_does_not_select_its_own_pods() -> None:
    template = {"metadata": {"labels": {"app": "b"}}, "spec": TEMPLATE["spec"] | {"restartPolicy": "Always"}}
    spec = {"selector": {"matchLabels": {"app": "a"}}, "template": template}
    path = "/apis/apps/v1/namespaces/default/deployments"
    code, said = ask(server(), "POST", path, {"metadata": {"name": "d"}, "spec": spec})
    assert code == 422
    assert said["message"].endswith("`selector` does not match template `labels`")


def test_a_gang_that_is_larger_than_what_its_job_runs_at_once() -> None:
    """Rule E8.5; where Jobs make no groups nobody looks."""
    gang = {"schedulingPolicy": {"gang": {"minCount": 3}}}
    spec = {"parallelism": 2, "completions": 2, "scheduling": gang, "template": TEMPLATE}
    made = {"metadata": {"name": "j"}, "spec": spec}
    path = "/apis/batch/v1/namespaces/default/jobs"
    code, said = ask(server(gates="WorkloadWithJob=true,GenericWorkload=true"), "POST", path, made)
    why = "spec.scheduling.schedulingPolicy.gang.minCount: Invalid value: 3: must not be greater than parallelism (2)"
    assert (code, said["message"]) == (422, f'Job.batch "j" is invalid: {why}')
    assert ask(server(), "POST", path, made)[0] == 201
