"""Calls through the public surface, with a fake transport."""

from __future__ import annotations

import asyncio
import copy
import json
import math
import pickle
import socket
import threading
import unittest
from concurrent.futures import ThreadPoolExecutor
from dataclasses import FrozenInstanceError, replace
from datetime import datetime, timezone
from decimal import Decimal
from typing import Any

from support import ROOT, TestIO, core_of, failure_with_locals

import fundproof as fundproof_module
from fundproof import (
    NOT_GIVEN,
    AbortError,
    APIConnectionError,
    ApiError,
    APITimeoutError,
    AsyncFundproof,
    AuthenticationError,
    CallEvent,
    ConfigurationError,
    Fundproof,
    FundproofError,
    RateLimit,
    Unknown,
    WebhookVerificationError,
)
from fundproof._donations import Donations
from fundproof.testing import Answer, FakeTransport
from fundproof._transport import Request, Response
from fundproof.types import (
    LocationInput,
    Money,
    NewApiKey,
    NewWebhook,
    Payment,
    SandboxWallet,
    Tokens,
    TransactionInput,
)

assert ROOT
KEY = "fundproof_sandbox_G0lyp5VrYXMB7pFfFQvygpDGOlYhfc4ZJPRi"
DONATION = {
    "id": "d1",
    "status": "a_status_of_the_future",
    "amount": {"value": "25.100000000000000001", "currency": "USDC"},
    "createdAt": "2026-01-31T12:00:00.000Z",
    "newField": {"deep": [1]},
}
REFUSED = {"success": False, "error": "No.", "code": "invalid_token", "requestId": "r"}
RENEWED = {
    "success": True,
    "tokens": {"accessToken": "new", "refreshToken": "refresh-2", "expires": 900},
}


def client(*answers: Any, **options: Any) -> tuple[Fundproof, FakeTransport]:
    """A client with scripted answers."""
    transport = FakeTransport(answers)
    options = {"environment": "sandbox", "base_url": "https://a.example", **options}
    return Fundproof(transport=transport, **options), transport


def sent(transport: FakeTransport, index: int = -1) -> Any:
    """The JSON of a request."""
    return json.loads(transport.requests[index].body or b"null")


