"""A client with its own clock, sleep and random numbers."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
if str(ROOT / "src") not in sys.path:
    sys.path.insert(0, str(ROOT / "src"))

from fundproof._core import Core, Defaults  # noqa: E402
from fundproof._io import run  # noqa: E402
from fundproof._operation import Call, Operation  # noqa: E402
from fundproof._options import RequestOptions, read_settings  # noqa: E402
from fundproof._transport import Abort, Request, Response, Transport  # noqa: E402


class TestIO:
    """Sends by a transport. Only ``sleep`` moves the clock."""

    __test__ = False

    def __init__(self, transport: Transport, now: float = 0, random: float = 1) -> None:
        self.transport = transport
        self.time = now
        self.waits: list[float] = []
        self._random = random

    async def send(self, request: Request) -> Response:
        return self.transport.send(request)

    async def read(self, chunks: Iterator[bytes], abort: Abort) -> bytes:
        return next(chunks, b"")

    async def sleep(self, seconds: float) -> None:
        self.waits.append(seconds)
        self.time += seconds

    async def lock(self) -> None:
        pass

    def unlock(self) -> None:
        pass

    def now(self) -> float:
        return self.time

    def random(self) -> float:
        return self._random


def core_of(io: TestIO, **defaults: Any) -> Core:
    """A core that sends to an address that does not exist."""
    settings = read_settings(None, "sandbox", "https://api.example.org")
    return Core(io, settings, Defaults(**defaults))


def call(core: Core, method: Any, options: RequestOptions | None = None) -> Any:
    """Calls ``<method> /api/test``, whose answer is any JSON object."""
    return run(core.call(Call(Operation("test", method, "/api/test", "whole")), options))
