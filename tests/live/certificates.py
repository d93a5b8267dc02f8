"""Certificates for tests, made on the spot: one that signs itself, and serves and asks alike."""

from __future__ import annotations

import base64
import ssl
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from http.server import ThreadingHTTPServer
from ipaddress import ip_address
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

from tests.live.server import ApiServer, serving

YOUNG = timedelta(days=1)


def certificate(folder: Path, age: timedelta = YOUNG) -> tuple[str, str]:
    """The files of a certificate for 127.0.0.1, and of its key. It lasts two days."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "test")])
    now = datetime.now(UTC)
    address = x509.IPAddress(ip_address("127.0.0.1"))
    made = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - age)
        .not_valid_after(now - age + timedelta(days=2))
        .add_extension(x509.SubjectAlternativeName([address]), critical=False)
        .add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
        .sign(key, hashes.SHA256())
    )
    files = folder / "tls.crt", folder / "tls.key"
    files[0].write_bytes(made.public_bytes(serialization.Encoding.PEM))
    private = serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    files[1].write_bytes(key.private_bytes(serialization.Encoding.PEM, *private))
    return str(files[0]), str(files[1])


def encoded(file: str) -> str:
    """A file as kubeconfigs hold it inside."""
    return base64.b64encode(Path(file).read_bytes()).decode()


@contextmanager
def serving_tls(folder: Path, asks: ssl.VerifyMode = ssl.CERT_NONE, age: timedelta = YOUNG) -> Iterator[ApiServer]:
    """A server over TLS; with `CERT_REQUIRED` it speaks only to those who have the certificate too."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    files = certificate(folder, age)
    context.load_cert_chain(*files)
    context.load_verify_locations(files[0])
    context.verify_mode = asks

    def wrap(server: ThreadingHTTPServer) -> None:
        server.socket = context.wrap_socket(server.socket, server_side=True, do_handshake_on_connect=False)

    with serving(ApiServer(), wrap) as api:
        yield api
