"""No kubeconfig, wrong names, expired tokens, dead and half-dead servers: one message, what to do, exit code 3."""

from __future__ import annotations

import socket
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from datetime import timedelta
from pathlib import Path

import pytest

from tests.console_blocks import run
from tests.live.certificates import serving_tls
from tests.live.conftest import Ask
from tests.live.server import Answer, ApiServer, status


def no_answer(line: str, folder: Path) -> str:
    """What a command says that has no answer: one error, one hint."""
    told, code = run(line, folder)
    assert code == 3
    assert told.count("error: ") == 1
    assert told.count("\nhint: ") == 1
    assert "Traceback" not in told
    return told


def test_no_kubeconfig(tmp_path: Path) -> None:
    told = no_answer("dravite plan --live --kubeconfig nowhere.yaml", tmp_path)
    assert told.startswith("error: there is no kubeconfig nowhere.yaml\nhint: say --kubeconfig FILE or set KUBECONFIG")


def test_no_kubeconfig_at_all(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.delenv("KUBECONFIG", raising=False)
    monkeypatch.delenv("KUBERNETES_SERVICE_HOST", raising=False)
    told = no_answer("dravite plan --live", tmp_path)
    assert told.startswith("error: there is no kubeconfig: neither KUBECONFIG nor ~/.kube/config names a cluster")


@pytest.mark.parametrize("command", ["plan", "snapshot", "lint"])
def test_the_extra_is_not_installed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, command: str) -> None:
    monkeypatch.setitem(sys.modules, "lightkube", None)
    told = no_answer(f"dravite {command} --live", tmp_path)
    assert told.endswith("which is not installed\nhint: pip install 'dravite[live]'\n")


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("{", "is no YAML"),
        ("a: 1\ncontexts: 3\n", "is no kubeconfig"),
        ("apiVersion: v1\n", "names no current context"),
        ("current-context: x\n", "has no context 'x'"),
        ("current-context: x\ncontexts: [{name: x, context: {cluster: c}}]\n", "which the kubeconfig does not have"),
        ("current-context: x\ncontexts: [{name: x, context: {cluster: c}}]\nclusters: [{name: c}]\n", "has no server"),
        ("\x00", "is no YAML"),
    ],
)
def test_a_kubeconfig_that_is_broken(tmp_path: Path, text: str, says: str) -> None:
    (tmp_path / "config").write_text(text)
    assert says in no_answer("dravite plan --kubeconfig config", tmp_path)


def test_a_context_that_does_not_exist(ask: Ask) -> None:
    told, code = ask("plan --context tset")
    assert "has no context 'tset'\nhint: did you mean --context test?" in told
    assert code == 3
    told, _ = ask("plan --context production")
    assert "has no context 'production'\nhint: name one with --context: test" in told


def test_an_expired_token(api: ApiServer, tmp_path: Path) -> None:
    kubeconfig = api.kubeconfig(tmp_path, "old")
    told = no_answer(f"dravite plan --kubeconfig {kubeconfig}", tmp_path)
    assert "(context 'test') does not accept who you are: Unauthorized" in told
    assert "log in again" in told


def test_a_server_that_is_not_there(tmp_path: Path) -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    api = ApiServer()
    api.url = f"http://127.0.0.1:{port}"
    told = no_answer(f"dravite plan --kubeconfig {api.kubeconfig(tmp_path)}", tmp_path)
    assert f"http://127.0.0.1:{port} (context 'test') cannot be reached: connection refused" in told


def test_a_name_that_does_not_resolve(tmp_path: Path) -> None:
    api = ApiServer()
    api.url = "https://no-such-host.invalid:6443"
    told = no_answer(f"dravite plan --kubeconfig {api.kubeconfig(tmp_path)}", tmp_path)
    assert "its name cannot be resolved" in told


