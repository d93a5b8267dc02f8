"""Which cluster is meant, and as whom it is asked: kubeconfig files merged and chosen from as kubectl does it.

`--kubeconfig`, else every file of KUBECONFIG, else ~/.kube/config, else the service account of the pod that this runs
in. Nothing is connected here. Source: the rules of client-go's `clientcmd`.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from difflib import get_close_matches
from pathlib import Path
from typing import Any, Final

import msgspec
import yaml

from dravite.live.faults import ClusterError

SERVICE_ACCOUNT: Final = "/var/run/secrets/kubernetes.io/serviceaccount"
DEFAULT_FILE: Final = "~/.kube/config"
IN_CLUSTER: Final = "in-cluster"
_WHERE: Final = "say --kubeconfig FILE or set KUBECONFIG; `kubectl config view` shows what kubectl uses"

_PATHS: Final[Mapping[str, tuple[str, ...]]] = {
    "clusters": ("certificate-authority",),
    "users": ("client-certificate", "client-key", "tokenFile"),
}
"""Fields that name files; a relative path is relative to the kubeconfig that it stands in."""

Entry = Mapping[str, Any]


class Access(msgspec.Struct, frozen=True):
    """One way into one cluster.

    Attributes:
        context: its name; `in-cluster` for a service account.
        namespace: where namespaced objects are looked for unless something else is said.
        cluster, user: as they stand in the kubeconfig, with absolute paths.
    """

    context: str
    namespace: str
    cluster: Entry
    user: Entry

    @property
    def server(self) -> str:
        """The server's URL."""
        return str(self.cluster.get("server") or "")


class Choice(msgspec.Struct, frozen=True):
    """What the user said: a file, a context; None where nothing was said."""

    kubeconfig: str | None = None
    context: str | None = None


def find_access(choice: Choice, environment: Mapping[str, str]) -> Access:
    """The access that the user means. Raises `ClusterError` where there is none or it is broken."""
    files, must_exist = _files(choice, environment)
    present = [file for file in files if file.is_file()]
    if not present:
        if must_exist:
            message = f"there is no kubeconfig {files[0] if files else ''}".rstrip()
            raise ClusterError(message, _WHERE)
        return _service_account(environment)
    merged = _merged([_loaded(file) for file in present])
    return _chosen(merged, choice.context, ", ".join(str(file) for file in present))


def _files(choice: Choice, environment: Mapping[str, str]) -> tuple[list[Path], bool]:
    """The files to look into, and whether one of them must be there."""
    if choice.kubeconfig is not None:
        return [Path(choice.kubeconfig).expanduser()], True
    listed = [part for part in environment.get("KUBECONFIG", "").split(os.pathsep) if part]
    if listed:
        return [Path(part).expanduser() for part in listed], not _is_in_cluster(environment)
    return [Path(DEFAULT_FILE).expanduser()], choice.context is not None


def _loaded(file: Path) -> Entry:
    """The content of one file, its paths made absolute."""
    try:
        content = yaml.safe_load(file.read_text())
    except (OSError, UnicodeDecodeError) as error:
        message = f"the kubeconfig {file} cannot be read: {error}"
        raise ClusterError(message, "check who may read it") from error
    except yaml.YAMLError as error:
        first = str(error).splitlines()[0]
        message = f"the kubeconfig {file} is no YAML: {first}"
        raise ClusterError(message, _WHERE) from error
    if content is None:
        return {}
    if not isinstance(content, dict) or not all(isinstance(content.get(key) or [], list) for key in _SECTIONS):
        message = f"{file} is no kubeconfig"
        raise ClusterError(message, _WHERE)
    return content | {key: [_with_paths(key, one, file) for one in content.get(key) or ()] for key in _SECTIONS}


_SECTIONS: Final = ("clusters", "users", "contexts")