class Requests(unittest.TestCase):
    def test_sends_the_headers_of_every_request(self) -> None:
        fundproof, transport = client(Answer(json=DONATION), api_key=KEY, app_info="Shop/2")
        fundproof.donations.get("a/b")
        request = transport.requests[0]
        self.assertEqual(request.url, "https://a.example/api/donations/a%2Fb")
        self.assertEqual(request.headers["x-api-key"], KEY)
        self.assertEqual(request.headers["prefer"], "amounts=text")
        self.assertRegex(request.headers["user-agent"], r"^fundproof-python/\S+ \(.*\) Shop/2$")
        self.assertNotIn("idempotency-key", request.headers)

    def test_sends_exact_amounts_and_times_in_utc(self) -> None:
        fundproof, transport = client(Answer(json={"success": True, "campaign": {}}))
        campaign = fundproof.campaigns.create(
            title="Wells",
            description="Water",
            target_amount=Decimal("1E+3"),
            ends_at=datetime(2027, 1, 31, 12, tzinfo=timezone.utc),
            location=LocationInput(country="KE", coordinates=[-1.37, 38]),
        )
        body = sent(transport)
        self.assertEqual(body["target_amount"], "1000")
        self.assertEqual(body["ends_at"], "2027-01-31T12:00:00.000Z")
        self.assertEqual(body["location"], {"country": "KE", "coordinates": [-1.37, 38.0]})
        self.assertNotIn("slug", body)
        self.assertIsNone(campaign.title)

    def test_refuses_floats_and_times_without_a_zone(self) -> None:
        fundproof, transport = client()
        wrong: Any = 25.1
        with self.assertRaises(TypeError):
            fundproof.sandbox.transfer(to="0x1", amount=wrong, currency="USDC")
        with self.assertRaises(TypeError):
            Money(wrong, "USDC")
        with self.assertRaises(ValueError):
            fundproof.webhooks.replay("w", since=datetime(2026, 1, 31))
        self.assertEqual(transport.requests, [])

    def test_tells_null_from_absent(self) -> None:
        fundproof, transport = client(*[Answer(json={"success": True, "campaign": {}})] * 2)
        fundproof.campaigns.update("c", category=None)
        self.assertEqual(sent(transport), {"category": None})
        fundproof.campaigns.update("c", category=NOT_GIVEN)
        self.assertEqual(sent(transport), {})

    def test_sends_objects_by_position_or_name(self) -> None:
        fundproof, transport = client(Answer(json={"success": True, "donation": DONATION}))
        fundproof.donations.record(
            campaign_id="c",
            amount=Money("25.10", "USDC"),
            transaction=TransactionInput("0x1", "0x2", log_position="native"),
        )
        transaction = {"txHash": "0x1", "ledgerAddress": "0x2", "logPosition": "native"}
        self.assertEqual(sent(transport)["transaction"], transaction)
        self.assertEqual(sent(transport)["amount"], {"value": "25.10", "currency": "USDC"})

    def test_sends_a_key_with_every_post_and_prefers_the_callers(self) -> None:
        fundproof, transport = client(*[Answer(json={"success": True, "wallet": {}})] * 2)
        fundproof.sandbox.create_wallet()
        self.assertRegex(transport.requests[0].headers["idempotency-key"], r"^auto_[0-9a-f-]{36}$")
        fundproof.sandbox.create_wallet(options={"idempotency_key": "mine", "timeout": 5})
        self.assertEqual(transport.requests[1].headers["idempotency-key"], "mine")
        self.assertEqual(transport.requests[1].timeout, 5)

    def test_refuses_headers_that_cannot_be_sent(self) -> None:
        wrong: list[tuple[dict[str, Any], dict[str, Any]]] = [
            ({}, {"idempotency_key": "secret\n"}),
            ({}, {"headers": {"x-trace": "secret\r\nhost: b.example"}}),
            ({}, {"headers": {"x-trace": "secret \u2602"}}),
            ({}, {"headers": {"x trace": "secret"}}),
            ({"app_info": "secret\0"}, {}),
        ]
        for made, options in wrong:
            fundproof, transport = client(**made)
            with self.assertRaises(ConfigurationError) as caught:
                fundproof.sandbox.create_wallet(options=options)  # type: ignore[arg-type]
            self.assertNotIn("secret", str(caught.exception))
            self.assertEqual(transport.requests, [])

    def test_uploads_files(self) -> None:
        fundproof, transport = client(Answer(json={"success": True, "campaign": {}}))
        fundproof.campaigns.set_cover("c", b"\x89PNG", content_type="image/png")
        self.assertEqual(transport.requests[0].body, b"\x89PNG")
        self.assertEqual(transport.requests[0].headers["content-type"], "image/png")

    def test_has_queries_with_one_value_or_several(self) -> None:
        empty = {"success": True, "donations": [], "pagination": {"nextCursor": None}}
        fundproof, transport = client(Answer(json=empty), Answer(json=empty))
        fundproof.donations.list(status="completed", limit=1)
        self.assertEqual(transport.requests[0].url.partition("?")[2], "limit=1&status=completed")
        fundproof.donations.list(status=["completed", "failed"], limit=1)
        query = transport.requests[1].url.partition("?")[2]
        self.assertEqual(query, "limit=1&status=completed&status=failed")


