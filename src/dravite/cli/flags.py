"""The flags, as a table: parsing, help, completion and the reference page are made from it."""

from __future__ import annotations

from typing import Final

import msgspec


class Flag(msgspec.Struct, frozen=True):
    """One flag. Without a `metavar` it is a switch; `choices` are what it takes; `repeat` lets it stand again."""

    names: tuple[str, ...]
    metavar: str | None
    help: str
    choices: tuple[str, ...] = ()
    repeat: bool = False
    default: str | None = None

    @property
    def key(self) -> str:
        return self.names[-1].lstrip("-").replace("-", "_")


PATIENCE: Final = 30.0
NO_LIMIT: Final = 86400.0
"""Seconds that an API server may be silent: by default, and where the user sets no limit."""

RELEASES: Final = ("1.31", "1.32", "1.33", "1.34", "1.35", "1.36", "1.37")

FILENAME: Final = Flag(("-f", "--filename"), "PATH", "a file, a folder, or - for standard input", repeat=True)
NAMESPACE: Final = Flag(("-n", "--namespace"), "NAME", "the namespace to look at, and that of objects that name none")
SELECTOR: Final = Flag(("-l", "--selector"), "LABELS", "only pods with these labels: app=train,tier!=test,env in (a,b)")
OUTPUT: Final = Flag(("-o", "--output"), "FORMAT", "text (default), json or yaml", choices=("text", "json", "yaml"))
RELEASE: Final = Flag(
    ("--kubernetes",), "RELEASE", "the Kubernetes release to answer for (default 1.37)", choices=RELEASES
)
GATES: Final = Flag(("--feature-gates",), "GATE=BOOL,...", "gates as Kubernetes components take them", repeat=True)
POD_TEMPLATES: Final = Flag(
    ("--pod-templates",), "FILE", "where further kinds of workload keep their pod templates", repeat=True
)
BUDGET: Final = Flag(("--budget",), "STEPS", "give up a search for devices after so many steps")
SEED: Final = Flag(("--seed",), "NUMBER", "among equally good nodes and domains take others (default 0: the first)")
GANG: Final = Flag(
    ("--gang",), "KIND,...", "plan workloads of these kinds, such as jobset or lws, as gangs", repeat=True
)
OPTIMIZE: Final = Flag(
    ("--optimize",), None, "look for ways to place the pods of a gang that kube-scheduler does not find"
)
ALL: Final = Flag(("--all",), None, "fold nothing: every node, device and pod")
NO_COLOR: Final = Flag(("--no-color",), None, "no colours; NO_COLOR=1 and a pipe do the same")
LIVE: Final = Flag(("--live",), None, "ask the running cluster; files count on top of what is there")
CONTEXT: Final = Flag(("--context",), "NAME", "the kubeconfig context to ask; implies --live")
KUBECONFIG: Final = Flag(("--kubeconfig",), "FILE", "the kubeconfig to use; implies --live")
EVERYWHERE: Final = Flag(("-A", "--all-namespaces"), None, "with --live: all namespaces, not only the context's")
TIMEOUT: Final = Flag(
    ("--request-timeout",), "SECONDS", "with --live: how long an API server may be silent (default 30; 0: no limit)"
)
SETTLE: Final = Flag(("--settle",), None, "with --live: answer when nothing that matters changes any more")
WATCH: Final = Flag(("-w", "--watch"), None, "with --live: answer again whenever something that matters changes")
ANONYMIZE: Final = Flag(("--anonymize",), None, "print the input with names, labels and values replaced")
AROUND: Final = Flag(
    ("-f", "--filename"), "PATH", "the cluster around the manifests: looked at, not judged", repeat=True
)
LINT_OUTPUT: Final = Flag(
    ("-o", "--output"), "FORMAT", "text (default), json, sarif or github", choices=("text", "json", "sarif", "github")
)
TO: Final = Flag(("--to",), "VERSION", "the apiVersion to convert to, such as resource.k8s.io/v1", repeat=True)
IN_PLACE: Final = Flag(("--in-place",), None, "write the files instead of printing them")
API_VERSION: Final = Flag(("--api-version",), "VERSION", "the version to describe; the newest if nothing is said")
CLAIMS_OUTPUT: Final = Flag(
    ("-o", "--output"), "FORMAT", "text (default), wide, json or yaml", choices=("text", "wide", "json", "yaml")
)
NOW: Final = Flag(
    ("--now",),
    "TIME",
    "the moment from which ages and evictions are counted, as in 2026-01-31T12:00:00Z; else the clock's",
)
EXPLAIN: Final = Flag(("--explain",), "CODE", "what a code means and what to do about it")

