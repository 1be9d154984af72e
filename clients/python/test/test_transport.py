"""Tests of the transport with local sockets."""

from __future__ import annotations

import asyncio
import os
import shutil
import signal
import socket
import ssl
import subprocess
import tempfile
import threading
import time
import unittest
from pathlib import Path
from unittest.mock import patch

from sockets import OK, SocketCase, read_head

from fundproof import APIConnectionError, ApiError, AsyncFundproof, HttpTransport
from fundproof._io import run


async def _id_of(client: AsyncFundproof, name: str) -> str:
    return (await client.donations.get(name)).id


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
            # In some rounds the client sends its next request before it notices the end of the
            # connection.
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
                # The child must end here, because it would run the other tests too.
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


if __name__ == "__main__":
    unittest.main()
