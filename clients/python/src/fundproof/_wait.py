"""Waits until a donation has a final status."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from math import inf
from typing import TYPE_CHECKING

from ._errors import APITimeoutError

if TYPE_CHECKING:
    from .types import Donation
    from ._io import IO

_OPEN = frozenset(("pending", "confirming"))
_MIN_PAUSE = 0.25


async def wait_for(
    io: IO, read: Callable[[], Awaitable[Donation]], timeout: float | None
) -> Donation:
    """Reads a donation until it is final. Pauses 1 s, 1.5 s and so on, at most 15 s, or until the
    service's own next check if that is sooner. Looks a last time when the timeout is over."""
    end = inf if timeout is None else io.now() + timeout
    polls = 0
    while True:
        donation = await read()
        if donation.status not in _OPEN:
            return donation
        left = end - io.now()
        if left <= 0:
            message = f"The donation {donation.id} is still {donation.status}."
            raise APITimeoutError(message, donation)
        pause = min(15.0, 1.5 ** min(polls, 10)) * (0.5 + io.random() / 2)
        if donation.confirmation is not None and donation.confirmation.next_check_at is not None:
            ahead = donation.confirmation.next_check_at.timestamp() - io.now()
            if 0 < ahead < pause:
                pause = max(_MIN_PAUSE, ahead)
        polls += 1
        await io.sleep(min(pause, left))
