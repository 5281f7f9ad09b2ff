"""A local authority: a certificate for the machine in the hall. No public authority can issue a certificate for a
machine that is not on the internet.

Devices of the staff install the authority's certificate once. The authority's certificate is limited to names in
`.local`, `localhost`, and private addresses. Therefore a stolen authority cannot pretend to be a site on the
internet.
"""

from __future__ import annotations

import ipaddress
import os
import socket
from collections.abc import Iterable
from datetime import datetime, timedelta
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID

from matchledger.commands.draft import now

# The lifetimes of the authority and of a server's certificate.
YEARS, DAYS = timedelta(days=5 * 365), timedelta(days=90)
NETWORKS = ("10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "127.0.0.0/8", "169.254.0.0/16", "::1/128", "fc00::/7")
_CURVE = ec.SECP256R1()
# OpenSSL takes a subject without a blank for a host name, and the limits of the authority permit no such name.
_SERVER = "matchledger server"


def own_certificate(folder: Path, names: Iterable[str]) -> tuple[Path, Path]:
    """Make a certificate for these names and addresses, and return the files in `folder` with the certificate and
    its key.

    If the folder has no authority, an authority is made first. Devices install `authority.pem`. Raises ValueError
    for a name outside the authority's limits, or for an authority's key that others can read or that belongs to
    another certificate, and OSError if the folder cannot be written.
    """
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    authority, key = _authority(folder)
    wanted = [_general(name) for name in dict.fromkeys(names)]
    for name in wanted:
        _need_permitted(authority, name)
    own = ec.generate_private_key(_CURVE)
    certificate = (
        _builder(_SERVER, authority.subject, own.public_key(), DAYS)
        .add_extension(x509.SubjectAlternativeName(wanted), critical=False)
        .add_extension(x509.BasicConstraints(ca=False, path_length=None), critical=True)
        .add_extension(x509.ExtendedKeyUsage([ExtendedKeyUsageOID.SERVER_AUTH]), critical=False)
        .add_extension(x509.AuthorityKeyIdentifier.from_issuer_public_key(key.public_key()), critical=False)
        .sign(key, hashes.SHA256())
    )
    files = folder / "server.pem", folder / "server.key"
    _write(files[0], certificate.public_bytes(serialization.Encoding.PEM), 0o644)
    _write(files[1], _private(own), 0o600)
    return files


def expiry(certificate: Path) -> datetime:
    """Return the time at which a certificate in a PEM file expires. Raises ValueError for another file."""
    return x509.load_pem_x509_certificate(certificate.read_bytes()).not_valid_after_utc


def fingerprint(folder: Path) -> str:
    """Return the SHA-256 of the authority's certificate. People compare this SHA-256 on each device that installs
    the certificate.
    """
    return _read(folder / "authority.pem").fingerprint(hashes.SHA256()).hex(":")


def _authority(folder: Path) -> tuple[x509.Certificate, ec.EllipticCurvePrivateKey]:
    files = folder / "authority.pem", folder / "authority.key"
    if all(file.exists() for file in files):
        authority = _read(files[0])
        if authority.not_valid_after_utc > now() + DAYS:
            return authority, _key_of(authority, files[1])
    key = ec.generate_private_key(_CURVE)
    name = f"matchledger on {socket.gethostname()}"
    authority = (
        _builder(name, _subject(name), key.public_key(), YEARS)
        .add_extension(x509.BasicConstraints(ca=True, path_length=0), critical=True)
        .add_extension(x509.NameConstraints(_permitted(), None), critical=True)
        .add_extension(_signs_certificates(), critical=True)
        .add_extension(x509.ExtendedKeyUsage([ExtendedKeyUsageOID.SERVER_AUTH]), critical=False)
        .add_extension(x509.SubjectKeyIdentifier.from_public_key(key.public_key()), critical=False)
        .sign(key, hashes.SHA256())
    )
    _write(files[1], _private(key), 0o600)
    _write(files[0], authority.public_bytes(serialization.Encoding.PEM), 0o644)
    return authority, key


def _key_of(authority: x509.Certificate, file: Path) -> ec.EllipticCurvePrivateKey:
    """Return the authority's key. Raises ValueError for a key of another certificate, or for a key that other users
    can read.
    """
    again = "remove the folder for a new authority, and install that on each device"
    if file.stat().st_mode & 0o077:
        raise ValueError(f"others can read {file}: {again}")
    key = serialization.load_pem_private_key(file.read_bytes(), None)
    if not isinstance(key, ec.EllipticCurvePrivateKey) or key.public_key() != authority.public_key():
        raise ValueError(f"{file} is not the key of authority.pem: {again}")
    return key


def _permitted() -> list[x509.GeneralName]:
    """Return the names and addresses that the authority may certify. A bare host name would cover a whole domain,
    such as `dev`.
    """
    return [
        *(x509.DNSName(name) for name in ("localhost", "local")),
        *(x509.IPAddress(ipaddress.ip_network(network)) for network in NETWORKS),
    ]


def _signs_certificates() -> x509.KeyUsage:
    unused = dict.fromkeys(
        ["digital_signature", "content_commitment", "key_encipherment", "data_encipherment", "key_agreement"], False
    )
    return x509.KeyUsage(**unused, key_cert_sign=True, crl_sign=True, encipher_only=False, decipher_only=False)


def _need_permitted(authority: x509.Certificate, name: x509.GeneralName) -> None:
    said = authority.extensions.get_extension_for_class(x509.NameConstraints).value.permitted_subtrees or []
    if not any(_covers(permitted, name) for permitted in said):
        raise ValueError(f"the local authority cannot certify {name.value}")


def _covers(permitted: x509.GeneralName, name: x509.GeneralName) -> bool:
    if isinstance(permitted, x509.IPAddress) and isinstance(name, x509.IPAddress):
        return name.value in permitted.value  # type: ignore[operator] # one is an address, the other a network
    if isinstance(permitted, x509.DNSName) and isinstance(name, x509.DNSName):
        return name.value == permitted.value or name.value.endswith(f".{permitted.value}")
    return False


def _general(name: str) -> x509.GeneralName:
    try:
        return x509.IPAddress(ipaddress.ip_address(name))
    except ValueError:
        return x509.DNSName(name.lower())


def _builder(
    name: str, issuer: x509.Name, key: ec.EllipticCurvePublicKey, valid: timedelta
) -> x509.CertificateBuilder:
    start: datetime = now() - timedelta(hours=1)  # begin an hour ago, because a phone's clock may be behind
    return x509.CertificateBuilder(
        issuer_name=issuer,
        subject_name=_subject(name),
        public_key=key,
        serial_number=x509.random_serial_number(),
        not_valid_before=start,
        not_valid_after=start + valid,
    )


def _subject(name: str) -> x509.Name:
    return x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name[:64])])


def _read(file: Path) -> x509.Certificate:
    return x509.load_pem_x509_certificate(file.read_bytes())


def _private(key: ec.EllipticCurvePrivateKey) -> bytes:
    return key.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )


def _write(file: Path, data: bytes, mode: int) -> None:
    file.unlink(missing_ok=True)
    with os.fdopen(os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode), "wb") as new:
        new.write(data)
