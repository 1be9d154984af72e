"""Tests of webhooks that the shared vectors cannot contain, because they depend on the language."""

from __future__ import annotations

import json
import time
import unittest
from base64 import b64decode
from typing import Any

from support import ROOT, failure_with_locals

from fundproof import ConfigurationError, Unknown, WebhookVerificationError, webhooks
from fundproof._ed25519 import is_signed_slowly

assert ROOT
SECRET = "whsec_c2VjcmV0IG9mIGFuIGVuZHBvaW50ISEhISEh"
EVENT = {
    "id": "e1",
    "event": "donation.completed",
    "created": "2026-01-31T12:00:00.000Z",
    "data": {"donationId": "d1", "amount": {"value": "25.1", "currency": "USDC"}},
}
BODY = json.dumps(EVENT).encode()


class Webhooks(unittest.TestCase):
    def reason(self, body: Any, headers: Any, secret: Any = SECRET) -> str:
        with self.assertRaises(WebhookVerificationError) as caught:
            webhooks.verify(body, headers, secret)
        return caught.exception.reason

    def test_verifies_its_own_signatures(self) -> None:
        headers = webhooks.sign(BODY, SECRET, id="e1")
        for form in (headers, list(headers.items()), {k.upper(): [v] for k, v in headers.items()}):
            event = webhooks.verify(BODY, form, SECRET)
            self.assertEqual(event.event, "donation.completed")
            if event.event == "donation.completed":
                self.assertEqual(str(event.data.amount.value), "25.1")

    def test_refuses_parsed_bodies(self) -> None:
        headers = webhooks.sign(BODY, SECRET, id="e1")
        self.assertEqual(self.reason(EVENT, headers), "not_raw")
        self.assertEqual(self.reason(None, headers), "not_raw")
        for text in (b"not JSON", b"[]", b"\xff"):
            self.assertEqual(self.reason(text, webhooks.sign(text, SECRET, id="e1")), "not_raw")

    def test_accepts_the_headers_of_http_server(self) -> None:
        from email.message import Message

        headers = Message()
        for name, value in webhooks.sign(BODY, SECRET, id="e1").items():
            headers[name.title()] = value
        self.assertEqual(webhooks.verify(BODY, headers.items(), SECRET).id, "e1")

    def test_compares_with_the_clock(self) -> None:
        old = webhooks.sign(BODY, SECRET, id="e1", timestamp=int(time.time()) - 301)
        self.assertEqual(self.reason(BODY, old), "too_old")
        self.assertEqual(webhooks.verify(BODY, old, SECRET, tolerance=None).id, "e1")

    def test_refuses_a_tolerance_that_would_accept_any_time(self) -> None:
        headers = webhooks.sign(BODY, SECRET, id="e1", timestamp=1)
        for wrong in (float("nan"), float("inf"), -1):
            with self.assertRaises(ConfigurationError):
                webhooks.verify(BODY, headers, SECRET, tolerance=wrong)

    def test_looks_at_the_first_16_signatures_only(self) -> None:
        headers = webhooks.sign(BODY, SECRET, id="e1")
        good = headers["webhook-signature"]
        headers["webhook-signature"] = "v1,AAAA " * 15 + good
        self.assertEqual(webhooks.verify(BODY, headers, SECRET).id, "e1")
        headers["webhook-signature"] = "v1,AAAA " * 16 + good
        self.assertEqual(self.reason(BODY, headers), "no_match")

    def test_passes_events_on_that_it_cannot_read(self) -> None:
        for changes in ({"created": "never"}, {"data": {"amount": {"value": "x"}}}, {"data": [1]}):
            raw = {**EVENT, **changes}
            body = json.dumps(raw)
            event = webhooks.verify(body, webhooks.sign(body, SECRET, id="e1"), SECRET)
            self.assertIsInstance(event, Unknown)
            self.assertEqual((event.id, event.raw), ("e1", raw))

    def test_hides_secrets_from_tracebacks_with_local_variables(self) -> None:
        key = SECRET.removeprefix("whsec_")
        headers = webhooks.sign(BODY + b" ", SECRET, id="e1")
        for secret in (SECRET, "whpk_" + key, key):
            shown = failure_with_locals(lambda: webhooks.verify(BODY, headers, secret))
            self.assertIn("tolerance = ", shown)
            self.assertNotIn(key, shown)
            self.assertNotIn(repr(b64decode(key)), shown)

    def test_hides_secrets_also_when_it_does_not_come_to_the_check(self) -> None:
        key = SECRET.removeprefix("whsec_")
        for fails in (
            lambda: webhooks.verify({}, {}, SECRET),  # type: ignore[arg-type]
            lambda: webhooks.verify(b"", {}, SECRET, tolerance=-1),
            lambda: webhooks.sign(b"", key, id="e1"),
        ):
            self.assertNotIn(key, failure_with_locals(fails))

    def test_does_not_sign_with_public_keys(self) -> None:
        with self.assertRaises(WebhookVerificationError):
            webhooks.sign(BODY, "whpk_" + "A" * 43 + "=", id="e1")


class Ed25519(unittest.TestCase):
    """The test vectors of RFC 8032, section 7.1."""

    KEY = bytes.fromhex("3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c")
    MESSAGE = b"\x72"
    SIGNATURE = bytes.fromhex(
        "92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da"
        "085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb00d291612bb0c00"
    )

    def test_accepts_the_signature_of_the_rfc(self) -> None:
        self.assertTrue(is_signed_slowly(self.KEY, self.MESSAGE, self.SIGNATURE))

    def test_refuses_every_changed_byte(self) -> None:
        for at in range(64):
            changed = bytearray(self.SIGNATURE)
            changed[at] ^= 1
            self.assertFalse(is_signed_slowly(self.KEY, self.MESSAGE, bytes(changed)), at)
        self.assertFalse(is_signed_slowly(self.KEY, b"\x73", self.SIGNATURE))

    def test_refuses_a_scalar_that_is_too_large(self) -> None:
        order = 2**252 + 27742317777372353535851937790883648493
        scalar = int.from_bytes(self.SIGNATURE[32:], "little") + order
        changed = self.SIGNATURE[:32] + scalar.to_bytes(32, "little")
        self.assertFalse(is_signed_slowly(self.KEY, self.MESSAGE, changed))


if __name__ == "__main__":
    unittest.main()
