"""The steps of a new user with a real service, from the registration to a verified webhook."""

from __future__ import annotations

import os
import re
import sys
import threading
import time
import traceback
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from decimal import Decimal
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from fundproof import Fundproof, RateLimitError, WebhookVerificationError, webhooks
from fundproof.types import FundproofEvent, Money, Tokens, TransactionInput

PASSWORD = "quiet-river-42-stones"
WAIT_SECONDS = 60


def expect(condition: object, message: object) -> None:
    """Fails unless ``condition`` is true."""
    if not condition:
        raise AssertionError(message)


class Receiver:
    """A server for webhooks, which verifies each request."""

    def __init__(self) -> None:
        self.secret = ""
        self.events: list[FundproofEvent] = []
        self.refused: list[str] = []
        receiver = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers["content-length"]))
                try:
                    event = webhooks.verify(body, self.headers.items(), receiver.secret)
                except WebhookVerificationError as error:
                    receiver.refused.append(error.reason)
                    self.send_response(401)
                else:
                    receiver.events.append(event)
                    self.send_response(204)
                self.end_headers()

            def log_message(self, format: str, *args: Any) -> None:
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self._server.server_port}/"
        threading.Thread(target=self._server.serve_forever, daemon=True).start()

    def close(self) -> None:
        """Stops the server."""
        self._server.shutdown()
        self._server.server_close()


class Story:
    """The steps of the test in the order of their calls. Each uses results of earlier steps."""

    def __init__(self) -> None:
        self.receiver = Receiver()
        self.guest = Fundproof()
        self.name = f"ada{os.getpid()}{int(time.time() * 1000) % 1_000_000}"

    def sign_up(self) -> None:
        email = f"{self.name}@example.org"
        self.guest.auth.register(email=email, username=self.name, password=PASSWORD)
        code = until("the mail", lambda: self.guest.sandbox.mail(to=email))[0].text
        digits = re.search(r"\b\d{6}\b", code)
        assert digits is not None
        self.guest.auth.request_verification(email=email, code=digits[0])
        tokens = self.guest.auth.login(username=self.name, password=PASSWORD).tokens
        self.user = Fundproof(tokens=tokens)
        expect(self.user.auth.account().email_verified, "the address is not verified")

    def key(self) -> None:
        scopes = ["read", "donations:write", "campaigns:write", "webhooks:write"]
        made = self.user.keys.create(name="live", scopes=scopes)
        self.client = Fundproof(made.key)
        expect(self.client.environment == "sandbox", self.client)

    def webhook(self) -> None:
        made = self.client.webhooks.create(url=self.receiver.url, events=["donation.completed"])
        expect(made.secret, "the endpoint has no secret")
        self.receiver.secret = made.secret or ""

    def campaign(self) -> None:
        account = self.client.sandbox.create_wallet().address
        made = self.client.campaigns.create(
            title="Wells for Kitui",
            description="Clean water for four villages.",
            target_amount=1000,
            currency="USDC",
            ledger_account=account,
            status="active",
        )
        expect(made.target_amount == 1000, made)
        self.campaign_id, self.account = made.id, made.ledger_account

    def transfer(self) -> None:
        to, amount = self.account, Decimal("25.10")
        self.sent = self.user.sandbox.transfer(to=to, amount=amount, currency="USDC")

    def record(self) -> None:
        donation = self.client.donations.record(
            campaign_id=self.campaign_id,
            amount=Money("25.10", "USDC"),
            transaction=TransactionInput(self.sent.tx_hash, self.sent.from_),
        )
        expect(donation.amount == Money("25.1", "USDC"), donation)
        self.donation_id = donation.id

    def wait(self) -> None:
        done = self.client.donations.wait_for(self.donation_id, timeout=WAIT_SECONDS)
        expect(done.status == "completed", done)
        expect(done.credited_amount and done.credited_amount.value == Decimal("25.1"), done)

    def list(self) -> None:
        found = self.client.donations.list(campaign_id=self.campaign_id, status="completed")
        ids = [donation.id for donation in found]
        expect(ids == [self.donation_id], ids)

    def received(self) -> None:
        def find() -> list[str]:
            completed = [e for e in self.receiver.events if e.event == "donation.completed"]
            return [e.data.donation_id for e in completed]

        ids = until("the webhook", find)
        expect(ids == [self.donation_id], ids)
        expect(self.receiver.refused == [], self.receiver.refused)

    def stream(self) -> None:
        place = self.client.events.list(from_="now").next_cursor or ""
        self.describe(1, 2, 3)
        ids: list[str] = []
        proxied = Fundproof(self.client_key(), base_url=os.environ["PROXY_URL"])
        with proxied, proxied.events.stream(after=place) as events:
            for event in events:
                ids.append(event.id)
                if len(ids) == 1:
                    self.describe(4, 5, 6)
                if len(ids) == 6:
                    break
        listed = [event.id for event in self.client.events.list(after=place)]
        expect(ids == listed and len(set(ids)) == 6, (ids, listed))

    def describe(self, *numbers: int) -> None:
        for number in numbers:
            text = f"Clean water for {number} villages."
            self.client.campaigns.update(self.campaign_id, description=text)

    def client_key(self, name: str = "stream") -> str:
        return self.user.keys.create(name=name, scopes=["read"]).key

    def limit(self) -> None:
        hasty = Fundproof(self.client_key("limit"), max_retries=0)
        try:
            for _ in range(700):
                hasty.campaigns.list(limit=1)
        except RateLimitError as error:
            expect(error.retry_after and 1 <= error.retry_after <= 60, error.retry_after)
            return
        raise AssertionError("no limit after 700 requests")

    def refresh(self) -> None:
        stored: list[Tokens] = []
        tokens = self.guest.auth.login(username=self.name, password=PASSWORD).tokens
        broken = Tokens(access_token="broken", refresh_token=tokens.refresh_token, expires=900)
        with Fundproof(tokens=broken, on_tokens=stored.append) as fundproof:
            with ThreadPoolExecutor(2) as threads:
                names = list(threads.map(lambda _: fundproof.auth.account().username, range(2)))
        expect(names == [self.name] * 2, names)
        expect(len(stored) == 1, stored)

    def proof(self) -> None:
        proof = self.client.donations.proof(self.donation_id, options={"max_retries": 10})
        expect(proof["donation"]["id"] == self.donation_id, proof["donation"])


def until(what: str, read: Callable[[], Any]) -> Any:
    """Calls ``read`` until it returns something, for at most a minute."""
    end = time.monotonic() + WAIT_SECONDS
    while not (found := read()):
        expect(time.monotonic() < end, f"{what} did not come")
        time.sleep(0.1)
    return found


STEPS = (
    "sign-up key webhook campaign transfer record wait list received stream limit refresh proof"
)


def main() -> None:
    """Runs all steps."""
    story = Story()
    for step in STEPS.split():
        try:
            getattr(story, step.replace("-", "_"))()
        except Exception:
            print(f"{step}: {traceback.format_exc()}", file=sys.stderr)
            sys.exit(1)
        print(f"ok {step}", flush=True)
    story.receiver.close()


if __name__ == "__main__":
    main()
