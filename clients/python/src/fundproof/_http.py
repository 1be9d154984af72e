"""The default transport: ``http.client`` with a small pool of connections."""

from __future__ import annotations

import io
import os
import select
import selectors
import socket
import ssl
from base64 import b64encode
from collections.abc import Generator
from errno import EINPROGRESS, EWOULDBLOCK
from http.client import HTTPConnection, HTTPException, HTTPResponse
from threading import Lock
from time import monotonic
from typing import Any, cast
from urllib.parse import SplitResult, unquote, urlsplit

from ._errors import AbortError, APIConnectionError, APITimeoutError
from ._transport import Abort, OwnedByProcess, Request, Response

_MAX_IDLE = 100
#: Servers often close idle connections after five seconds, so these are dropped before that.
_MAX_IDLE_SECONDS = 4.0
_CHUNK = 65_536


class _TimedSocket:
    """A socket whose reads and writes together end at ``deadline``."""

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
        return io.BufferedReader(_Reader(self), _CHUNK)

    def close(self) -> None:
        """Does nothing, because the connection is closed by its holder, after the body is read."""


class _Reader(io.RawIOBase):
    def __init__(self, timed: _TimedSocket) -> None:
        self._timed = timed

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any, /) -> int:
        self._timed.apply()
        return self._timed.sock.recv_into(buffer)


class _Answer(HTTPResponse):
    """The final answer. ``http.client`` itself skips of the interim ones only 100."""

    headers: Any

    def begin(self) -> None:
        super().begin()
        while self.status < 200:
            self.headers = None
            super().begin()


class _Connection(HTTPConnection):
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
        self.timed: _TimedSocket | None = None
        self.idle_since = 0.0

    def open(self, end: float | None, abort: Abort) -> None:
        """Connects until ``end`` at the latest: address, proxy and TLS together."""
        self._end, self._abort, self._create_connection = end, abort, self._dial
        try:
            self.connect()
            if self._tls:
                timed = cast(_TimedSocket, self.timed)
                timed.apply()
                secure = self._tls.wrap_socket(
                    timed.sock, server_hostname=self._server, do_handshake_on_connect=False
                )
                timed.sock = secure
                # An abort before this line has shut the socket that TLS has replaced.
                abort.on_abort(self.shut)
                secure.do_handshake()
        except BaseException:
            self.end()
            raise

    def _dial(self, address: tuple[str, int], *_unused: object) -> _TimedSocket:
        """Tries the addresses in turn. Each gets an equal part of the time that is left."""
        end, abort = self._end, self._abort
        found = socket.getaddrinfo(*address, type=socket.SOCK_STREAM)
        failure = OSError("The host has no address.")
        for tried, (family, kind, protocol, _, place) in enumerate(found):
            sock = socket.socket(family, kind, protocol)
            timed = self.timed = _TimedSocket(sock)
            try:
                sock.setblocking(False)
                begun = sock.connect_ex(place)
                # A socket can be shut only after it has begun to connect.
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
        """Returns whether the server has neither closed the connection nor sent unasked bytes."""
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