class Answers(unittest.TestCase):
    def test_reads_exact_amounts_and_keeps_unknown_fields_and_values(self) -> None:
        headers = {
            "X-Request-Id": "r1",
            "Idempotent-Replayed": "true",
            "RateLimit": '"default";r=599;t=60',
        }
        fundproof, _ = client(Answer(json=DONATION, headers=headers))
        donation = fundproof.donations.get("d1")
        self.assertEqual(donation.amount.value, Decimal("25.100000000000000001"))
        self.assertEqual(donation.created_at, datetime(2026, 1, 31, 12, tzinfo=timezone.utc))
        self.assertEqual(donation.status, "a_status_of_the_future")
        self.assertEqual(donation.raw["newField"], {"deep": [1]})
        self.assertIsNone(donation.transaction)
        assert donation.response is not None
        self.assertEqual(donation.response.request_id, "r1")
        self.assertTrue(donation.response.replayed)
        self.assertEqual(donation.response.rate_limit, RateLimit(599, 60))
        with self.assertRaises((FrozenInstanceError, AttributeError)):
            donation.id = "x"  # type: ignore[misc]

    def test_compares_and_shows_objects(self) -> None:
        self.assertEqual(Money("25.10", "USDC"), Money(Decimal("25.1"), "USDC"))
        self.assertEqual(len({Money(1, "USDC"), Money("1", "USDC"), Money(1, "ETH")}), 2)
        self.assertNotEqual(Money(1, "USDC"), "1 USDC")
        shown = "Money(value=Decimal('25.10'), currency='USDC')"
        self.assertEqual(repr(Money("25.10", "USDC")), shown)
        self.assertEqual(replace(Money(1, "USDC"), value=2), Money(2, "USDC"))
        self.assertEqual(pickle.loads(pickle.dumps(Money(1, "USDC"))), Money(1, "USDC"))

    def test_shows_no_secrets(self) -> None:
        tokens = Tokens(access_token="hidden", refresh_token="hidden", expires=900)
        shown = "Tokens(access_token=***, refresh_token=***, expires=900)"
        self.assertEqual(repr(tokens), shown)
        for made in (
            NewApiKey.from_wire({"id": "k", "key": "hidden"}),
            NewWebhook.from_wire({"id": "w", "secret": "hidden"}),
            SandboxWallet.from_wire({"address": "0x1", "privateKey": "hidden"}),
            Request("POST", "https://a.example", {"x-api-key": "hidden"}, b"hidden"),
            Response(200, {}, b"hidden"),
        ):
            self.assertNotIn("hidden", repr(made))
        self.assertIn("0x7", repr(Payment.from_wire({"token": "0x7"})))

    def test_reads_events_of_unknown_types(self) -> None:
        events = [{"id": "e1", "event": "moon.landed", "created": "x", "data": {"on": "moon"}}]
        body = {"success": True, "events": events, "nextCursor": "p", "hasMore": False}
        fundproof, _ = client(Answer(json=body))
        (event,) = fundproof.events.list()
        self.assertEqual(event.event, "moon.landed")
        self.assertEqual(event.raw["data"], {"on": "moon"})
        data: Any = event.data
        self.assertEqual(data["on"], "moon")

    def test_treats_a_repeated_delete_of_nothing_as_done(self) -> None:
        lost = APIConnectionError("lost")
        fundproof, transport = client(lost, Answer(404, json={}), max_retries=1)
        fundproof._core.io.sleep = _no_sleep  # type: ignore[method-assign]
        fundproof.keys.revoke("k")
        self.assertEqual(len(transport.requests), 2)

    def test_calls_hooks_without_bodies_and_keys(self) -> None:
        events: list[tuple[str, CallEvent]] = []
        fundproof, _ = client(
            Answer(503, json={}),
            Answer(json=DONATION, headers={"X-Request-Id": "r1"}),
            api_key=KEY,
            on_request=lambda event: events.append(("request", event)),
            on_response=lambda event: events.append(("response", event)),
            on_retry=lambda event: events.append(("retry", event)),
        )
        fundproof._core.io.sleep = _no_sleep  # type: ignore[method-assign]
        fundproof.donations.get("d1")
        names = [name for name, _ in events]
        self.assertEqual(names, ["request", "response", "retry", "request", "response"])
        self.assertEqual(events[-1][1].request_id, "r1")
        self.assertEqual(events[-1][1].attempt, 2)
        self.assertNotIn(KEY, repr(events))
        self.assertNotIn(KEY, repr(fundproof) + repr(vars(fundproof)))


