"""The async client."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ._aio import AsyncIO
from ._generated.client import AsyncResources
from ._io import IO

if TYPE_CHECKING:
    from ._transport import Transport


class AsyncFundproof(AsyncResources):
    """A client for asyncio. A cancelled call closes its connection at once.

        async with AsyncFundproof(api_key, "sandbox", base_url=base_url) as fundproof:
            async for campaign in fundproof.campaigns.list(status="active"):
                print(campaign.title)
    """

    def _make_io(self, transport: Transport, max_connections: int) -> IO:
        return AsyncIO(transport, max_connections)

    async def close(self) -> None:
        """Closes all idle connections."""
        self._transport.close()
        if isinstance(self._io, AsyncIO):
            self._io.close()

    async def __aenter__(self) -> AsyncFundproof:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()
