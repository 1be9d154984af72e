"""The sync client."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ._generated.client import Resources
from ._io import IO, BlockingIO

if TYPE_CHECKING:
    from ._transport import Transport


class Fundproof(Resources):
    """A client that blocks the calling thread. Threads may share it.

        with Fundproof(api_key, "sandbox", base_url=base_url) as fundproof:
            for campaign in fundproof.campaigns.list(status="active"):
                print(campaign.title)
    """

    def _make_io(self, transport: Transport, max_connections: int) -> IO:
        return BlockingIO(transport)

    def close(self) -> None:
        """Closes all idle connections."""
        self._transport.close()

    def __enter__(self) -> Fundproof:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
