"""Clients that share a sign-in by a token store."""

from __future__ import annotations

import asyncio
import json
import os
import threading
import unittest
from concurrent.futures import ThreadPoolExecutor
from typing import Any
from unittest.mock import patch

from support import DONATION, KEY, REFUSED

from fundproof import AsyncFundproof, ConfigurationError, Fundproof
from fundproof.testing import Answer, FakeTransport
from fundproof.types import Tokens


class MemoryStore:
    """A store in memory. Its lock works between threads, not between processes."""

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
    """Tests of clients that share a session, like the clients of several processes."""

    def setUp(self) -> None:
        self.store = MemoryStore()
        self.refreshes = 0
        self.ended = ""
        self.sign_in("ended", "1")

    def sign_in(self, access: str, refresh: str) -> None:
        self.good = refresh
        self.store.tokens = Tokens(access_token=access, refresh_token=refresh, expires=900)

    def serve(self, request: Any) -> Answer:
        """Answers like the service: each refresh token works once."""
        if not request.url.endswith("/refresh"):
            token = request.headers["authorization"].removeprefix("Bearer ")
            signed = token == f"access-{self.good}" and token != self.ended
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

    def test_leave_threads_for_the_holder_of_the_lock(self) -> None:
        clients = [AsyncFundproof(**self.options()) for _ in range(8)]

        async def story() -> list[str]:
            # A small executor, as on a machine with few processors.
            asyncio.get_running_loop().set_default_executor(ThreadPoolExecutor(2))
            calls = [asyncio.ensure_future(one.donations.get("d1")) for one in clients]
            done, _ = await asyncio.wait(calls, timeout=5)
            if len(done) < len(calls):
                os._exit(1)  # Threads that wait for a lock would keep the process running.
            return [one.result().id for one in done]

        self.assertEqual((asyncio.run(story()), self.refreshes), (["d1"] * 8, 1))

    def test_use_no_replaced_token_again_after_a_failed_save(self) -> None:
        fundproof = Fundproof(**self.options())
        with patch.object(self.store, "save", side_effect=OSError("The disk is full.")):
            with self.assertRaisesRegex(OSError, "full"):
                fundproof.donations.get("d1")
        self.ended = "access-1+"
        self.assertEqual(fundproof.donations.get("d1").id, "d1")
        stored = self.store.tokens
        self.assertEqual((self.refreshes, stored and stored.refresh_token), (2, "1++"))

    def test_must_have_tokens(self) -> None:
        self.store.tokens = None
        with self.assertRaisesRegex(ConfigurationError, "token_store is empty"):
            Fundproof(**self.options()).donations.get("d1")
        with self.assertRaisesRegex(ConfigurationError, "one of"):
            Fundproof(**self.options(), api_key=KEY)


if __name__ == "__main__":
    unittest.main()