class Failures(unittest.TestCase):
    def refusal(self, answer: Answer) -> ApiError:
        fundproof, _ = client(answer, max_retries=0)
        with self.assertRaises(ApiError) as caught:
            fundproof.donations.get("d1")
        return caught.exception

    def test_are_pickled_and_copied_with_all_fields(self) -> None:
        details = [{"path": "amount", "message": "Too small."}]
        body = {"error": "No.", "code": "invalid_input", "requestId": "r", "details": details}
        headers = {"Retry-After": "7", "RateLimit": '"default";r=599;t=60'}
        fundproof, _ = client(Answer(json=DONATION, headers={"X-Request-Id": "r1"}))
        late = APITimeoutError("late", fundproof.donations.get("d1"))
        no_match = WebhookVerificationError("no_match", "No.")
        for error in (self.refusal(Answer(404, json=body, headers=headers)), late, no_match):
            for made in (pickle.loads(pickle.dumps(error)), copy.copy(error), copy.deepcopy(error)):
                self.assertIs(type(made), type(error))
                self.assertEqual((str(made), vars(made)), (str(error), vars(error)))
        last = pickle.loads(pickle.dumps(late)).last
        self.assertEqual((last.raw["newField"], last.response.request_id), ({"deep": [1]}, "r1"))
        self.assertEqual(pickle.loads(pickle.dumps(Unknown.from_wire({"a": 1}))).a, 1)

    def test_say_what_came_in_place_of_an_answer(self) -> None:
        html = {"Content-Type": "text/html"}
        for answer, words in (
            (Answer(302, headers={"Location": "https://b.example/x"}), "redirect to https://b.ex"),
            (Answer(301, body=b"<html>", headers={"Location": "/x"}), "redirect to /x .*<html>$"),
            (Answer(200), "empty answer"),
            (Answer(502, body=b"Sign in", headers=html), "web page .*: Sign in$"),
            (Answer(200, body=b"<html>Sign in"), "web page .*: <html>Sign in$"),
            (Answer(200, body=b'{"id": "d'), 'Broken or cut JSON .*: {"id": "d$'),
            (Answer(200, body=b"[" * 100_000), r"Broken or cut JSON .*: \[\[\[+$"),
            (Answer(500, json=["x"]), r'^JSON .*: \["x"\]$'),
            (Answer(503, body=b"Later"), "text .*: Later$"),
        ):
            error = self.refusal(answer)
            self.assertRegex(error.message, words)
            self.assertIsNone(error.code)

    def test_say_what_came_in_place_of_a_file(self) -> None:
        page = Answer(200, body=b"Sign in", headers={"Content-Type": "text/html"})
        fundproof, _ = client(page, page)
        for call in (fundproof.campaigns.get_cover, fundproof.campaigns.export_donations):
            with self.assertRaisesRegex(ApiError, "web page .*: Sign in"):
                call("c")

    def test_name_fields_as_the_caller_does(self) -> None:
        paths = ["transaction.txHash", "target_amount", "milestones.0.targetAmount", "from", ""]
        details = [{"path": path, "message": "Wrong."} for path in paths]
        body = {"error": "No.", "code": "invalid_input", "details": details}
        found = [each.path for each in self.refusal(Answer(400, json=body)).details]
        names = ["transaction.tx_hash", "target_amount", "milestones.0.target_amount", "from_", ""]
        self.assertEqual(found, names)

    def test_hide_keys_from_tracebacks_with_local_variables(self) -> None:
        server = socket.create_server(("127.0.0.1", 0))
        self.addCleanup(server.close)

        def cut() -> None:
            for _ in range(2):
                server.accept()[0].close()

        threading.Thread(target=cut, daemon=True).start()
        tokens = Tokens(access_token="hidden-access", refresh_token="hidden-refresh", expires=900)
        url, large = f"http://127.0.0.1:{server.getsockname()[1]}", b"x" * 3_000_000
        for secret in ({"api_key": KEY}, {"tokens": tokens}):
            made = Fundproof(environment="sandbox", base_url=url, max_retries=0, **secret)  # type: ignore
            with made:
                # The large body lets the connection break in http.client, beside the headers.
                cover = made.campaigns.set_cover
                shown = failure_with_locals(lambda: cover("c", large, content_type="image/png"))
            self.assertIn("_http.py", shown)
            for each in ("hidden", "G0lyp5VrYXMB"):
                self.assertNotIn(each, shown.replace("x" * 1000, ""))
        for wrong in ({"base_url": "x"}, {"environment": "production"}, {"max_connections": 0}):
            shown = failure_with_locals(lambda: client(api_key=KEY, **wrong))
            self.assertNotIn("G0lyp5VrYXMB", shown.partition("_base.py")[2])


