"""The transport against sockets of this machine."""

from __future__ import annotations

import asyncio
import os
import queue
import shutil
import signal
import socket
import ssl
import subprocess
import tempfile
import threading
import time
import unittest
from collections.abc import Callable
from pathlib import Path
from typing import Any
from unittest.mock import patch
from urllib.parse import urlsplit

from support import ROOT

from fundproof import (
    AbortError,
    APIConnectionError,
    ApiError,
    APITimeoutError,
    AsyncFundproof,
    Fundproof,
    HttpTransport,
)
from fundproof._io import run
from fundproof._transport import Abort, Request

assert ROOT
HEALTH = b'{"status":"ok","version":"1"}'
OK = b"HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n%s" % (len(HEALTH), HEALTH)


class Server:
    """Accepts connections and gives each, with its number, to a function in a thread."""

    def __init__(self, serve: Callable[[socket.socket, int], None]) -> None:
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.url = f"http://127.0.0.1:{self.listener.getsockname()[1]}"
        self.connections: list[socket.socket] = []
        self._serve = serve
        threading.Thread(target=self._accept, daemon=True).start()

    def _accept(self) -> None:
        while True:
            try:
                connection, _ = self.listener.accept()
            except OSError:
                return
            self.connections.append(connection)
            arguments = (connection, len(self.connections))
            threading.Thread(target=self._run, args=arguments, daemon=True).start()

    def _run(self, connection: socket.socket, number: int) -> None:
        try:
            self._serve(connection, number)
        except OSError:
            pass

    def close(self) -> None:
        self.listener.close()
        for connection in self.connections:
            connection.close()


def read_head(connection: socket.socket) -> bytes:
    """Reads the head of a request. Returns nothing if the client has closed the connection."""
    head = b""
    while b"\r\n\r\n" not in head:
        part = connection.recv(4096)
        if not part:
            return b""
        head += part
    return head


def addresses(url: str) -> Any:
    """The addresses of a URL, as the socket module finds them."""
    parts = urlsplit(url)
    return socket.getaddrinfo(parts.hostname, parts.port, type=socket.SOCK_STREAM)


async def _id_of(client: AsyncFundproof, name: str) -> str:
    return (await client.donations.get(name)).id


class SocketCase(unittest.TestCase):
    """A test with servers and clients that are closed at its end."""

    def serve(self, serve: Callable[[socket.socket, int], None]) -> Server:
        server = Server(serve)
        self.addCleanup(server.close)
        return server

    def answering(self) -> Server:
        """A server that keeps its connections open."""

        def serve(connection: socket.socket, number: int) -> None:
            while read_head(connection):
                connection.sendall(OK)

        return self.serve(serve)

    def client(self, url: str, **options: Any) -> Fundproof:
        made = Fundproof(environment="sandbox", base_url=url, **options)
        self.addCleanup(made.close)
        return made


