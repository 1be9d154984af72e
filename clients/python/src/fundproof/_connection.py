"""One connection of ``http.client``, with a deadline for everything that it does."""

from __future__ import annotations

import io
import os
import select
import selectors
import socket
import ssl
from base64 import b64encode
from errno import EINPROGRESS, EWOULDBLOCK
from http.client import HTTPConnection, HTTPException, HTTPResponse, RemoteDisconnected
from time import monotonic
from typing import Any, cast
from urllib.parse import SplitResult, unquote

from ._transport import Abort

CHUNK = 65_536
#: Servers often close idle connections after five seconds, so the client closes them earlier.
_MAX_IDLE_SECONDS = 4.0


class TimedSocket:
    """A socket with a common ``deadline`` for all reads and writes."""

    def __init__(self, sock: socket.socket) -> None:
        self.sock = sock
        self.deadline: float | None = None

    def limit(self, seconds: float | None) -> None:
        self.deadline = None if seconds is None else monotonic() + seconds

    def apply(self) -> None:
        left = None if self.deadline is None else self.deadline - monotonic()
        if left is not None and left <= 0:
            raise TimeoutError
        self.sock.settimeout(left)

    def setsockopt(self, level: int, option: int, value: int) -> None:
        self.sock.setsockopt(level, option, value)

    def sendall(self, data: bytes) -> None:
        self.apply()
        self.sock.sendall(data)

    def makefile(self, mode: str) -> io.BufferedReader:
        assert mode == "rb"
        return _Lines(_Reader(self), CHUNK)

    def close(self) -> None:
        """Does nothing, because the holder of the connection closes it after reading the body."""


class _Reader(io.RawIOBase):
    def __init__(self, timed: TimedSocket) -> None:
        self._timed = timed

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any, /) -> int:
        self._timed.apply()
        return self._timed.sock.recv_into(buffer)


class _Lines(io.BufferedReader):
    #: Whether a missing line is an error. ``http.client`` treats it as the end of the headers.
    in_head = False

    def readline(self, size: int | None = -1, /) -> bytes:
        line = super().readline(size)
        if self.in_head and not line:
            raise RemoteDisconnected("The connection was closed before the end of the headers.")
        return line


class _Answer(HTTPResponse):
    """The final answer. ``http.client`` skips only interim answers with status 100."""

    fp: Any
    headers: Any

    def begin(self) -> None:
        self.fp.in_head = True
        super().begin()
        while self.status < 200:
            self.headers = None
            super().begin()
        if self.fp is not None:
            self.fp.in_head = False
        if len(set(self.headers.get_all("content-length", []))) > 1:
            raise HTTPException("The answer has two lengths.")


class Connection(HTTPConnection):
    """A connection to one origin, through a proxy if there is one."""

    response_class = _Answer

    def __init__(
        self, origin: SplitResult, proxy: SplitResult | None, tls: ssl.SSLContext | None
    ) -> None:
        host, port = cast(str, origin.hostname), origin.port or (443 if tls else 80)
        if proxy:
            super().__init__(cast(str, proxy.hostname), proxy.port or 80)
            self.set_tunnel(host, port, _proxy_headers(proxy))
        else:
            super().__init__(host, port)
        self._tls = tls
        self._server = host
        self.timed: TimedSocket | None = None
        self.idle_since = 0.0

    def open(self, end: float | None, abort: Abort) -> None:
        """Connects until ``end`` at the latest, including the proxy and TLS."""
        self._end, self._abort, self._create_connection = end, abort, self._dial
        try:
            self.connect()
            if self._tls:
                timed = cast(TimedSocket, self.timed)
                timed.apply()
                secure = self._tls.wrap_socket(
                    timed.sock, server_hostname=self._server, do_handshake_on_connect=False
                )
                timed.sock = secure
                # TLS has replaced the socket. An earlier abort has shut down only the old socket,
                # so the abort must now learn of the new socket.
                abort.on_abort(self.shut)
                secure.do_handshake()
        except BaseException:
            self.end()
            raise

    def _dial(self, address: tuple[str, int], *_unused: object) -> TimedSocket:
        """Tries the addresses in turn. Each one gets an equal part of the remaining time."""
        end, abort = self._end, self._abort
        found = socket.getaddrinfo(*address, type=socket.SOCK_STREAM)
        failure = OSError("The host has no address.")
        for tried, (family, kind, protocol, _, place) in enumerate(found):
            sock = socket.socket(family, kind, protocol)
            timed = self.timed = TimedSocket(sock)
            try:
                sock.setblocking(False)
                begun = sock.connect_ex(place)
                # A socket can be shut down only after it has begun to connect.
                abort.on_abort(self.shut)
                if begun in (EINPROGRESS, EWOULDBLOCK):
                    left = None if end is None else (end - monotonic()) / (len(found) - tried)
                    begun = _finish(sock, left)
                if begun:
                    raise OSError(begun, os.strerror(begun))
                timed.deadline = end
                return timed
            except OSError as error:
                sock.close()
                failure = error
        raise failure

    def is_alive(self) -> bool:
        """Whether the connection is usable: not too old, not closed, and without unexpected bytes.
        """
        if self.timed is None or monotonic() - self.idle_since > _MAX_IDLE_SECONDS:
            return False
        if hasattr(select, "poll"):
            poll = select.poll()
            poll.register(self.timed.sock, select.POLLIN)
            return not poll.poll(0)
        return not select.select([self.timed.sock], [], [], 0)[0]

    def shut(self) -> None:
        """Wakes the thread that reads from this connection."""
        if self.timed:
            try:
                socket.socket.shutdown(self.timed.sock, socket.SHUT_RDWR)
            except OSError:
                pass

    def end(self) -> None:
        self.close()
        if self.timed:
            self.timed.sock.close()


def _finish(sock: socket.socket, seconds: float | None) -> int:
    """Waits until a connection is made or refused. Returns its error number, or 0."""
    with selectors.DefaultSelector() as selector:
        selector.register(sock, selectors.EVENT_WRITE)
        if not selector.select(seconds):
            raise TimeoutError
    return sock.getsockopt(socket.SOL_SOCKET, socket.SO_ERROR)


def _proxy_headers(proxy: SplitResult) -> dict[str, str]:
    if proxy.username is None:
        return {}
    user = f"{unquote(proxy.username)}:{unquote(proxy.password or '')}"
    return {"Proxy-Authorization": "Basic " + b64encode(user.encode()).decode("ascii")}
