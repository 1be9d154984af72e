"""A client with its own clock, sleep and random numbers."""

from __future__ import annotations

import sys
import traceback
from collections.abc import Callable
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
if str(ROOT / "src") not in sys.path:
    sys.path.insert(0, str(ROOT / "src"))

from fundproof import Fundproof  # noqa: E402
from fundproof._core import Core, Defaults  # noqa: E402
from fundproof._io import BlockingIO, run  # noqa: E402
from fundproof._operation import Call, Operation  # noqa: E402
from fundproof._options import RequestOptions, read_settings  # noqa: E402
from fundproof._transport import Transport  # noqa: E402
from fundproof.testing import FakeTransport  # noqa: E402

KEY = "fundproof_sandbox_G0lyp5VrYXMB7pFfFQvygpDGOlYhfc4ZJPRi"
DONATION = {
    "id": "d1",
    "status": "a_status_of_the_future",
    "amount": {"value": "25.100000000000000001", "currency": "USDC"},
    "createdAt": "2026-01-31T12:00:00.000Z",
    "newField": {"deep": [1]},
}
REFUSED = {"success": False, "error": "No.", "code": "invalid_token", "requestId": "r"}


class TestIO(BlockingIO):
    """Sends with a transport. Only ``sleep`` moves the clock."""

    __test__ = False

    def __init__(self, transport: Transport, now: float = 0, random: float = 1) -> None:
        super().__init__(transport)
        self.transport: Any = transport
        self.time = now
        self.waits: list[float] = []
        self._random = random

    async def sleep(self, seconds: float) -> None:
        self.waits.append(seconds)
        self.time += seconds

    def now(self) -> float:
        return self.time

    def random(self) -> float:
        return self._random


def failure_with_locals(call: Callable[[], object]) -> str:
    """Returns the traceback of a failing call, with the local variables of the library."""
    try:
        call()
    except Exception as error:
        # Removes the frames of this function and of `call`, which are not part of the library.
        below = error.with_traceback(error.__traceback__.tb_next.tb_next)  # type: ignore
        shown = traceback.TracebackException.from_exception(below, capture_locals=True)
        return "".join(shown.format())
    raise AssertionError("no error")


def core_of(io: TestIO, **defaults: Any) -> Core:
    """A core for an address that does not exist."""
    settings = read_settings(None, "sandbox", "https://api.example.org")
    return Core(io, settings, Defaults(**defaults))


def call(core: Core, method: Any, options: RequestOptions | None = None) -> Any:
    """Calls ``<method> /api/test``, whose answer is any JSON object."""
    return run(core.call(Call(Operation("test", method, "/api/test", "whole")), options))


def client(*answers: Any, **options: Any) -> tuple[Fundproof, FakeTransport]:
    """A client with scripted answers."""
    transport = FakeTransport(answers)
    options = {"environment": "sandbox", "base_url": "https://a.example", **options}
    return Fundproof(transport=transport, **options), transport