class Waiting(unittest.TestCase):
    def wait(self, *answers: Any, timeout: float | None = 60) -> tuple[Any, TestIO]:
        transport = FakeTransport(answers)
        io = TestIO(transport)
        return lambda: Donations(core_of(io)).wait_for("d1", timeout=timeout), io

    def test_outlasts_errors_that_may_pass(self) -> None:
        busy = Answer(503, json={}, headers={"Retry-After": "7"})
        lost = APIConnectionError("lost")
        pending = Answer(json={**DONATION, "status": "pending"})
        wait, io = self.wait(lost, pending, busy, *[lost] * 5, Answer(json=DONATION))
        self.assertEqual(wait().id, "d1")
        self.assertEqual(io.waits[2], 7)

    def test_ends_at_its_timeout_with_the_last_donation(self) -> None:
        pending = Answer(json={**DONATION, "status": "pending"})
        lost = APITimeoutError("lost")
        for first, last in ((pending, "pending"), (lost, None)):
            wait, io = self.wait(first, *[lost] * 10, timeout=12)
            with self.assertRaises(APITimeoutError) as caught:
                wait()
            self.assertEqual(getattr(caught.exception.last, "status", None), last)
            self.assertIs(caught.exception.__cause__, lost)
            self.assertEqual(io.time, 12)
            timeouts = [request.timeout for request in io.transport.requests]
            self.assertEqual((timeouts[0], timeouts[-1]), (12, 1))

    def test_ends_with_errors_that_stay(self) -> None:
        wait, _ = self.wait(Answer(401, json={"error": "No.", "code": "invalid_api_key"}))
        with self.assertRaises(AuthenticationError):
            wait()


