"""Waiting and sending. Calls are written once, as coroutines. In a sync client a coroutine never
pauses, because the functions that it awaits block."""

from __future__ import annotations

import random
import time
from collections.abc import AsyncGenerator, Callable, Coroutine, Iterator
from contextlib import AbstractAsyncContextManager, AbstractContextManager, asynccontextmanager
from threading import Lock
from typing import Any, Protocol, TypeVar

from ._transport import Abort, OwnedByProcess, Request, Response, Transport

T = TypeVar("T")


class IO(Protocol):
    """The functions that a call awaits, and its clock."""

    async def send(self, request: Request) -> Response: ...

    async def read(self, chunks: Iterator[bytes], abort: Abort) -> bytes:
        """Returns the next part of a streamed body, or nothing at its end."""
        ...

    async def sleep(self, seconds: float) -> None: ...

    async def lock(self) -> None: ...

    def unlock(self) -> None: ...

    async def work(self, work: Callable[[], T]) -> T:
        """Calls a function of the user, which may block."""
        ...

    def hold(self, lock: AbstractContextManager[Any]) -> AbstractAsyncContextManager[None]:
        """Holds a lock of the user's token store."""
        ...

    def now(self) -> float: ...

    def random(self) -> float: ...


class Clock:
    """The real clock and real random numbers."""

    def now(self) -> float:
        """Seconds since 1970."""
        return time.time()

    def random(self) -> float:
        """A number from 0 to 1."""
        return random.random()


class BlockingIO(Clock, OwnedByProcess):
    """Blocks the calling thread while it waits."""

    def __init__(self, transport: Transport) -> None:
        self._transport = transport
        super().__init__()

    def renew(self) -> None:
        self._lock = Lock()

    async def send(self, request: Request) -> Response:
        return self._transport.send(request)

    async def read(self, chunks: Iterator[bytes], abort: Abort) -> bytes:
        return next(chunks, b"")

    async def sleep(self, seconds: float) -> None:
        time.sleep(seconds)

    async def lock(self) -> None:
        self._lock.acquire()

    def unlock(self) -> None:
        self._lock.release()

    async def work(self, work: Callable[[], T]) -> T:
        return work()

    @asynccontextmanager
    async def hold(self, lock: AbstractContextManager[Any]) -> AsyncGenerator[None]:
        with lock:
            yield


def run(call: Coroutine[Any, Any, T]) -> T:
    """Runs a coroutine of a sync client, which ends without pausing."""
    try:
        call.send(None)
    except StopIteration as end:
        return end.value
    call.close()
    raise RuntimeError("A sync client cannot wait for a coroutine: use AsyncFundproof.")