@contextmanager
def half_dead(words: bytes, then: bytes = b"") -> Iterator[str]:
    """A server that takes connections and says some words; then either nothing, or a word now and then."""
    with socket.create_server(("127.0.0.1", 0)) as listening:
        taken: list[socket.socket] = []
        over = threading.Event()

        def take() -> None:
            while True:
                try:
                    connection, _ = listening.accept()
                except OSError:
                    return
                taken.append(connection)
                connection.sendall(words)
                if then:
                    threading.Thread(target=drip, args=(connection,), daemon=True).start()

        def drip(connection: socket.socket) -> None:
            with suppress(OSError):
                while not over.wait(0.05):
                    connection.sendall(then)

        threading.Thread(target=take, daemon=True).start()
        yield f"http://127.0.0.1:{listening.getsockname()[1]}"
        over.set()
        listening.shutdown(socket.SHUT_RDWR)
        for connection in taken:
            connection.close()


@pytest.mark.parametrize("words", [b"", b"HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\n{"])
def test_a_server_that_is_half_dead(tmp_path: Path, words: bytes) -> None:
    api = ApiServer()
    with half_dead(words) as api.url:
        told = no_answer(f"dravite plan --kubeconfig {api.kubeconfig(tmp_path)} --request-timeout 1", tmp_path)
    assert "took the connection and does not answer" in told
    assert "--request-timeout SECONDS waits longer" in told