class SignIn(unittest.TestCase):
    def tokens(self, expires: int = 900) -> Tokens:
        return Tokens(access_token="old", refresh_token="refresh-1", expires=expires)

    def serve(self, transport: FakeTransport, times: int) -> None:
        """Answers like the service: only the token ``new`` is good."""

        def answer(request: Any) -> Answer:
            if request.url.endswith("/refresh"):
                return Answer(json=RENEWED)
            good = request.headers["authorization"] == "Bearer new"
            return Answer(json=DONATION) if good else Answer(401, json=REFUSED)

        for _ in range(times):
            transport.add(answer)

    def test_refreshes_once_for_several_threads(self) -> None:
        stored: list[str] = []
        fundproof, transport = client(
            tokens=self.tokens(), on_tokens=lambda tokens: stored.append(tokens.access_token)
        )
        self.serve(transport, 50)
        with ThreadPoolExecutor(8) as threads:
            got = list(threads.map(fundproof.donations.get, ["d1"] * 8))
        self.assertEqual(len(got), 8)
        self.assertEqual(stored, ["new"])
        refreshes = [each for each in transport.requests if each.url.endswith("/refresh")]
        self.assertEqual(len(refreshes), 1)
        self.assertEqual(json.loads(refreshes[0].body or b""), {"refreshToken": "refresh-1"})
        self.assertNotIn("authorization", refreshes[0].headers)
        self.assertIn("idempotency-key", refreshes[0].headers)

    def test_refreshes_once_for_several_tasks(self) -> None:
        async def story() -> list[str]:
            stored: list[str] = []

            async def store(tokens: Tokens) -> None:
                await asyncio.sleep(0)
                stored.append(tokens.access_token)

            transport = FakeTransport()
            self.serve(transport, 50)
            async with AsyncFundproof(
                environment="sandbox",
                base_url="https://a.example",
                transport=transport,
                tokens=self.tokens(),
                on_tokens=store,
            ) as fundproof:
                await asyncio.gather(*[fundproof.donations.get("d1") for _ in range(8)])
            return stored

        self.assertEqual(asyncio.run(story()), ["new"])

    def test_repeats_a_refresh_with_the_same_key_after_a_lost_answer(self) -> None:
        lost, refused = APIConnectionError("lost"), Answer(401, json=REFUSED)
        cut = Answer(200, body=b'{"success":true,"tok')
        fundproof, transport = client(
            refused, lost, refused, cut, tokens=self.tokens(), max_retries=0
        )
        for _ in range(2):
            with self.assertRaises((APIConnectionError, ApiError)):
                fundproof.donations.get("d1")
        self.serve(transport, 3)
        fundproof.donations.get("d1")
        keys = self.refresh_keys(transport)
        self.assertEqual((len(keys), len(set(keys))), (3, 1))

    def test_takes_a_new_key_after_a_refusal_and_after_a_success(self) -> None:
        refused, renewed = Answer(401, json=REFUSED), Answer(json=RENEWED)
        answers = [refused, refused, refused, renewed, Answer(json=DONATION)]
        again = {**RENEWED["tokens"], "accessToken": "newer"}  # type: ignore
        answers += [refused, Answer(json={"success": True, "tokens": again}), Answer(json=DONATION)]
        fundproof, transport = client(*answers, tokens=self.tokens())
        with self.assertRaises(AuthenticationError):
            fundproof.donations.get("d1")
        fundproof.donations.get("d1")
        fundproof.donations.get("d1")
        self.assertEqual(len(set(self.refresh_keys(transport))), 3)

    def test_refreshes_safely_after_a_cancelled_refresh(self) -> None:
        async def story() -> FakeTransport:
            asked = threading.Event()

            def hang(request: Any) -> Answer:
                asked.set()
                ended = threading.Event()
                request.abort.on_abort(ended.set)
                ended.wait(10)
                raise AbortError("The call was ended.")

            transport = FakeTransport([hang])
            self.serve(transport, 5)
            tokens = self.tokens(expires=0)
            async with AsyncFundproof(
                environment="sandbox",
                base_url="https://a.example",
                transport=transport,
                tokens=tokens,
            ) as fundproof:
                tasks = [asyncio.create_task(fundproof.donations.get("d1")) for _ in range(2)]
                await asyncio.to_thread(asked.wait, 10)
                tasks[0].cancel()
                self.assertEqual((await tasks[1]).id, "d1")
            return transport

        first, second = self.refresh_keys(asyncio.run(story()))
        self.assertEqual(first, second)

    def test_refuses_a_call_inside_a_refresh(self) -> None:
        made: list[Fundproof] = []

        def use(tokens: Tokens) -> None:
            made[0].with_options(timeout=5).donations.get("d1")

        fundproof, transport = client(tokens=self.tokens(expires=0), on_tokens=use)
        made.append(fundproof)
        self.serve(transport, 5)
        with self.assertRaisesRegex(FundproofError, "refresh"):
            fundproof.donations.get("d1")
        self.assertEqual(fundproof.donations.get("d1").id, "d1")

    def test_refuses_a_call_inside_an_async_refresh(self) -> None:
        async def story() -> None:
            transport = FakeTransport()
            self.serve(transport, 5)

            async def use(tokens: Tokens) -> None:
                await asyncio.gather(fundproof.donations.get("d1"))

            fundproof = AsyncFundproof(
                environment="sandbox",
                base_url="https://a.example",
                transport=transport,
                tokens=self.tokens(expires=0),
                on_tokens=use,
            )
            async with fundproof:
                with self.assertRaisesRegex(FundproofError, "refresh"):
                    await asyncio.wait_for(fundproof.donations.get("d1"), 10)
                self.assertEqual((await fundproof.donations.get("d1")).id, "d1")

        asyncio.run(story())

    def test_refuses_tokens_that_no_header_can_have(self) -> None:
        for wrong in ("", "secret token", "secret\r\nx: y", "secrét"):
            with self.assertRaises(ConfigurationError) as caught:
                client(tokens=replace(self.tokens(), access_token=wrong))
            self.assertNotIn("secr", str(caught.exception))
            renewed = {"accessToken": wrong, "refreshToken": "refresh-2", "expires": 900}
            answer = Answer(json={"success": True, "tokens": renewed})
            fundproof, transport = client(answer, tokens=self.tokens(expires=0))
            with self.assertRaises(ConfigurationError):
                fundproof.donations.get("d1")
            self.assertEqual(len(transport.requests), 1)

    def refresh_keys(self, transport: FakeTransport) -> list[str]:
        """The idempotency keys of all refreshes."""
        refreshes = [each for each in transport.requests if each.url.endswith("/refresh")]
        return [each.headers["idempotency-key"] for each in refreshes]

    def test_refreshes_before_the_end_of_a_token(self) -> None:
        fundproof, transport = client(tokens=self.tokens(expires=0))
        self.serve(transport, 5)
        fundproof.donations.get("d1")
        paths = [request.url.rpartition("/")[2] for request in transport.requests]
        self.assertEqual(paths, ["refresh", "d1"])

    def test_gives_up_if_the_new_token_is_refused_too(self) -> None:
        refused = Answer(401, json=REFUSED)
        fundproof, transport = client(
            refused, Answer(json=RENEWED), refused, tokens=self.tokens()
        )
        with self.assertRaises(AuthenticationError):
            fundproof.donations.get("d1")
        self.assertEqual(len(transport.requests), 3)

    def test_keeps_new_tokens_that_could_not_be_stored(self) -> None:
        def fail(tokens: Tokens) -> None:
            raise OSError("disk full")

        fundproof, transport = client(tokens=self.tokens(), on_tokens=fail)
        self.serve(transport, 5)
        with self.assertRaises(OSError):
            fundproof.donations.get("d1")
        self.assertEqual(fundproof.donations.get("d1").id, "d1")

    def test_refuses_a_key_together_with_tokens(self) -> None:
        with self.assertRaises(ConfigurationError):
            client(api_key=KEY, tokens=self.tokens())


