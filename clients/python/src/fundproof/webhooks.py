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
from typing import TYPE_CHECKING, Any, Union, cast

from ._answer import object_of
from ._errors import WebhookVerificationError
from ._model import decode

if TYPE_CHECKING:
    from .types import FundproofEvent

__all__ = ["Headers", "WebhookVerificationError", "sign", "verify"]

#: Headers as a mapping or as pairs, with names in any case. A value may be a list.
Headers = Union[Mapping[str, Union[str, Sequence[str]]], Iterable[tuple[str, str]]]


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

    Raises :class:`WebhookVerificationError`, whose ``reason`` says why.
    """
    if isinstance(cast(Any, body), str):
        raw = cast(str, body).encode("utf-8")
    elif isinstance(cast(Any, body), (bytes, bytearray, memoryview)):
        raw = bytes(cast(bytes, body))
    else:
        raise WebhookVerificationError(
            "not_raw", "Pass the raw body (bytes), not the parsed one: its signature is over bytes."
        )
    keys = [_read_key(each) for each in ([secret] if isinstance(secret, str) else secret)]
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
    if not any(_matches(key, content, signatures) for key in keys):
        raise WebhookVerificationError("no_match", "No signature fits this body and this secret.")
    event = object_of(raw)
    if event is None:
        raise WebhookVerificationError("not_raw", "The body is not a JSON object.")
    return decode("FundproofEvent", event)


def sign(
    body: bytes | str, secret: str, *, id: str, timestamp: int | None = None
) -> dict[str, str]:
    """Makes the headers of a webhook, for tests of your receiver. ``secret``: ``whsec_…``."""
    kind, key = _read_key(secret)
    if kind != "v1":
        raise WebhookVerificationError("bad_secret", "A public key cannot sign.")
    stamp = str(int(time.time()) if timestamp is None else timestamp)
    raw = body.encode("utf-8") if isinstance(body, str) else body
    signature = hmac.digest(key, f"{id}.{stamp}.".encode() + raw, "sha256")
    return {
        "webhook-id": id,
        "webhook-timestamp": stamp,
        "webhook-signature": f"v1,{b64encode(signature).decode('ascii')}",
    }


def _read_key(secret: str) -> tuple[str, bytes]:
    kind = {"whsec_": "v1", "whpk_": "v1a"}.get(secret.partition("_")[0] + "_")
    try:
        key = b64decode(secret.partition("_")[2], validate=True)
    except ValueError:
        key = b""
    if kind is None or not key or (kind == "v1a" and len(key) != 32):
        raise WebhookVerificationError(
            "bad_secret", "A secret is 'whsec_…' and a public key is 'whpk_…', both in base64."
        )
    return kind, key


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


def _matches(key: tuple[str, bytes], content: bytes, signatures: str) -> bool:
    kind, secret = key
    for each in signatures.split():
        version, _, text = each.partition(",")
        if version != kind:
            continue
        try:
            signature = b64decode(text, validate=True)
        except ValueError:
            continue
        if kind == "v1":
            if hmac.compare_digest(signature, hmac.digest(secret, content, "sha256")):
                return True
        else:
            from ._ed25519 import is_signed

            if is_signed(secret, content, signature):
                return True
    return False
