"""The stream of events over a fake transport, and pages of the async client."""

from __future__ import annotations

import asyncio
import json
import unittest
from typing import Any

from support import TestIO, core_of

from fundproof import (
    APIConnectionError,
    AsyncFundproof,
    NotFoundError,
    RateLimitError,
    ServerError,
    Unknown,
)
from fundproof._generated.resources.events import Events
from fundproof.testing import Answer, FakeTransport


def message(number: int) -> bytes:
    """An event as bytes of a stream."""
    event = {"id": f"e{number}", "event": "x", "created": "2026-01-31T12:00:00.000Z", "data": {}}
    return f"id: c{number}\nevent: x\ndata: {json.dumps(event)}\n\n".encode()


def refusal(status: int, code: str, **headers: str) -> Answer:
    """A refusal of the service."""
    names = {name.replace("_", "-"): value for name, value in headers.items()}
    body = {"success": False, "error": "No.", "code": code, "requestId": "r"}
    return Answer(status, json=body, headers=names)


class Streams(unittest.TestCase):
    def stream(self, *answers: Any, **fields: Any) -> tuple[Any, FakeTransport, TestIO]:
        transport = FakeTransport(answers)
        io = TestIO(transport)
        return Events(core_of(io)).stream(**fields), transport, io

    def positions(self, transport: FakeTransport) -> list[str | None]:
        return [request.headers.get("last-event-id") for request in transport.requests]

    def test_has_the_position_that_it_began_with_before_the_first_event(self) -> None:
        self.assertEqual(self.stream(after="p7")[0].last_event_id, "p7")
        self.assertIsNone(self.stream()[0].last_event_id)

    def test_resumes_without_gap_or_double(self) -> None:
        cut = message(3)[:-9]
        stream, transport, io = self.stream(
            Answer(chunks=[b"retry: 1500\nid: c0\n\n", message(1), message(2) + cut]),
            APIConnectionError("lost"),
            Answer(chunks=[message(2), message(3)]),
            Answer(chunks=[b": still here\nid: c9\n\n"]),
            Answer(chunks=[message(10)]),
        )
        ids = [next(stream).id for _ in range(4)]
        self.assertEqual(ids, ["e1", "e2", "e3", "e10"])
        self.assertEqual(self.positions(transport), [None, "c2", "c2", "c3", "c9"])
        self.assertEqual(stream.last_event_id, "c10")
        self.assertEqual(io.waits[0], 1.5)
        self.assertEqual(transport.requests[0].headers["accept"], "text/event-stream")

    def test_counts_only_taken_events_as_the_place(self) -> None:
        stream, _, _ = self.stream(Answer(chunks=[message(1) + message(2)]))
        next(stream)
        self.assertEqual(stream.last_event_id, "c1")

    def test_begins_where_the_caller_says(self) -> None:
        stream, transport, _ = self.stream(
            Answer(chunks=[]), Answer(chunks=[message(1)]), after="c0", event=["x", "y"]
        )
        next(stream)
        self.assertEqual(transport.requests[1].url.partition("?")[2], "event=x&event=y&after=c0")

    def test_raises_refusals_that_stay(self) -> None:
        first, transport, _ = self.stream(refusal(404, "not_found"))
        with self.assertRaises(NotFoundError):
            next(first)
        self.assertEqual(len(transport.requests), 1)
        later, _, _ = self.stream(Answer(chunks=[message(1)]), refusal(429, "too_many_streams"))
        next(later)
        with self.assertRaises(RateLimitError):
            next(later)

    def test_waits_as_long_as_the_service_says(self) -> None:
        stream, _, io = self.stream(
            Answer(chunks=[message(1)]),
            refusal(429, "rate_limited", retry_after="7"),
            refusal(503, "unavailable", retry_after="0"),
            Answer(chunks=[message(2)]),
        )
        self.assertEqual([next(stream).id, next(stream).id], ["e1", "e2"])
        self.assertEqual(io.waits[1], 7)
        self.assertGreater(io.waits[2], 3)

    def test_raises_if_the_service_asks_for_a_long_wait(self) -> None:
        busy = refusal(503, "unavailable", retry_after="3600")
        stream, _, io = self.stream(Answer(chunks=[message(1)]), busy)
        next(stream)
        with self.assertRaises(ServerError) as caught:
            next(stream)
        self.assertEqual(caught.exception.retry_after, 3600)
        self.assertNotIn(3600, io.waits)

    def test_passes_events_on_that_it_cannot_read(self) -> None:
        bad = message(2).replace(b'"event": "x"', b'"event": "user.verified"')
        bad = bad.replace(b"2026-01-31T12", b"never")
        nameless = b'data: {"event": "x"}\n\n'
        stream, transport, _ = self.stream(
            Answer(chunks=[message(1) + bad + b"data: [1]\n\n" + nameless * 2 + message(3)])
        )
        events = [next(stream) for _ in range(6)]
        self.assertIsInstance(events[1], Unknown)
        self.assertEqual((events[1].id, events[1].event), ("e2", "user.verified"))
        self.assertEqual(events[1].raw["created"], "never:00:00.000Z")
        self.assertEqual((events[2].event, events[2].raw), (None, {"data": "[1]"}))
        self.assertEqual([each.id for each in events[3:]], [None, None, "e3"])
        self.assertEqual((len(transport.requests), stream.last_event_id), (1, "c3"))

    def test_pauses_for_at_least_a_quarter_of_a_second(self) -> None:
        stream, _, io = self.stream(
            Answer(chunks=[b"retry: 0\n\n", message(1)]), Answer(chunks=[message(2)])
        )
        self.assertEqual([next(stream).id, next(stream).id], ["e1", "e2"])
        self.assertEqual(io.waits, [0.25])

    def test_ends_a_connection_that_begins_after_close(self) -> None:
        stream, transport, _ = self.stream()

        def close(request: Any) -> Answer:
            stream.close()
            self.assertTrue(request.abort.aborted)
            return Answer(chunks=[message(1)])

        transport.add(close)
        self.assertEqual(list(stream), [])

    def test_ends_after_close(self) -> None:
        stream, _, _ = self.stream(Answer(chunks=[message(1)]))
        with stream:
            next(stream)
        self.assertEqual(list(stream), [])

    def test_has_an_async_form(self) -> None:
        async def story() -> list[str]:
            transport = FakeTransport([Answer(chunks=[message(1), message(2)])])
            async with AsyncFundproof(
                environment="sandbox", base_url="https://a.example", transport=transport
            ) as fundproof:
                ids: list[str] = []
                async with fundproof.events.stream() as stream:
                    async for event in stream:
                        ids.append(event.id)
                        if len(ids) == 2:
                            break
                return ids

        self.assertEqual(asyncio.run(story()), ["e1", "e2"])


