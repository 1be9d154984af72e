"""Servers on sockets of this machine, and clients of them."""

from __future__ import annotations

import socket
import threading
import unittest
from collections.abc import Callable
from typing import Any

from support import ROOT

from fundproof import Fundproof

assert ROOT
HEALTH = b'{"status":"ok","version":"1"}'
OK = b"HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n%s" % (len(HEALTH), HEALTH)


class Server:
    """Accepts connections. Each one gets a thread, which calls ``serve`` with its number."""

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
    """Reads the header of a request. Returns nothing if the client has closed the connection."""
    head = b""
    while b"\r\n\r\n" not in head:
        part = connection.recv(4096)
        if not part:
            return b""
        head += part
    return head


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
