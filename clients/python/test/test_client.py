"""Tests of the public interface with a fake transport."""

from __future__ import annotations

import json
import math
import pickle
import unittest
from dataclasses import FrozenInstanceError, replace
from datetime import datetime, timezone
from decimal import Decimal
from typing import Any

from support import DONATION, KEY, client

import fundproof as fundproof_module
from fundproof import (
    NOT_GIVEN,
    APIConnectionError,
    AsyncFundproof,
    CallEvent,
    ConfigurationError,
    Fundproof,
    RateLimit,
)
from fundproof._transport import Request, Response
from fundproof.testing import Answer, FakeTransport
from fundproof.types import (
    LocationInput,
    Milestone,
    Money,
    NewApiKey,
    NewWebhook,
    Payment,
    SandboxWallet,
    Tokens,
    TransactionInput,
    V1Campaign,
    V1Milestone,
)


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

    def test_reads_objects_of_both_families(self) -> None:
        names = ("cumulative_amount", "cumulativeAmount")
        milestones = [{"id": "m", "amount": "1", name: "2", "extra": 1} for name in names]
        one, other = Milestone.from_wire(milestones[0]), V1Milestone.from_wire(milestones[1])
        self.assertEqual(one.cumulative_amount, other.cumulative_amount)
        self.assertNotEqual(one, other)
        self.assertRegex(repr(other), r"^V1Milestone\(id='m', title=None, .*released_at=None\)$")
        self.assertEqual(pickle.loads(pickle.dumps(other)), other)
        self.assertEqual(pickle.loads(pickle.dumps(other)).raw["extra"], 1)
        campaign = V1Campaign.from_wire({"milestones": [milestones[1]], "targetAmount": "3"})
        self.assertEqual((campaign.milestones, campaign.target_amount), ((other,), Decimal(3)))

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
