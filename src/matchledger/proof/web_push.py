"""Web Push: a message for one browser (RFC 8291), and the header that names its sender (RFC 8292)."""

from __future__ import annotations

import json
import os
from base64 import urlsafe_b64decode, urlsafe_b64encode

from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.utils import decode_dss_signature
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

CURVE = ec.SECP256R1()
ORDER = 0xFFFFFFFF00000000FFFFFFFFFFFFFFFFBCE6FAADA7179E84F3B9CAC2FC632551
AUTH_BYTES, SALT_BYTES, SCALAR_BYTES = 16, 16, 32
RECORD_BYTES = 4096  # the size of a record. A message is one record


def sender_key(seed: bytes) -> ec.EllipticCurvePrivateKey:
    """Return the private key that belongs to 32 random bytes."""
    return ec.derive_private_key(int.from_bytes(seed) % (ORDER - 1) + 1, CURVE)


def public_bytes(key: ec.EllipticCurvePublicKey) -> bytes:
    """Return a public key in the form that browsers use: an uncompressed point."""
    return key.public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)


def browser_keys(p256dh: str, auth: str) -> tuple[ec.EllipticCurvePublicKey, bytes]:
    """Return the public key and the secret of a browser's subscription. Raises ValueError for an invalid key or
    secret.
    """
    secret = unwritten(auth)
    if len(secret) != AUTH_BYTES:
        raise ValueError(auth)
    return ec.EllipticCurvePublicKey.from_encoded_point(CURVE, unwritten(p256dh)), secret


def sealed_message(
    text: bytes,
    p256dh: str,
    auth: str,
    *,
    own: ec.EllipticCurvePrivateKey | None = None,
    salt: bytes | None = None,
) -> bytes:
    """Return the body of a push message with a text. `own` and `salt` are new for each message. Tests set them.

    Raises ValueError for an invalid subscription.
    """
    theirs, secret = browser_keys(p256dh, auth)
    own = own or ec.generate_private_key(CURVE)
    salt = salt or os.urandom(SALT_BYTES)
    sender = public_bytes(own.public_key())
    shared = _derived(
        own.exchange(ec.ECDH(), theirs), secret, b"WebPush: info\0" + public_bytes(theirs) + sender, 32
    )
    key = _derived(shared, salt, b"Content-Encoding: aes128gcm\0", 16)
    nonce = _derived(shared, salt, b"Content-Encoding: nonce\0", 12)
    head = salt + RECORD_BYTES.to_bytes(4) + bytes([len(sender)]) + sender
    return head + AESGCM(key).encrypt(nonce, text + b"\2", None)


def authorization(key: ec.EllipticCurvePrivateKey, audience: str, contact: str, expires: int) -> str:
    """Return the Authorization header for a push service.

    `audience` is the origin of the service, `contact` is the sender's address, and `expires` is the header's end as
    Unix time.
    """
    claims = {"aud": audience, "exp": expires, "sub": contact}
    signed = ".".join(written(json.dumps(part).encode()) for part in ({"typ": "JWT", "alg": "ES256"}, claims))
    numbers = decode_dss_signature(key.sign(signed.encode(), ec.ECDSA(SHA256())))
    signature = written(b"".join(number.to_bytes(SCALAR_BYTES) for number in numbers))
    return f"vapid t={signed}.{signature}, k={written(public_bytes(key.public_key()))}"


def written(data: bytes) -> str:
    """Return bytes as URL-safe Base64 without padding."""
    return urlsafe_b64encode(data).rstrip(b"=").decode()


def unwritten(text: str) -> bytes:
    """Return the bytes in a text that `written` made. Raises ValueError for a text that is not Base64."""
    return urlsafe_b64decode(text + "=" * (-len(text) % 4))


def _derived(key: bytes, salt: bytes, info: bytes, length: int) -> bytes:
    return HKDF(SHA256(), length, salt, info).derive(key)