def test_an_answer_that_comes_in_drops_is_given_up(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("dravite.live.transport.PATIENCE", 1)
    api = ApiServer()
    with half_dead(b"HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n{", b" ") as api.url:
        told = no_answer(f"dravite plan --kubeconfig {api.kubeconfig(tmp_path)} --request-timeout 1", tmp_path)
    assert "(context 'test') answers too slowly\n" in told


def test_a_server_that_breaks_off(tmp_path: Path) -> None:
    api = ApiServer()
    with socket.create_server(("127.0.0.1", 0)) as listening:
        api.url = f"http://127.0.0.1:{listening.getsockname()[1]}"

        def close_all() -> None:
            with suppress(OSError):  # nobody listens any more
                while True:
                    listening.accept()[0].close()

        closing = threading.Thread(target=close_all)
        closing.start()
        told = no_answer(f"dravite plan --kubeconfig {api.kubeconfig(tmp_path)}", tmp_path)
        listening.shutdown(socket.SHUT_RDWR)
        closing.join()
    assert "broke the connection off" in told


def test_a_certificate_that_is_not_trusted(tmp_path: Path) -> None:
    with serving_tls(tmp_path) as api:
        told = no_answer(f"dravite plan --kubeconfig {api.kubeconfig(tmp_path)}", tmp_path)
        assert "has a certificate that is not trusted: self-signed certificate" in told
        trusted = api.kubeconfig(tmp_path, **{"certificate-authority": "tls.crt"})
        assert run(f"dravite pools --kubeconfig {trusted}", tmp_path)[1] == 0
        careless = api.kubeconfig(tmp_path, **{"insecure-skip-tls-verify": True})
        assert run(f"dravite pools --kubeconfig {careless}", tmp_path)[1] == 0


def test_a_certificate_that_is_for_another_name(tmp_path: Path) -> None:
    with serving_tls(tmp_path) as api:
        trusted = {"certificate-authority": "tls.crt"}
        api.url = api.url.replace("127.0.0.1", "localhost")
        told = no_answer(f"dravite pools --kubeconfig {api.kubeconfig(tmp_path, **trusted)}", tmp_path)
        assert "is not trusted: Hostname mismatch, certificate is not valid for 'localhost'" in told
        named = api.kubeconfig(tmp_path, **trusted, **{"tls-server-name": "127.0.0.1"})
        assert run(f"dravite pools --kubeconfig {named}", tmp_path)[1] == 0


def test_a_certificate_that_is_over(tmp_path: Path) -> None:
    with serving_tls(tmp_path, age=timedelta(days=3)) as api:
        kubeconfig = api.kubeconfig(tmp_path, **{"certificate-authority": "tls.crt"})
        told = no_answer(f"dravite pools --kubeconfig {kubeconfig}", tmp_path)
    assert "has a certificate that is not trusted: certificate has expired" in told
    assert "and the clock too" in told


def test_a_certificate_that_is_missing(api: ApiServer, tmp_path: Path) -> None:
    kubeconfig = api.kubeconfig(tmp_path, **{"certificate-authority": "nowhere.crt"})
    assert "cannot be used: [Errno 2] No such file" in no_answer(f"dravite plan --kubeconfig {kubeconfig}", tmp_path)


def test_a_server_that_speaks_no_tls(api: ApiServer, tmp_path: Path) -> None:
    api.url = api.url.replace("http:", "https:")
    told = no_answer(f"dravite plan --kubeconfig {api.kubeconfig(tmp_path)}", tmp_path)
    assert "does not speak TLS" in told


def test_a_server_that_speaks_nothing_but_tls(ask: Ask, api: ApiServer) -> None:
    """Go's servers say so in words."""
    said = b"Client sent an HTTP request to an HTTPS server.\n"
    api.rules.append(lambda one: Answer(400, said, "text/plain"))
    told, code = ask("plan --live")
    assert "answers 400 to /version: Client sent an HTTP request to an HTTPS server.\n" in told
    assert "hint: write https:// in the server's address\n" in told
    assert code == 3


def test_something_that_is_not_kubernetes(ask: Ask, api: ApiServer) -> None:
    api.rules.append(lambda one: Answer(200, b"<html>log in</html>", "text/html"))
    told, code = ask("plan --live")
    assert "answers /version with something that is not Kubernetes (text/html)" in told
    assert code == 3
    api.rules[:] = [lambda one: status(404, "NotFound", "page not found")]
    told, code = ask("plan --live")
    assert "has no /version: is it an API server of Kubernetes?" in told
    assert code == 3


@pytest.mark.parametrize("items", [[1], [{"metadata": 1}], [{"metadata": {"name": 1}}], {"a": 1}])
def test_lists_that_are_not_lists_of_objects(ask: Ask, api: ApiServer, items: object) -> None:
    api.rules.append(lambda one: Answer(200, {"items": items}) if one.resource == "resourceslices" else None)
    told, code = ask("pools --live")
    assert "answers /apis/resource.k8s.io/v1/resourceslices with something that is not Kubernetes" in told
    assert code == 3


def test_a_server_without_devices(ask: Ask, api: ApiServer) -> None:
    del api.versions["resource.k8s.io"]
    told, code = ask("plan --live")
    assert "has no Dynamic Resource Allocation: it serves no resource.k8s.io" in told
    assert "hint: it is on by default since Kubernetes 1.34" in told
    assert code == 3
    api.versions["resource.k8s.io"] = "v1alpha2"
    told, code = ask("plan --live")
    assert "serves resource.k8s.io in no version that dravite knows" in told
    assert code == 3


def test_a_server_that_is_too_old(ask: Ask, api: ApiServer) -> None:
    api.version, api.versions["resource.k8s.io"] = "v1.30.2", "v1alpha3"
    told, code = ask("plan --live")
    assert "error: Kubernetes v1.30.2 is older than 1.31" in told
    assert code == 3
    assert ask("pools --live --kubernetes 1.31")[1] == 0


def test_a_server_that_breaks_down_while_it_is_read_leaves_what_is_known(ask: Ask, api: ApiServer) -> None:
    api.rules.append(lambda one: Answer(200, b"{", "application/json") if one.resource == "jobs" else None)
    told, code = ask("plan --live -A")
    assert "answers /apis/batch/v1/jobs with something that is not Kubernetes" in told
    assert "\nread: " in told
    assert code == 3


def test_a_wrong_patience_is_a_wrong_command_line(ask: Ask) -> None:
    told, code = ask("plan --live --request-timeout soon")
    assert told.startswith("error: --request-timeout takes seconds")
    assert code == 2
