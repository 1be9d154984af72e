"""The transport: one method that sends a request and returns its answer."""

from __future__ import annotations

import os
from collections.abc import Callable, Generator, Mapping
from dataclasses import dataclass, field
from threading import Lock
from typing import Protocol
from weakref import WeakSet

from ._errors import AbortError


class OwnedByProcess:
    """An object with locks, threads or connections, which a child process must not share."""

    def __init__(self) -> None:
        _owned.add(self)
        self.renew()

    def renew(self) -> None:
        """Creates new locks, threads and connections. Runs in a child process directly after a
        fork."""


_owned: WeakSet[OwnedByProcess] = WeakSet()


def _renew_all() -> None:
    for each in list(_owned):
        each.renew()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_renew_all)


class Abort:
    """Lets another thread end a request."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._close: Callable[[], None] | None = None
        self.aborted = False

    def set(self) -> None:
        """Ends the request. Its connection is closed at once."""
        with self._lock:
            self.aborted = True
            close = self._close
        if close:
            close()

    def on_abort(self, close: Callable[[], None]) -> None:
        """Sets the function that closes the connection. Raises AbortError after an abort."""
        with self._lock:
            self._close = close
            if not self.aborted:
                return
        raise AbortError("The call was ended.")

    def forget(self) -> bool:
        """Keeps the connection open from now on. Returns False if an abort has already closed it.
        """
        with self._lock:
            self._close = None
            return not self.aborted


@dataclass(frozen=True, slots=True)
class Request:
    """A request, ready to send. ``timeout`` is in seconds and covers the whole answer."""

    method: str
    url: str
    headers: Mapping[str, str] = field(repr=False)
    body: bytes | None = field(default=None, repr=False)
    timeout: float | None = None
    #: True: the body of the answer is read from ``Response.chunks`` as it arrives.
    stream: bool = False
    #: With ``stream``: the longest silence between two chunks, in seconds.
    silence: float | None = None
    abort: Abort = field(default_factory=Abort, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Response:
    """An answer. The names of its headers are in lower case."""

    status: int
    headers: Mapping[str, str]
    body: bytes = field(default=b"", repr=False)
    #: The parts of the body, if the request has ``stream`` and the answer is an event stream.
    chunks: Generator[bytes, None, None] | None = None


class Transport(Protocol):
    """Sends requests. Several threads may call ``send`` at the same time.

    ``send`` raises :class:`APIConnectionError` or :class:`APITimeoutError`, never follows redirects
    and never retries.
    """

    def send(self, request: Request) -> Response:
        """Sends one request and returns its answer, with any status."""
        ...

    def close(self) -> None:
        """Closes all idle connections."""
        ...