def _with_paths(section: str, one: Any, file: Path) -> Any:
    inner = one.get(section[:-1]) if isinstance(one, dict) else None
    if not isinstance(inner, dict):
        return one
    folder = file.absolute().parent
    placed: dict[str, Any] = {key: str(folder / inner[key]) for key in _PATHS.get(section, ()) if inner.get(key)}
    execute = inner.get("exec")
    if isinstance(execute, dict) and os.sep in str(execute.get("command") or ""):
        placed["exec"] = execute | {"command": str(folder / execute["command"])}
    return one | {section[:-1]: inner | placed}


class _Merged(msgspec.Struct, frozen=True):
    """All files together: what is named first counts."""

    current: str
    sections: Mapping[str, Mapping[str, Entry]]


def _merged(files: Sequence[Entry]) -> _Merged:
    sections = {key: dict(reversed(list(_named(files, key)))) for key in _SECTIONS}
    current = next((str(one["current-context"]) for one in files if one.get("current-context")), "")
    return _Merged(current, sections)


def _named(files: Sequence[Entry], section: str) -> Iterator[tuple[str, Entry]]:
    for content in files:
        for one in content.get(section, ()):
            if isinstance(one, dict) and isinstance(one.get("name"), str):
                inner = one.get(section[:-1])
                yield one["name"], inner if isinstance(inner, dict) else {}


def _chosen(merged: _Merged, wanted: str | None, files: str) -> Access:
    contexts = merged.sections["contexts"]
    name = wanted or merged.current
    if not name:
        message = f"{files} names no current context"
        raise ClusterError(message, _say_context(contexts))
    context = contexts.get(name)
    if context is None:
        message = f"{files} has no context {name!r}"
        near = get_close_matches(name, contexts, n=1)
        raise ClusterError(message, f"did you mean --context {near[0]}?" if near else _say_context(contexts))
    cluster = _entry(merged, "clusters", context.get("cluster"), name)
    user = _entry(merged, "users", context["user"], name) if context.get("user") else {}
    if not cluster.get("server"):
        message = f"the cluster of context {name!r} has no server in {files}"
        raise ClusterError(message, _WHERE)
    return Access(name, str(context.get("namespace") or "default"), cluster, user)


def _say_context(contexts: Mapping[str, Entry]) -> str:
    if not contexts:
        return "it has no contexts at all: " + _WHERE
    shown = ", ".join(list(contexts)[:8]) + (" …" if len(contexts) > 8 else "")
    return f"name one with --context: {shown}"


def _entry(merged: _Merged, section: str, name: Any, context: str) -> Entry:
    found = merged.sections[section].get(str(name))
    if found is None:
        message = (
            f"context {context!r} names the {section[:-1]} {str(name or '')!r}, which the kubeconfig does not have"
        )
        raise ClusterError(message, _WHERE)
    return found


def _is_in_cluster(environment: Mapping[str, str]) -> bool:
    return bool(environment.get("KUBERNETES_SERVICE_HOST")) and Path(SERVICE_ACCOUNT, "token").is_file()


def _service_account(environment: Mapping[str, str]) -> Access:
    """The access that every pod has. Raises `ClusterError` outside of one."""
    if not _is_in_cluster(environment):
        message = f"there is no kubeconfig: neither KUBECONFIG nor {DEFAULT_FILE} names a cluster"
        raise ClusterError(message, _WHERE)
    host, port = environment["KUBERNETES_SERVICE_HOST"], environment.get("KUBERNETES_SERVICE_PORT", "443")
    host = f"[{host}]" if ":" in host else host
    folder = Path(SERVICE_ACCOUNT)
    namespace = folder / "namespace"
    return Access(
        context=IN_CLUSTER,
        namespace=namespace.read_text().strip() if namespace.is_file() else "default",
        cluster={"server": f"https://{host}:{port}", "certificate-authority": str(folder / "ca.crt")},
        user={"tokenFile": str(folder / "token")},
    )