WITH: Final = Flag(
    ("--apply", "--with"),
    "PATH",
    "as if the objects in a file or folder were applied; - is standard input",
    repeat=True,
)
WITHOUT: Final = Flag(
    ("--delete", "--without"),
    "KIND/[NAMESPACE/]NAME",
    "as if an object were deleted, with what belongs to it",
    repeat=True,
)
SET: Final = Flag(
    ("--set",), "KIND/[NAMESPACE/]NAME:FIELD=VALUE", "as if a field had another value; null takes it out", repeat=True
)
REPLICAS: Final = Flag(("--replicas",), "KIND/[NAMESPACE/]NAME=NUMBER", "as if a workload were scaled", repeat=True)
ADD_NODES: Final = Flag(
    ("--add-nodes",),
    "NODE=NUMBER",
    "as if there were so many more nodes like this one, slices included; enough in place of a number finds the least",
    repeat=True,
)
ADD_DEVICES: Final = Flag(
    ("--add-devices",),
    "DRIVER/POOL/DEVICE=NUMBER",
    "as if there were so many more devices like this one in its ResourceSlice",
    repeat=True,
)
CORDON: Final = Flag(("--cordon",), "NODE", "as if a node took no more pods", repeat=True)
UNCORDON: Final = Flag(("--uncordon",), "NODE", "as if a node took pods again", repeat=True)
DRAIN: Final = Flag(("--drain",), "NODE", "as if a node were cordoned and its pods evicted", repeat=True)
TAINT_DEVICE: Final = Flag(
    ("--taint-device",),
    "DRIVER/POOL/DEVICE[=KEY][:EFFECT]",
    "as if a DeviceTaintRule tainted a device (NoExecute if nothing is said); DRIVER/POOL/* is all of a pool",
    repeat=True,
)
TO_RELEASE: Final = Flag(("--to-kubernetes",), "RELEASE", "as if the cluster ran another release", choices=RELEASES)
TO_GATES: Final = Flag(("--to-feature-gates",), "GATE=BOOL,...", "as if these gates were on or off", repeat=True)

DATA: Final = Flag(("--data",), "DIR", "keep objects in this folder; in memory only if nothing is said")
BACKUP: Final = Flag(("--backup",), "DIR", "copy what --data holds into a new folder, and leave; a server may run")
HOST: Final = Flag(("--host",), "ADDRESS", "the address to listen on (default 127.0.0.1)")
PORT: Final = Flag(("--port",), "NUMBER", "the port to listen on (default 0: any that is free)")
LOAD: Final = Flag(
    ("--load",), "PATH", "begin with the objects in a file or folder, or - for standard input", repeat=True
)
KUBECONFIG_OUT: Final = Flag(("--kubeconfig",), "FILE", "where to write the kubeconfig that leads to the server")
HTTP: Final = Flag(("--http",), None, "plain HTTP that asks for no token, instead of HTTPS with one")
RBAC: Final = Flag(("--rbac",), None, "let roles and bindings decide what others than the kubeconfig's user may do")
USER: Final = Flag(
    ("--user",), "NAME[:GROUP,...]", "a user with a token and a context in the kubeconfig; for --rbac", repeat=True
)
AUDIT_LOG: Final = Flag(("--audit-log",), "FILE", "add a line about each request to this file (audit.k8s.io/v1)")
NO_CONTROLLERS: Final = Flag(("--no-controllers",), None, "store and answer only: no controllers, no scheduler")
SIMULATE_NODES: Final = Flag(
    ("--simulate-nodes",), None, "stand in for kubelets: pods that have a node run, and end, though nothing is run"
)
POD_SECONDS: Final = Flag(
    ("--pod-seconds",), "SECONDS", "with --simulate-nodes: how long pods run that end by themselves (default 10)"
)
FULL_GRACE: Final = Flag(
    ("--full-grace",), None, "with --simulate-nodes: deleted pods run on for their whole grace period, not for a second"
)