class MemoryStore:
    """A store, with the lock of threads in place of that of processes."""

    tokens: Tokens | None = None

    def __init__(self) -> None:
        self.mutex = threading.Lock()

    def lock(self) -> threading.Lock:
        return self.mutex

    def load(self) -> Tokens | None:
        assert self.mutex.locked()
        return self.tokens

    def save(self, tokens: Tokens) -> None:
        assert self.mutex.locked()
        self.tokens = tokens


class Stores(unittest.TestCase):
    """Clients that share a session, as those of several processes do."""

    def setUp(self) -> None:
        self.store = MemoryStore()
        self.refreshes = 0
        self.sign_in("ended", "1")

    def sign_in(self, access: str, refresh: str) -> None:
        self.good = refresh
        self.store.tokens = Tokens(access_token=access, refresh_token=refresh, expires=900)

    def serve(self, request: Any) -> Answer:
        """Answers like the service: a refresh token works once."""
        if not request.url.endswith("/refresh"):
            signed = request.headers["authorization"] == f"Bearer access-{self.good}"
            return Answer(json=DONATION) if signed else Answer(401, json=REFUSED)
        if json.loads(request.body)["refreshToken"] != self.good:
            return Answer(401, json={**REFUSED, "code": "refresh_reused"})
        self.refreshes += 1
        self.good += "+"
        pair = {"accessToken": f"access-{self.good}", "refreshToken": self.good, "expires": 900}
        return Answer(json={"success": True, "tokens": pair})

    def options(self) -> dict[str, Any]:
        transport = FakeTransport([self.serve] * 100)
        options = {"environment": "sandbox", "base_url": "https://a.example"}
        return {**options, "transport": transport, "token_store": self.store}

    def test_let_one_client_refresh_for_all(self) -> None:
        clients = [Fundproof(**self.options()) for _ in range(8)]
        for round in (1, 2):
            with ThreadPoolExecutor(8) as threads:
                got = list(threads.map(lambda one: one.donations.get("d1").id, clients))
            self.assertEqual((got, self.refreshes), (["d1"] * 8, round))
            self.sign_in("ended-too", "2")

    def test_are_shared_by_event_loops(self) -> None:
        fundproof = AsyncFundproof(**self.options())

        async def story() -> list[str]:
            calls = [fundproof.donations.get("d1") for _ in range(8)]
            return [each.id for each in await asyncio.gather(*calls)]

        for _ in range(2):
            self.assertEqual(asyncio.run(story()), ["d1"] * 8)
            self.sign_in("ended-too", "2")
        self.assertEqual(self.refreshes, 2)

    def test_keep_no_lock_that_a_cancelled_call_waited_for(self) -> None:
        self.store.mutex.acquire()

        async def story() -> None:
            fundproof = AsyncFundproof(**self.options())
            task = asyncio.create_task(fundproof.donations.get("d1"))
            while not fundproof._core.tokens._running:  # type: ignore[union-attr]
                await asyncio.sleep(0)
            task.cancel()
            with self.assertRaises(asyncio.CancelledError):
                await task
            self.store.mutex.release()
            self.assertEqual((await fundproof.donations.get("d1")).id, "d1")

        asyncio.run(asyncio.wait_for(story(), 10))

    def test_must_have_tokens(self) -> None:
        self.store.tokens = None
        with self.assertRaisesRegex(ConfigurationError, "token_store is empty"):
            Fundproof(**self.options()).donations.get("d1")
        with self.assertRaisesRegex(ConfigurationError, "one of"):
            Fundproof(**self.options(), api_key=KEY)


