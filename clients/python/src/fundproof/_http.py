"""The default transport: ``http.client`` with a small pool of connections."""

from __future__ import annotations

import os
import ssl
from collections.abc import Generator
from http.client import HTTPException, HTTPResponse
from threading import Lock
from time import monotonic
from typing import cast
from urllib.parse import SplitResult, urlsplit

from ._connection import CHUNK, Connection, TimedSocket
from ._errors import AbortError, APIConnectionError, APITimeoutError
from ._transport import Abort, OwnedByProcess, Request, Response

_MAX_IDLE = 100


class HttpTransport(OwnedByProcess):
    """Sends requests with ``http.client``. Keeps idle connections for some seconds."""

    def __init__(self, tls: ssl.SSLContext | None = None) -> None:
        self._tls = tls
        self._closed = False
        self._idle: list[tuple[str, Connection]] = []
        super().__init__()

    def renew(self) -> None:
        # Closes only the copies in a child process. The parent's connections stay open.
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
                    # The server has closed the connection meanwhile. A DELETE is not repeated,
                    # because the first request may have deleted the resource.
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
        self, request: Request, url: SplitResult, connection: Connection, end: float | None
    ) -> Response:
        timed = cast(TimedSocket, connection.timed)
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

    def _take(self, origin: str) -> Connection | None:
        while True:
            with self._lock:
                at = next((i for i, (of, _) in enumerate(self._idle) if of == origin), None)
                if at is None:
                    return None
                connection = self._idle.pop(at)[1]
            if connection.is_alive():
                return connection
            connection.end()

    def _give(self, origin: str, connection: Connection) -> bool:
        connection.idle_since = monotonic()
        with self._lock:
            if self._closed or len(self._idle) >= _MAX_IDLE:
                return False
            self._idle.insert(0, (origin, connection))
        return True

    def _connect(self, url: SplitResult, end: float | None, abort: Abort) -> Connection:
        secure = url.scheme == "https"
        if secure and self._tls is None:
            self._tls = ssl.create_default_context()
        connection = Connection(url, _proxy_of(url), self._tls if secure else None)
        connection.open(end, abort)
        return connection


def _origin(url: SplitResult) -> str:
    return f"{url.scheme}://{url.netloc}"


def _chunks(
    connection: Connection, answer: HTTPResponse, request: Request
) -> Generator[bytes, None, None]:
    timed = cast(TimedSocket, connection.timed)
    try:
        while True:
            timed.limit(request.silence)
            data = answer.read1(CHUNK)
            if not data:
                return
            yield data
    except (OSError, HTTPException, ValueError) as error:
        raise _failure(error, request) from error
    finally:
        connection.end()


def _failure(error: Exception, request: Request) -> APIConnectionError:
    # The tracebacks are removed, because http.client has the key in its local variables.
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
