"""`dravite serve`: a control plane on this machine until Ctrl-C."""

from __future__ import annotations

import signal
import sys
from errno import EACCES, EADDRINUSE
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import msgspec

from dravite.api.releases import Profile, profile
from dravite.cli.arguments import Arguments, parse
from dravite.cli.dispatch import NoAnswer, UsageError
from dravite.cli.exit_codes import ExitCode
from dravite.cli.extras import need
from dravite.sources import STDIN, read

if TYPE_CHECKING:
    from dravite.apiserver.identity import User
    from dravite.embedded import ControlPlane, Work

PACKAGES: Final = ("uvicorn", "cryptography")


def run(given: list[str]) -> int:
    """Serve, and say on stdout how clients get there and when it is ready."""
    arguments = parse("serve", given)
    if arguments.backup is not None:
        return _copy(arguments)
    installed = all(find_spec(name) is not None for name in PACKAGES)
    need("server", "serve needs packages that are not installed", installed=installed)
    _need_files(arguments)
    with _plane(arguments, _profile(arguments)) as plane:
        signal.signal(signal.SIGTERM, _interrupt)
        _load(arguments, plane)
        sys.stdout.write(f"export KUBECONFIG={plane.kubeconfig.absolute()}\n")
        sys.stdout.flush()
        try:
            plane.serve(lambda: _say_ready(arguments, plane))
        except KeyboardInterrupt:
            return ExitCode.YES
    return ExitCode.YES


def _profile(arguments: Arguments) -> Profile:
    made = profile(arguments.release, ",".join(arguments.gates))
    if isinstance(made, Profile):
        return made
    message = "; ".join(error.detail for error in made)
    raise UsageError(message)


def _plane(arguments: Arguments, wanted: Profile) -> ControlPlane:
    from dravite.apiserver import OtherReleaseError, Settings
    from dravite.embedded import ControlPlane, Place
    from dravite.store import JournalError

    place = Place(
        data=Path(arguments.data) if arguments.data else None,
        host=arguments.host or "127.0.0.1",
        port=arguments.port,
        kubeconfig=Path(arguments.kubeconfig) if arguments.kubeconfig else None,
        plain="http" in arguments.show,
        users=tuple(_user(given) for given in arguments.users),
        audit=Path(arguments.audit_log) if arguments.audit_log else None,
    )
    settings = Settings(profile=wanted, controls_access="rbac" in arguments.show)
    try:
        return ControlPlane(place, settings, work_of(arguments))
    except JournalError as error:
        raise NoAnswer(str(error)) from None
    except OtherReleaseError as error:
        message = f"{place.data} cannot be served: {error}"
        raise NoAnswer(message, f"--kubernetes {error.release} serves it; another folder begins anew") from None
    except OSError as error:
        if error.filename is not None:
            message = f"{error.filename} cannot be written: {error.strerror}"
            raise NoAnswer(message) from None
        message = f"cannot serve on {place.host} port {place.port}: {error.strerror or error}"
        taken = error.errno in (EADDRINUSE, EACCES)
        hint = "--port 0 takes any free port" if taken else "say --host 127.0.0.1, or another address of this machine"
        raise NoAnswer(message, hint) from None


def _user(given: str) -> User:
    """A user as `--user` names one."""
    from dravite.apiserver.identity import User

    name, _, groups = given.partition(":")
    if not name or name == "admin":
        message = f"--user {given} names nobody else than the administrator"
        raise UsageError(message)
    return User(name, (*filter(None, groups.split(",")), "system:authenticated"))


def work_of(arguments: Arguments) -> Work:
    """What is to be done besides answering."""
    from dravite.embedded import Habits, Work

    kubelets = Habits()
    if arguments.pod_seconds is not None:
        kubelets = msgspec.structs.replace(kubelets, pod_seconds=arguments.pod_seconds)
    if "full_grace" in arguments.show:
        kubelets = msgspec.structs.replace(kubelets, longest_grace=None)
    simulates = "simulate_nodes" in arguments.show
    return Work(controllers="no_controllers" not in arguments.show, kubelets=kubelets if simulates else None)


def _need_files(arguments: Arguments) -> None:
    """Refuse to begin with what is not there: it is a slip of the pen, and nobody waits for half a cluster."""
    missing = next((path for path in _loaded(arguments) if path != STDIN and not Path(path).exists()), None)
    if missing is not None:
        message = f"{missing} cannot be loaded: no such file or folder"
        raise UsageError(message, "check the path")


def _loaded(arguments: Arguments) -> tuple[str, ...]:
    return (*arguments.load, *arguments.words)


def _load(arguments: Arguments, plane: ControlPlane) -> None:
    """Put manifests into the server; what it does not take is said on stderr."""
    from dravite.embedded.loading import load

    paths = _loaded(arguments)
    stdin = sys.stdin.buffer.read() if STDIN in paths else b""
    for refused in load(plane.server, read(paths, stdin), arguments.namespace or "default"):
        sys.stderr.write(f"warning: {refused.file}:{refused.line}: {refused.name} was not loaded: {refused.why}\n")


def _say_ready(arguments: Arguments, plane: ControlPlane) -> None:
    sys.stdout.write(f"Kubernetes {arguments.release} is ready at {plane.url}; Ctrl-C ends it\n")
    sys.stdout.flush()


def _copy(arguments: Arguments) -> int:
    from dravite.store.journal import JournalError, backup

    if arguments.data is None or arguments.backup is None:
        message = "--backup needs --data, the folder to copy"
        raise UsageError(message)
    try:
        backup(arguments.data, arguments.backup)
    except JournalError as error:
        raise NoAnswer(str(error)) from None
    return ExitCode.YES


def _interrupt(*_: Any) -> None:
    raise KeyboardInterrupt