_INPUT: Final = (FILENAME, NAMESPACE)
_QUESTION: Final = (RELEASE, GATES, POD_TEMPLATES)
_PLANNING: Final = (BUDGET, SEED, GANG)
_FACE: Final = (ALL, NO_COLOR)
_CLUSTER: Final = (LIVE, CONTEXT, KUBECONFIG, EVERYWHERE, TIMEOUT)
_LIVE: Final = (*_CLUSTER, SETTLE, WATCH)

SUPPOSITIONS: Final = (WITH, WITHOUT, SET, REPLICAS, ADD_NODES, ADD_DEVICES, CORDON, UNCORDON, DRAIN, TAINT_DEVICE)
"""What `what-if` takes to be different; these flags count in the order in which they stand."""

COMMAND_FLAGS: Final[dict[str, tuple[Flag, ...]]] = {
    "plan": (*_INPUT, *_LIVE, SELECTOR, OUTPUT, *_QUESTION, *_PLANNING, *_FACE),
    "explain": (*_INPUT, *_LIVE, SELECTOR, OUTPUT, *_QUESTION, *_PLANNING, OPTIMIZE, *_FACE),
    "what-if": (
        *SUPPOSITIONS,
        TO_RELEASE,
        TO_GATES,
        *_INPUT,
        *_LIVE,
        OUTPUT,
        *_QUESTION,
        *_PLANNING,
        NOW,
        *_FACE,
    ),
    "pools": (*_INPUT, *_LIVE, OUTPUT, *_QUESTION, *_FACE),
    "lint": (AROUND, NAMESPACE, *_CLUSTER, LINT_OUTPUT, *_QUESTION, EXPLAIN, *_FACE),
    "convert": (TO, IN_PLACE, NO_COLOR),
    "schema": (API_VERSION,),
    "claims": (*_INPUT, *_LIVE, CLAIMS_OUTPUT, *_QUESTION, NOW, *_FACE),
    "serve": (
        *(DATA, BACKUP, HOST, PORT, KUBECONFIG_OUT, LOAD, NAMESPACE, RELEASE, GATES, HTTP, RBAC),
        *(USER, AUDIT_LOG, NO_CONTROLLERS, SIMULATE_NODES, POD_SECONDS, FULL_GRACE),
    ),
    "snapshot": (FILENAME, NAMESPACE, *_CLUSTER, ANONYMIZE),
    "rbac": (NAMESPACE, SETTLE, WATCH),
    "completion": (),
}

POSITIONALS: Final[dict[str, tuple[str, str]]] = {
    "plan": ("PATH", "files and folders, as with -f"),
    "explain": ("KIND/NAME", "pod/x, claim/x, job/x, podgroup/x …; without one, everything that was not placed"),
    "what-if": ("KIND/NAME", "the pods that are asked about; without one, everything that the change makes different"),
    "pools": ("PATH", "files and folders, as with -f"),
    "lint": ("PATH", "the manifests to judge: files, folders, or - for standard input"),
    "convert": ("FILE", "files and folders, or - for standard input"),
    "schema": ("KIND", "a kind, or a field of it to be explained: ResourceClaim.spec.devices; without one, all kinds"),
    "claims": ("PATH", "files and folders, as with -f"),
    "serve": ("PATH", "files and folders, as with --load"),
    "snapshot": ("PATH", "files and folders, as with -f"),
    "rbac": ("COMMAND", "the command to print the rights for: plan, explain, what-if, pools, claims, lint or snapshot"),
    "completion": ("SHELL", "bash, zsh or fish"),
}

