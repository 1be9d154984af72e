"""Waits and sends for asyncio. Requests run in threads. A cancelled request is closed at once."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager, asynccontextmanager
from dataclasses import replace
from time import monotonic
from typing import Any, TypeVar
from weakref import WeakKeyDictionary

from ._errors import APITimeoutError
from ._io import Clock
from ._transport import Abort, OwnedByProcess, Request, Response, Transport

T = TypeVar("T")


class AsyncIO(Clock, OwnedByProcess):
    """Runs requests in threads, so the event loop stays free. Several event loops may share it."""

    def __init__(self, transport: Transport, max_connections: int) -> None:
        self._transport = transport
        self._max_connections = max_connections
        super().__init__()

    def renew(self) -> None:
        self._threads = ThreadPoolExecutor(self._max_connections, "fundproof")
        self._locks: WeakKeyDictionary[Any, asyncio.Lock] = WeakKeyDictionary()

    async def send(self, request: Request) -> Response:
        end = None if request.timeout is None else monotonic() + request.timeout

        def work() -> Response:
            # Waiting for a free thread may have used up some of the time.
            left = None if end is None else end - monotonic()
            return self._transport.send(replace(request, timeout=left))

        return await self._in_thread(work, request.abort, request.timeout)

    async def read(self, chunks: Iterator[bytes], abort: Abort) -> bytes:
        return await self._in_thread(lambda: next(chunks, b""), abort)

    async def sleep(self, seconds: float) -> None:
        await asyncio.sleep(seconds)

    async def lock(self) -> None:
        await self._own_lock().acquire()

    def unlock(self) -> None:
        self._own_lock().release()

    async def work(self, work: Callable[[], T]) -> T:
        return await asyncio.to_thread(work)

    @asynccontextmanager
    async def hold(self, lock: AbstractContextManager[Any]) -> AsyncGenerator[None]:
        # The lock needs a separate thread. In a shared pool, waiting threads could leave no thread
        # for the one that holds the lock.
        thread = ThreadPoolExecutor(1, "fundproof-lock")
        entering = thread.submit(lock.__enter__)

        def leave() -> None:
            if not entering.cancelled() and entering.exception() is None:
                lock.__exit__(None, None, None)

        try:
            await asyncio.wrap_future(entering)
            yield
        finally:
            # A cancelled call may still wait for the lock. It releases the lock as soon as it gets
            # it.
            leaving = thread.submit(leave)
            thread.shutdown(wait=False)
            if entering.done():
                await asyncio.wrap_future(leaving)

    def close(self) -> None:
        """Ends the idle threads."""
        self._threads.shutdown(wait=False, cancel_futures=True)

    def _own_lock(self) -> asyncio.Lock:
        return self._locks.setdefault(asyncio.get_running_loop(), asyncio.Lock())

    async def _in_thread(
        self, work: Callable[[], T], abort: Abort, seconds: float | None = None
    ) -> T:
        future = asyncio.get_running_loop().run_in_executor(self._threads, work)
        try:
            await asyncio.wait((future,), timeout=seconds)
        except asyncio.CancelledError:
            abort.set()
            future.cancel()
            raise
        if future.done():
            return future.result()
        future.cancel()
        raise APITimeoutError("No answer came in time, with the wait for a free connection.")
