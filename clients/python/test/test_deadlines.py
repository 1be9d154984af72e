"""Tests of deadlines and cancellations with local sockets."""

from __future__ import annotations

import asyncio
import os
import queue
import socket
import threading
import time
import unittest
from typing import Any
from unittest.mock import patch
from urllib.parse import urlsplit

from sockets import OK, Server, SocketCase, read_head

from fundproof import AbortError, APITimeoutError, AsyncFundproof, HttpTransport
from fundproof._transport import Abort, Request


def addresses(url: str) -> Any:
    """The addresses of a URL, as the socket module finds them."""
    parts = urlsplit(url)
    return socket.getaddrinfo(parts.hostname, parts.port, type=socket.SOCK_STREAM)


class Connecting(SocketCase):
    def hanging(self) -> str:
        """Returns the address of a server whose backlog is full, so connections are not accepted.
        """
        listener = socket.create_server(("127.0.0.1", 0), backlog=0)
        self.addCleanup(listener.close)
        for _ in range(4):
            waiting = socket.socket()
            self.addCleanup(waiting.close)
            waiting.setblocking(False)
            waiting.connect_ex(listener.getsockname())
        return f"http://127.0.0.1:{listener.getsockname()[1]}"

    def test_ends_in_time_for_all_addresses_together(self) -> None:
        found = addresses(self.hanging())
        fundproof = self.client(self.hanging(), timeout=0.6, max_retries=0)
        started = time.monotonic()
        with patch("socket.getaddrinfo", return_value=found * 5):
            with self.assertRaises(APITimeoutError):
                fundproof.system.health()
        self.assertLess(time.monotonic() - started, 1.8)

    def test_tries_the_next_address(self) -> None:
        server = self.answering()
        good = addresses(server.url)
        bad = addresses(self.hanging())
        with patch("socket.getaddrinfo", return_value=bad + good):
            fundproof = self.client(server.url, timeout=2, max_retries=0)
            self.assertEqual(fundproof.system.health().status, "ok")

    def test_ends_in_time_if_the_proxy_drips(self) -> None:
        def serve(connection: socket.socket, number: int) -> None:
            read_head(connection)
            connection.sendall(b"HTTP/1.1 200 OK\r\n")
            while True:
                connection.sendall(b"x: y\r\n")
                time.sleep(0.2)

        proxy = self.serve(serve).url
        started = time.monotonic()
        with patch.dict(os.environ, {"HTTPS_PROXY": proxy, "NO_PROXY": "", "no_proxy": ""}):
            with self.assertRaises(APITimeoutError):
                self.client("https://a.example", timeout=0.6, max_retries=0).system.health()
        self.assertLess(time.monotonic() - started, 5)

    def test_reconnects_within_the_time_that_is_left(self) -> None:
        def serve(connection: socket.socket, number: int) -> None:
            read_head(connection)
            connection.sendall(OK)
            read_head(connection)
            time.sleep(1.2)
            connection.shutdown(socket.SHUT_RDWR)

        fundproof = self.client(self.serve(serve).url, timeout=1.5, max_retries=0)
        fundproof.system.health()
        found = addresses(self.hanging())
        started = time.monotonic()
        with patch("socket.getaddrinfo", return_value=found):
            with self.assertRaises(APITimeoutError):
                fundproof.system.health()
        self.assertLess(time.monotonic() - started, 2.4)

    def test_ends_a_connection_that_is_being_made(self) -> None:
        for url in (self.hanging(), self.hanging().replace("http:", "https:"), self.silent_tls()):
            abort, errors = Abort(), queue.Queue[BaseException]()
            request = Request("GET", url, {}, abort=abort)

            def send() -> None:
                try:
                    HttpTransport().send(request)
                except BaseException as error:
                    errors.put(error)

            threading.Thread(target=send, daemon=True).start()
            while abort._close is None:
                time.sleep(0)
            if url == self.tls_url:
                self.assertTrue(self.asked.wait(10))
            abort.set()
            self.assertIsInstance(errors.get(timeout=10), AbortError)

    def silent_tls(self) -> str:
        """Returns the address of a server that never answers a TLS handshake."""
        self.asked = threading.Event()

        def serve(connection: socket.socket, number: int) -> None:
            connection.recv(1)
            self.asked.set()
            read_head(connection)

        self.tls_url = self.serve(serve).url.replace("http:", "https:")
        return self.tls_url