class Sockets(SocketCase):
    def test_reuses_its_connection(self) -> None:
        server = self.answering()
        fundproof = self.client(server.url)
        for _ in range(5):
            self.assertEqual(fundproof.system.health().status, "ok")
        self.assertEqual(len(server.connections), 1)

    def test_drops_idle_connections_that_the_server_has_closed(self) -> None:
        def serve(connection: socket.socket, number: int) -> None:
            read_head(connection)
            connection.sendall(OK)
            # Sometimes the client sends its next request before it sees the end.
            time.sleep(0.002 * (number % 3))
            connection.shutdown(socket.SHUT_RDWR)

        fundproof = self.client(self.serve(serve).url, max_retries=0)
        for _ in range(30):
            self.assertEqual(fundproof.system.health().status, "ok")

    def test_skips_interim_answers(self) -> None:
        hints = b"HTTP/1.1 103 Early Hints\r\nlink: </a>; rel=preload\r\n\r\n"

        def serve(connection: socket.socket, number: int) -> None:
            while read_head(connection):
                connection.sendall(hints + b"HTTP/1.1 102 Processing\r\n\r\n" + OK)

        server = self.serve(serve)
        fundproof = self.client(server.url)
        self.assertEqual([fundproof.system.health().status for _ in range(3)], ["ok"] * 3)
        self.assertEqual(len(server.connections), 1)

    @unittest.skipUnless(hasattr(os, "fork"), "this system has no fork")
    def test_gives_each_child_process_connections_and_locks_of_its_own(self) -> None:
        def serve(connection: socket.socket, number: int) -> None:
            while head := read_head(connection):
                body = b'{"id":"%s"}' % head.split()[1].rpartition(b"/")[2]
                time.sleep(0.001)
                connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n" % len(body))
                connection.sendall(body)

        server = self.serve(serve)
        fundproof = self.client(server.url, max_retries=0)
        waiting = AsyncFundproof(environment="sandbox", base_url=server.url, max_retries=0)
        self.addCleanup(waiting._transport.close)
        fundproof.donations.get("before")
        asyncio.run(_id_of(waiting, "before"))
        held = [fundproof._transport._lock, fundproof._core.io._lock]  # type: ignore

        def work(name: str) -> bool:
            asked = [f"{name}-{i}" for i in range(20)]
            run(fundproof._core.io.lock())
            found = [fundproof.donations.get(each).id for each in asked]
            return [*found, asyncio.run(_id_of(waiting, name))] == [*asked, name]

        for lock in held:
            lock.acquire()
        children: list[int] = []
        for name in "abcdef":
            child = os.fork()
            if child == 0:
                # Without an end of its own, the child would run the other tests too.
                signal.alarm(20)
                try:
                    os._exit(0 if work(name) else 1)
                finally:
                    os._exit(2)
            children.append(child)
        for lock in held:
            lock.release()
        self.assertEqual([os.waitpid(child, 0)[1] for child in children], [0] * 6)
        self.assertEqual(fundproof.donations.get("after").id, "after")

    def test_serves_many_threads_at_once(self) -> None:
        from concurrent.futures import ThreadPoolExecutor

        fundproof = self.client(self.answering().url)
        with ThreadPoolExecutor(20) as threads:
            found = list(threads.map(lambda _: fundproof.system.health().status, range(200)))
        self.assertEqual(found, ["ok"] * 200)

    def test_ends_a_stream_from_another_thread(self) -> None:
        started, ended = threading.Event(), threading.Event()

        def serve(connection: socket.socket, number: int) -> None:
            read_head(connection)
            kind = b"Content-Type: text/event-stream\r\n\r\n"
            connection.sendall(b"HTTP/1.1 200 OK\r\n" + kind + b": hi\n\n")
            started.set()
            if not connection.recv(1):
                ended.set()

        stream = self.client(self.serve(serve).url).events.stream()
        reader = threading.Thread(target=lambda: list(stream))
        reader.start()
        self.assertTrue(started.wait(10))
        stream.close()
        reader.join(10)
        self.assertFalse(reader.is_alive())
        self.assertTrue(ended.wait(10))

    def test_refuses_a_page_in_place_of_a_stream(self) -> None:
        page = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 7\r\n\r\nSign in"

        def serve(connection: socket.socket, number: int) -> None:
            while read_head(connection):
                connection.sendall(page)

        with self.assertRaises(ApiError) as caught:
            next(self.client(self.serve(serve).url).events.stream())
        self.assertEqual(caught.exception.status, 200)
        self.assertRegex(caught.exception.message, "^A web page came .*: Sign in$")

    def test_sends_a_proxy_its_password_and_no_request(self) -> None:
        heads: list[bytes] = []

        def serve(connection: socket.socket, number: int) -> None:
            heads.append(read_head(connection))
            connection.sendall(b"HTTP/1.1 502 Bad Gateway\r\n\r\n")
            connection.close()

        proxy = self.serve(serve).url.replace("http://", "http://ada:p%40ss@")
        with patch.dict(os.environ, {"HTTPS_PROXY": proxy, "NO_PROXY": "", "no_proxy": ""}):
            with self.assertRaises(APIConnectionError):
                self.client("https://a.example", max_retries=0).system.health()
        self.assertTrue(heads[0].startswith(b"CONNECT a.example:443 HTTP/1."), heads[0])
        self.assertIn(b"Proxy-Authorization: Basic YWRhOnBAc3M=", heads[0])
        self.assertNotIn(b"healthz", heads[0])

    @unittest.skipUnless(shutil.which("openssl"), "openssl is not installed")
    def test_checks_certificates_and_host_names(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            key, certificate = Path(folder, "key.pem"), Path(folder, "cert.pem")
            command = "openssl req -x509 -newkey rsa:2048 -nodes -days 1 -subj /CN=localhost"
            name = ["-addext", "subjectAltName=DNS:localhost"]
            files = ["-keyout", str(key), "-out", str(certificate)]
            subprocess.run([*command.split(), *name, *files], check=True, capture_output=True)
            context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            context.load_cert_chain(certificate, key)
            trusting = ssl.create_default_context(cafile=certificate)

            def serve(connection: socket.socket, number: int) -> None:
                with context.wrap_socket(connection, server_side=True) as secure:
                    while read_head(secure):
                        secure.sendall(OK)

            server = self.serve(serve)
            port = server.url.rpartition(":")[2]
            for host, tls, good in (
                ("localhost", trusting, True),
                ("localhost", None, False),
                ("127.0.0.1", trusting, False),
            ):
                transport = HttpTransport(tls)
                url = f"https://{host}:{port}"
                fundproof = self.client(url, transport=transport, max_retries=0)
                if good:
                    for _ in range(3):
                        self.assertEqual(fundproof.system.health().status, "ok")
                    self.assertEqual(len(server.connections), 1)
                else:
                    with self.assertRaisesRegex(APIConnectionError, "CERTIFICATE"):
                        fundproof.system.health()


class Connecting(SocketCase):
    def hanging(self) -> str:
        """The address of a server whose queue is full, so that no connection is made."""
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
        """The address of a server that never answers the beginning of TLS."""
        self.asked = threading.Event()

        def serve(connection: socket.socket, number: int) -> None:
            connection.recv(1)
            self.asked.set()
            read_head(connection)

        self.tls_url = self.serve(serve).url.replace("http:", "https:")
        return self.tls_url


class Cancellation(SocketCase):
    def silent(self) -> tuple[Server, threading.Event, threading.Event]:
        """A server that does not answer its first connection, and notices its end."""
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
