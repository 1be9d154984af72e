"""The methods of ``donations``, also those that need several requests."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ._generated.resources import donations
from ._io import run

if TYPE_CHECKING:
    from ._core import Core
    from ._options import RequestOptions
    from .types import Donation


class Donations(donations.Donations):
    """The methods of ``donations``."""

    def wait_for(
        self, id: str, *, timeout: float | None = 900, options: RequestOptions | None = None
    ) -> Donation:
        """Reads a donation until it is completed, failed, expired or reversed, and returns it.
        Connection errors, and refusals that may pass, are waited out.

        Args:
            timeout: The seconds to wait at most; None: no limit. After that, the APITimeoutError
                has the donation as ``last``. Default: 15 minutes.
        """
        return run(_wait(self._core, id, timeout, options))


class AsyncDonations(donations.AsyncDonations):
    """The methods of ``donations``."""

    async def wait_for(
        self, id: str, *, timeout: float | None = 900, options: RequestOptions | None = None
    ) -> Donation:
        """Reads a donation until it is completed, failed, expired or reversed, and returns it.
        Connection errors, and refusals that may pass, are waited out.

        Args:
            timeout: The seconds to wait at most; None: no limit. After that, the APITimeoutError
                has the donation as ``last``. Default: 15 minutes.
        """
        return await _wait(self._core, id, timeout, options)


async def _wait(
    core: Core,
    id: str,
    timeout: float | None,
    options: RequestOptions | None,
) -> Donation:
    from ._wait import wait_for

    get = donations.AsyncDonations(core).get
    given = options or {}
    longest = given.get("timeout", core.defaults.timeout)
    return await wait_for(
        core.io,
        lambda limit: get(id, options={**given, "timeout": limit, "max_retries": 0}),
        timeout,
        longest,
    )