class Options(unittest.TestCase):
    def test_refuses_options_that_do_not_exist(self) -> None:
        fundproof, transport = client()
        wrong: Any = {"max_retry": 0}
        for call in (fundproof.donations.get, fundproof.donations.wait_for):
            with self.assertRaisesRegex(ConfigurationError, "max_retry "):
                call("d1", options=wrong)
        self.assertEqual(transport.requests, [])

    def test_refuses_limits_that_are_no_limits(self) -> None:
        fundproof, transport = client()
        for wrong in (math.nan, -1, 0, math.inf):
            with self.assertRaises(ConfigurationError):
                client(timeout=wrong)
            with self.assertRaises(ConfigurationError):
                fundproof.with_options(timeout=wrong)
            with self.assertRaises(ConfigurationError):
                fundproof.donations.get("d1", options={"timeout": wrong})
        with self.assertRaises(ConfigurationError):
            fundproof.donations.wait_for("d1", timeout=math.nan)
        self.assertEqual(transport.requests, [])

    def test_permits_http_in_a_private_network_only_if_asked(self) -> None:
        made = Fundproof(environment="sandbox", base_url="http://api:3000", allow_http=True)
        self.assertEqual(made.base_url, "http://api:3000")
        with self.assertRaisesRegex(ConfigurationError, "allow_http=True"):
            Fundproof(environment="sandbox", base_url="http://api:3000")

    def test_has_its_version(self) -> None:
        self.assertEqual(fundproof_module.__version__, fundproof_module.VERSION)

    def test_makes_copies_with_other_options(self) -> None:
        fundproof, transport = client(*[Answer(json=DONATION)] * 2)
        fundproof.with_options(timeout=None, max_retries=0).donations.get("d1")
        self.assertIsNone(transport.requests[0].timeout)
        fundproof.donations.get("d1")
        self.assertEqual(transport.requests[1].timeout, 30)

    def test_has_the_same_methods_in_both_clients(self) -> None:
        from fundproof._generated.facts import OPERATIONS

        twin = AsyncFundproof(environment="sandbox", base_url="https://a.example")
        for made in (client()[0], twin):
            for place in [*OPERATIONS, "donations.wait_for", "webhooks.verify", "webhooks.sign"]:
                target: Any = made
                for part in place.split("."):
                    target = getattr(target, part)
                self.assertTrue(callable(target), place)


async def _no_sleep(seconds: float) -> None:
    pass


if __name__ == "__main__":
    unittest.main()