class Cancellation(SocketCase):
    def silent(self) -> tuple[Server, threading.Event, threading.Event]:
        """A server that does not answer its first connection, and that notices when it ends."""
        asked, ended = threading.Event(), threading.Event()

        def serve(connection: socket.socket, number: int) -> None:
            while head := read_head(connection):
                if number == 1:
                    asked.set()
                elif b"/stream" in head:
                    event = b'data: {"id":"e1","event":"x"}\n\n'
                    kind = b"Content-Type: text/event-stream\r\n\r\n"
                    connection.sendall(b"HTTP/1.1 200 OK\r\n" + kind + event)
                else:
                    connection.sendall(OK)
            ended.set()

        return self.serve(serve), asked, ended

    def test_closes_the_connection_of_a_cancelled_call(self) -> None:
        server, asked, ended = self.silent()

        async def story() -> str:
            async with AsyncFundproof(environment="sandbox", base_url=server.url) as fundproof:
                task = asyncio.create_task(fundproof.system.health())
                await asyncio.to_thread(asked.wait, 10)
                task.cancel()
                with self.assertRaises(asyncio.CancelledError):
                    await task
                self.assertTrue(await asyncio.to_thread(ended.wait, 10))
                return (await fundproof.system.health()).status

        started = time.monotonic()
        self.assertEqual(asyncio.run(story()), "ok")
        self.assertLess(time.monotonic() - started, 10)

    def test_continues_a_stream_after_a_cancelled_read(self) -> None:
        server, asked, _ = self.silent()

        async def story() -> str:
            async with AsyncFundproof(environment="sandbox", base_url=server.url) as fundproof:
                async with fundproof.events.stream() as stream:
                    task = asyncio.ensure_future(stream.__anext__())
                    await asyncio.to_thread(asked.wait, 10)
                    task.cancel()
                    with self.assertRaises(asyncio.CancelledError):
                        await task
                    return (await asyncio.wait_for(stream.__anext__(), 10)).event

        self.assertEqual(asyncio.run(story()), "x")

    def test_ends_a_waiting_stream_by_close(self) -> None:
        server, asked, ended = self.silent()

        async def story() -> list[object]:
            async with AsyncFundproof(environment="sandbox", base_url=server.url) as fundproof:
                stream = fundproof.events.stream()

                async def read() -> list[object]:
                    return [event async for event in stream]

                task = asyncio.create_task(read())
                await asyncio.to_thread(asked.wait, 10)
                await stream.close()
                self.assertTrue(await asyncio.to_thread(ended.wait, 10))
                return await asyncio.wait_for(task, 10)

        self.assertEqual(asyncio.run(story()), [])

    def test_counts_the_wait_for_a_connection_in_the_timeout(self) -> None:
        server, asked, _ = self.silent()

        async def story() -> str:
            async with AsyncFundproof(
                environment="sandbox", base_url=server.url, max_connections=1, max_retries=0
            ) as fundproof:
                hanging = asyncio.create_task(fundproof.system.health())
                await asyncio.to_thread(asked.wait, 10)
                with self.assertRaises(APITimeoutError):
                    await fundproof.system.health(options={"timeout": 0.1})
                self.assertFalse(hanging.done())
                hanging.cancel()
                return (await fundproof.system.health()).status

        self.assertEqual(asyncio.run(story()), "ok")

    def test_keeps_the_event_loop_free(self) -> None:
        server, asked, _ = self.silent()

        async def story() -> int:
            async with AsyncFundproof(environment="sandbox", base_url=server.url) as fundproof:
                task = asyncio.create_task(fundproof.system.health())
                ticks = 0
                while not asked.is_set() or ticks < 3:
                    await asyncio.sleep(0)
                    ticks += 1
                task.cancel()
                return ticks

        self.assertGreaterEqual(asyncio.run(story()), 3)


class Aborts(unittest.TestCase):
    def test_refuses_a_request_that_was_ended_before(self) -> None:
        abort = Abort()
        abort.set()
        with self.assertRaises(AbortError):
            abort.on_abort(lambda: None)


if __name__ == "__main__":
    unittest.main()
