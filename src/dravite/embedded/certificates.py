"""A certificate authority of our own, and a certificate for a server on this machine."""

from __future__ import annotations

import ipaddress
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Final

import msgspec
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID

_AUTHORITY: Final = "ca.crt"
_CERTIFICATE: Final = "server.crt"
_KEY: Final = "server.key"
_DAYS: Final = 3650


class Certificates(msgspec.Struct, frozen=True):
    """The files of a server: its certificate with its key, and the authority that clients trust."""

    authority: Path
    certificate: Path
    key: Path


def certificates_in(folder: Path, hosts: Sequence[str]) -> Certificates:
    """The certificates of a folder, made where there are none for these hosts."""
    found = Certificates(folder / _AUTHORITY, folder / _CERTIFICATE, folder / _KEY)
    if not _is_good(found, hosts):
        _make(found, hosts)
    return found


def _is_good(found: Certificates, hosts: Sequence[str]) -> bool:
    if not all(path.exists() for path in (found.authority, found.certificate, found.key)):
        return False
    certificate = x509.load_pem_x509_certificate(found.certificate.read_bytes())
    if certificate.not_valid_after_utc < datetime.now(UTC) + timedelta(days=1):
        return False
    names = certificate.extensions.get_extension_for_class(x509.SubjectAlternativeName).value
    return set(map(str, _names(hosts))) <= {str(name) for name in names}


def _make(files: Certificates, hosts: Sequence[str]) -> None:
    """A new authority, which signs one certificate and is forgotten: its key is never written."""
    authority_key, key = (ec.generate_private_key(ec.SECP256R1()) for _ in range(2))
    issuer = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "dravite")])
    subject = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "kube-apiserver")])
    authority = (
        _builder(issuer, issuer, authority_key.public_key())
        .add_extension(x509.BasicConstraints(ca=True, path_length=0), critical=True)
        .add_extension(_usage(signs=True), critical=True)
        .sign(authority_key, hashes.SHA256())
    )
    certificate = (
        _builder(subject, issuer, key.public_key())
        .add_extension(x509.SubjectAlternativeName(_names(hosts)), critical=False)
        .add_extension(x509.BasicConstraints(ca=False, path_length=None), critical=True)
        .add_extension(x509.ExtendedKeyUsage([ExtendedKeyUsageOID.SERVER_AUTH]), critical=False)
        .add_extension(x509.AuthorityKeyIdentifier.from_issuer_public_key(authority_key.public_key()), critical=False)
        .sign(authority_key, hashes.SHA256())
    )
    private = key.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )
    write_secret(files.key, private)
    files.authority.write_bytes(authority.public_bytes(serialization.Encoding.PEM))
    files.certificate.write_bytes(certificate.public_bytes(serialization.Encoding.PEM))


def write_secret(path: Path, data: bytes) -> None:
    """Write a file that only its owner may read, from its first byte on."""
    path.unlink(missing_ok=True)
    path.touch(mode=0o600)
    path.write_bytes(data)


def _builder(subject: x509.Name, issuer: x509.Name, key: ec.EllipticCurvePublicKey) -> x509.CertificateBuilder:
    now = datetime.now(UTC)
    return (
        x509.CertificateBuilder()
        .subject_name(subject)
        .issuer_name(issuer)
        .public_key(key)
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - timedelta(minutes=5))
        .not_valid_after(now + timedelta(days=_DAYS))
        .add_extension(x509.SubjectKeyIdentifier.from_public_key(key), critical=False)
    )


def _usage(*, signs: bool) -> x509.KeyUsage:
    return x509.KeyUsage(
        digital_signature=True,
        content_commitment=False,
        key_encipherment=False,
        data_encipherment=False,
        key_agreement=False,
        key_cert_sign=signs,
        crl_sign=signs,
        encipher_only=False,
        decipher_only=False,
    )


def _names(hosts: Sequence[str]) -> list[x509.GeneralName]:
    return [_name(host) for host in hosts]


def _name(host: str) -> x509.GeneralName:
    try:
        return x509.IPAddress(ipaddress.ip_address(host))
    except ValueError:
        return x509.DNSName(host)
