"""Checks that a webhook is of your Fundproof service. Needs no client and no API key.

    event = webhooks.verify(raw_body, headers, secret)
    if event.event == "donation.completed":
        print(event.data.donation_id, event.data.amount.value)
"""

from __future__ import annotations

import hmac
import re
import time
from base64 import b64decode, b64encode
from collections.abc import Iterable, Mapping, Sequence
from math import inf
from typing import TYPE_CHECKING, Any, Union, cast

from ._answer import object_of
from ._errors import ConfigurationError, WebhookVerificationError
from ._model import decode
from ._values import Secret

if TYPE_CHECKING:
    from .types import FundproofEvent

__all__ = ["Headers", "WebhookVerificationError", "sign", "verify"]

#: Headers as a mapping or as pairs, with names in any case. A value may be a list.
Headers = Union[Mapping[str, Union[str, Sequence[str]]], Iterable[tuple[str, str]]]

#: At most this many signatures are checked, because each check takes time. A service sends one or
#: two signatures.
_MAX_SIGNATURES = 16


def verify(
    body: bytes | str,
    headers: Headers,
    secret: str | Sequence[str],
    *,
    tolerance: float | None = 300,
    now: float | None = None,
) -> FundproofEvent:
    """Checks the signature and the time of a webhook, and returns its event.

    ``body`` is the raw body, before any parsing. ``secret`` is the ``whsec_…`` secret or the
    ``whpk_…`` public key of the endpoint, or a list of several. ``tolerance``: the seconds by
    which the time may differ from now, in both directions; None accepts any time.

    Raises :class:`WebhookVerificationError`, whose ``reason`` says why. Only the first 16
    signatures are looked at.
    """
    secret = [Secret(each) for each in ([secret] if isinstance(secret, str) else secret)]
    if isinstance(cast(Any, body), str):
        raw = cast(str, body).encode("utf-8")
    elif isinstance(cast(Any, body), (bytes, bytearray, memoryview)):
        raw = bytes(cast(bytes, body))
    else:
        raise WebhookVerificationError(
            "not_raw", "Pass the raw body (bytes), not the parsed one: its signature is over bytes."
        )
    if tolerance is not None and not 0 <= tolerance < inf:
        raise ConfigurationError("tolerance must be at least 0 seconds, or None for any time.")
    keys = [_Key(each) for each in secret]
    if not keys:
        raise WebhookVerificationError("bad_secret", "There is no secret to check with.")
    given = _pick(headers)
    message_id, stamp = given.get("webhook-id"), given.get("webhook-timestamp")
    signatures = given.get("webhook-signature")
    if not message_id or not stamp or not signatures:
        raise WebhookVerificationError(
            "no_signature", "A header is missing: webhook-id, webhook-timestamp, webhook-signature."
        )
    _check_time(stamp, tolerance, time.time() if now is None else now)
    content = f"{message_id}.{stamp}.".encode() + raw
    looked_at = signatures.split()[:_MAX_SIGNATURES]
    if not any(key.fits(content, looked_at) for key in keys):
        raise WebhookVerificationError("no_match", "No signature fits this body and this secret.")
    event = object_of(raw)
    if event is None:
        raise WebhookVerificationError("not_raw", "The body is not a JSON object.")
    return decode("FundproofEvent", event)


def sign(
    body: bytes | str, secret: str, *, id: str, timestamp: int | None = None
) -> dict[str, str]:
    """Makes the headers of a webhook, for tests of your receiver. ``secret``: ``whsec_…``."""
    secret = Secret(secret)
    key = _Key(secret)
    if key.version != "v1":
        raise WebhookVerificationError("bad_secret", "A public key cannot sign.")
    stamp = str(int(time.time()) if timestamp is None else timestamp)
    raw = body.encode("utf-8") if isinstance(body, str) else body
    signature = key.sign(f"{id}.{stamp}.".encode() + raw)
    return {
        "webhook-id": id,
        "webhook-timestamp": stamp,
        "webhook-signature": f"v1,{b64encode(signature).decode('ascii')}",
    }


class _Key:
    """A key for verification, which ``repr`` hides."""

    def __init__(self, secret: str) -> None:
        kind = secret.partition("_")[0]
        self.version = {"whsec": "v1", "whpk": "v1a"}.get(kind)
        self._bytes = _decoded(secret.partition("_")[2])
        if not self.version or not self._bytes or (kind == "whpk" and len(self._bytes) != 32):
            raise WebhookVerificationError(
                "bad_secret", "A secret is 'whsec_…' and a public key is 'whpk_…', both in base64."
            )

    def sign(self, content: bytes) -> bytes:
        return hmac.digest(self._bytes, content, "sha256")

    def fits(self, content: bytes, signatures: list[str]) -> bool:
        for each in signatures:
            version, _, text = each.partition(",")
            if version == self.version and self._is_signed(content, _decoded(text)):
                return True
        return False

    def _is_signed(self, content: bytes, signature: bytes) -> bool:
        if self.version == "v1":
            return hmac.compare_digest(signature, self.sign(content))
        from ._ed25519 import is_signed

        return is_signed(self._bytes, content, signature)


def _decoded(text: str) -> bytes:
    try:
        return b64decode(text, validate=True)
    except ValueError:
        return b""


def _pick(headers: Headers) -> dict[str, str]:
    pairs = cast("Any", headers.items() if isinstance(headers, Mapping) else headers)
    found: dict[str, str] = {}
    for name, value in cast("Iterable[tuple[str, str | Sequence[str]]]", pairs):
        text = value if isinstance(value, str) else " ".join(value)
        key = name.lower()
        found[key] = f"{found[key]} {text}" if key in found else text
    return found


def _check_time(stamp: str, tolerance: float | None, now: float) -> None:
    if not re.fullmatch(r"[0-9]{1,15}", stamp):
        raise WebhookVerificationError("bad_timestamp", "webhook-timestamp is not a number.")
    if tolerance is None:
        return
    if int(stamp) < now - tolerance:
        raise WebhookVerificationError("too_old", "The webhook is too old.")
    if int(stamp) > now + tolerance:
        raise WebhookVerificationError("too_new", "The webhook is from the future.")
