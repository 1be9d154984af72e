"""Waiting and sending for asyncio. Requests run in threads; a cancelled one is closed at once."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

from ._io import Clock
from ._transport import Abort, Request, Response, Transport

T = TypeVar("T")

_MAX_THREADS = 64


class AsyncIO(Clock):
    """Keeps the event loop free."""

    def __init__(self, transport: Transport) -> None:
        self._transport = transport
        self._threads = ThreadPoolExecutor(_MAX_THREADS, "fundproof")
        self._lock = asyncio.Lock()

    async def send(self, request: Request) -> Response:
        return await self._in_thread(lambda: self._transport.send(request), request.abort)

    async def read(self, chunks: Iterator[bytes], abort: Abort) -> bytes:
        return await self._in_thread(lambda: next(chunks, b""), abort)

    async def sleep(self, seconds: float) -> None:
        await asyncio.sleep(seconds)

    async def lock(self) -> None:
        await self._lock.acquire()

    def unlock(self) -> None:
        self._lock.release()

    def close(self) -> None:
        """Ends idle threads."""
        self._threads.shutdown(wait=False, cancel_futures=True)

    async def _in_thread(self, work: Callable[[], T], abort: Abort) -> T:
        loop = asyncio.get_running_loop()
        try:
            return await loop.run_in_executor(self._threads, work)
        except asyncio.CancelledError:
            abort.set()
            raise
