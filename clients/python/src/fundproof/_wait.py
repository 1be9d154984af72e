"""Waits until a donation has a final status."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from math import inf
from typing import TYPE_CHECKING

from ._core import may_pass
from ._errors import AbortError, ApiError, APIConnectionError, APITimeoutError, ConfigurationError

if TYPE_CHECKING:
    from .types import Donation
    from ._io import IO

_OPEN = frozenset(("pending", "confirming"))
_MIN_PAUSE = 0.25
#: The time limit in seconds of the request after the timeout.
_LAST_LOOK = 1.0


async def wait_for(
    io: IO,
    look: Callable[[float | None], Awaitable[Donation]],
    timeout: float | None,
    longest: float | None,
) -> Donation:
    """Reads a donation until it is final, in spite of errors that may not last. Pauses 1 s, 1.5 s
    and so on, at most 15 s, or until the service's next check if that is sooner. Reads a last time
    after the timeout. ``longest``: the time limit in seconds of one request."""
    if timeout is not None and not timeout >= 0:
        raise ConfigurationError("timeout must be at least 0 seconds, or None.")
    end = inf if timeout is None else io.now() + timeout
    polls = 0
    donation: Donation | None = None
    while True:
        failure: ApiError | APIConnectionError | None = None
        pause = min(15.0, 1.5 ** min(polls, 10)) * (0.5 + io.random() / 2)
        try:
            limit = min(longest or inf, max(end - io.now(), _LAST_LOOK))
            donation = await look(None if limit == inf else limit)
        except (ApiError, APIConnectionError) as error:
            passes = may_pass(error) if isinstance(error, ApiError) else True
            if not passes or isinstance(error, AbortError):
                raise
            failure = error
            if isinstance(error, ApiError):
                pause = max(pause, error.retry_after or 0)
        else:
            if donation.status not in _OPEN:
                return donation
            confirmation = donation.confirmation
            if confirmation is not None and confirmation.next_check_at is not None:
                ahead = confirmation.next_check_at.timestamp() - io.now()
                if 0 < ahead < pause:
                    pause = max(_MIN_PAUSE, ahead)
        left = end - io.now()
        if left <= 0:
            seen = f"is still {donation.status}" if donation else "could not be read"
            raise APITimeoutError(f"The donation {seen}.", donation) from failure
        polls += 1
        await io.sleep(min(pause, left))