class Pages(unittest.TestCase):
    def test_end_if_a_later_page_has_no_position(self) -> None:
        def page(cursor: str | None) -> Answer:
            body = {"success": True, "events": [], "nextCursor": cursor, "hasMore": True}
            return Answer(json=body)

        transport = FakeTransport([page("p1"), page(None)])
        pages = Events(core_of(TestIO(transport))).list().pages()
        self.assertEqual([each.next_cursor for each in pages], ["p1", None])


class AsyncPages(unittest.TestCase):
    def pages(self) -> FakeTransport:
        def page(name: str, cursor: str | None) -> Answer:
            keys = [{"id": name, "name": name}]
            pagination = {"total": 2, "nextCursor": cursor}
            return Answer(json={"success": True, "keys": keys, "pagination": pagination})

        return FakeTransport([page("a", "c1"), page("b", None)])

    def test_are_awaited_or_iterated_over(self) -> None:
        async def story() -> tuple[list[str], list[str], int | None, list[int]]:
            made = [
                AsyncFundproof(
                    environment="sandbox", base_url="https://a.example", transport=self.pages()
                )
                for _ in range(3)
            ]
            names = [key.name async for key in made[0].keys.list()]
            first = await made[1].keys.list()
            rest = [key.name async for key in first]
            sizes = [len(page.items) async for page in made[2].keys.list().pages()]
            return names, rest, first.total, sizes

        self.assertEqual(asyncio.run(story()), (["a", "b"], ["a", "b"], 2, [1, 1]))


if __name__ == "__main__":
    unittest.main()