class HttpTransport(OwnedByProcess):
    """Sends requests with ``http.client``. Keeps idle connections for some seconds."""

    def __init__(self, tls: ssl.SSLContext | None = None) -> None:
        self._tls = tls
        self._closed = False
        self._idle: list[tuple[str, _Connection]] = []
        super().__init__()

    def renew(self) -> None:
        # This closes the copies of a child process only: the parent's connections stay open.
        for _, connection in self._idle:
            connection.end()
        self._lock, self._idle = Lock(), []

    def send(self, request: Request) -> Response:
        """Sends one request. The timeout covers everything, up to the last byte of the body."""
        url = urlsplit(request.url)
        end = None if request.timeout is None else monotonic() + request.timeout
        try:
            idle = self._take(_origin(url))
            if idle is not None:
                try:
                    return self._send(request, url, idle, end)
                except ConnectionError:
                    # The server closed it meanwhile. A repeated DELETE could find nothing.
                    if request.abort.aborted or request.method == "DELETE":
                        raise
            return self._send(request, url, self._connect(url, end, request.abort), end)
        except (OSError, HTTPException) as error:
            raise _failure(error, request) from error

    def close(self) -> None:
        """Closes all idle connections."""
        with self._lock:
            idle, self._idle, self._closed = self._idle, [], True
        for _, connection in idle:
            connection.end()

    def _send(
        self, request: Request, url: SplitResult, connection: _Connection, end: float | None
    ) -> Response:
        timed = cast(_TimedSocket, connection.timed)
        timed.deadline = end
        kept = False
        try:
            request.abort.on_abort(connection.shut)
            target = url.path + (f"?{url.query}" if url.query else "")
            headers = {"Host": url.netloc, **request.headers}
            connection.request(request.method, target, request.body, headers)
            answer = connection.getresponse()
            names = {name.lower(): value for name, value in answer.getheaders()}
            is_stream = names.get("content-type", "").startswith("text/event-stream")
            if request.stream and answer.status == 200 and is_stream:
                kept = True
                return Response(200, names, chunks=_chunks(connection, answer, request))
            body = answer.read()
            if not answer.will_close and request.abort.forget():
                kept = self._give(_origin(url), connection)
            return Response(answer.status, names, body)
        finally:
            if not kept:
                connection.end()

    def _take(self, origin: str) -> _Connection | None:
        while True:
            with self._lock:
                at = next((i for i, (of, _) in enumerate(self._idle) if of == origin), None)
                if at is None:
                    return None
                connection = self._idle.pop(at)[1]
            if connection.is_alive():
                return connection
            connection.end()

    def _give(self, origin: str, connection: _Connection) -> bool:
        connection.idle_since = monotonic()
        with self._lock:
            if self._closed or len(self._idle) >= _MAX_IDLE:
                return False
            self._idle.insert(0, (origin, connection))
        return True

    def _connect(self, url: SplitResult, end: float | None, abort: Abort) -> _Connection:
        secure = url.scheme == "https"
        if secure and self._tls is None:
            self._tls = ssl.create_default_context()
        connection = _Connection(url, _proxy_of(url), self._tls if secure else None)
        connection.open(end, abort)
        return connection


def _finish(sock: socket.socket, seconds: float | None) -> int:
    """Waits until a connection is made or refused. Returns its error number, or 0."""
    with selectors.DefaultSelector() as selector:
        selector.register(sock, selectors.EVENT_WRITE)
        if not selector.select(seconds):
            raise TimeoutError
    return sock.getsockopt(socket.SOL_SOCKET, socket.SO_ERROR)


def _origin(url: SplitResult) -> str:
    return f"{url.scheme}://{url.netloc}"


def _chunks(
    connection: _Connection, answer: HTTPResponse, request: Request
) -> Generator[bytes, None, None]:
    timed = cast(_TimedSocket, connection.timed)
    try:
        while True:
            timed.limit(request.silence)
            data = answer.read1(_CHUNK)
            if not data:
                return
            yield data
    except (OSError, HTTPException, ValueError) as error:
        raise _failure(error, request) from error
    finally:
        connection.end()


def _failure(error: Exception, request: Request) -> APIConnectionError:
    # The frames of http.client have the headers, with their keys, as local variables.
    error.__traceback__ = error.__context__ = None
    if request.abort.aborted:
        return AbortError("The call was ended.")
    if isinstance(error, TimeoutError):
        return APITimeoutError("The service did not answer in time.")
    return APIConnectionError(f"The connection failed: {error or type(error).__name__}")


def _proxy_of(url: SplitResult) -> SplitResult | None:
    if url.scheme != "https":
        return None
    proxy = os.environ.get("https_proxy") or os.environ.get("HTTPS_PROXY")
    if not proxy:
        return None
    from urllib.request import proxy_bypass

    if proxy_bypass(url.netloc):
        return None
    return urlsplit(proxy if "://" in proxy else f"http://{proxy}")


def _proxy_headers(proxy: SplitResult) -> dict[str, str]:
    if proxy.username is None:
        return {}
    user = f"{unquote(proxy.username)}:{unquote(proxy.password or '')}"
    return {"Proxy-Authorization": "Basic " + b64encode(user.encode()).decode("ascii")}