EXAMPLES: Final[dict[str, tuple[str, ...]]] = {
    "plan": (
        "dravite plan cluster/ jobs/",
        "dravite plan --live -A",
        "dravite plan --live -n ml -f job.yaml",
        "dravite plan -f cluster/ -f jobs/ -o json",
        "dravite plan -f cluster/ -f jobs/ -o yaml | kubectl apply --server-side --subresource=status -f -",
        "dravite plan cluster/ jobs/ --kubernetes 1.34 --feature-gates DRAConsumableCapacity=true",
    ),
    "explain": (
        "dravite explain -f cluster/ -f jobs/ -n ml pod/train-0",
        "dravite explain -f cluster/ -f jobs/ -n ml job/train",
        "dravite explain -f cluster/ -f jobs/ -n ml podgroup/train --optimize",
        "dravite explain -f cluster/ -f jobs/",
        "dravite explain --live -n ml pod/train-0",
        "dravite explain --live -n ml --watch job/train",
    ),
    "what-if": (
        "dravite what-if -f cluster/ --with jobs/train.yaml",
        "dravite what-if -f cluster/ -f jobs/ -n ml pod/train-0 --without pod/vision/render-0",
        "dravite what-if --live --with rule.yaml",
        "dravite what-if --live -n ml job/train --add-nodes gpu-01=2",
        "dravite what-if --live -n ml --with job.yaml --add-nodes gpu-01=enough",
        "dravite what-if -f cluster/ --drain gpu-01 -o json",
        "dravite what-if -f cluster/ --taint-device gpu.example.com/gpu-01/gpu-0:NoExecute",
        "dravite what-if -f cluster/ -f jobs/ -n ml --set job/train:spec.parallelism=4 --to-kubernetes 1.36",
    ),
    "pools": ("dravite pools -f cluster/", "dravite pools --live", "dravite pools cluster/ -o json"),
    "lint": (
        "dravite lint manifests/",
        "dravite lint -f cluster/ manifests/ --kubernetes 1.36",
        "dravite lint --live manifests/",
        "dravite lint manifests/ -o sarif > dravite.sarif",
        "dravite lint --explain selector-fails",
    ),
    "convert": (
        "dravite convert claims.yaml --to resource.k8s.io/v1",
        "dravite convert manifests/ --to resource.k8s.io/v1 --to scheduling.k8s.io/v1beta1 --in-place",
    ),
    "schema": (
        "dravite schema > all.json",
        "dravite schema ResourceSlice --api-version resource.k8s.io/v1beta1",
        "dravite schema ResourceClaim.spec.devices.requests",
    ),
    "claims": (
        "dravite claims --live -n ml",
        "dravite claims cluster/",
        "dravite claims -f cluster.yaml -n ml -o wide",
    ),
    "serve": (
        "dravite serve",
        "dravite serve --simulate-nodes --load cluster/",
        "dravite serve --data state/ --port 6443",
        "dravite serve --kubernetes 1.34 --feature-gates DRAConsumableCapacity=true",
        "dravite serve --data state/ --backup state-copy/",
    ),
    "snapshot": (
        "dravite snapshot --live > case.yaml",
        "dravite snapshot --live --anonymize > shareable.yaml",
        "dravite snapshot -f cluster.yaml --anonymize > shareable.yaml",
        "dravite snapshot",
    ),
    "rbac": ("dravite rbac explain | kubectl apply -f -", "dravite rbac plan --watch -n ml"),
    "completion": (
        "source <(dravite completion bash)",
        "dravite completion fish > ~/.config/fish/completions/dravite.fish",
    ),
}
