"""Tests of the tokens of a sign-in, which are refreshed in time and only once."""

from __future__ import annotations

import asyncio
import json
import threading
import unittest
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from typing import Any

from support import DONATION, KEY, REFUSED, client, failure_with_locals

from fundproof import (
    APIConnectionError,
    AbortError,
    ApiError,
    AsyncFundproof,
    AuthenticationError,
    ConfigurationError,
    Fundproof,
    FundproofError,
)
from fundproof.testing import Answer, FakeTransport
from fundproof.types import Tokens

RENEWED = {
    "success": True,
    "tokens": {"accessToken": "new", "refreshToken": "refresh-2", "expires": 900},
}

class SignIn(unittest.TestCase):
    def tokens(self, expires: int = 900) -> Tokens:
        return Tokens(access_token="old", refresh_token="refresh-1", expires=expires)

    def serve(self, transport: FakeTransport, times: int) -> None:
        """Answers like the service, which accepts only the token ``new``."""

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

    def test_hides_an_impossible_token_from_tracebacks_with_local_variables(self) -> None:
        pair = Tokens(access_token="from-a-file\n", refresh_token="refresh-1", expires=900)
        shown = failure_with_locals(lambda: client(tokens=pair))
        self.assertIn("wrong character", shown)
        self.assertNotIn("from-a-file", shown)


if __name__ == "__main__":
    unittest.main()
