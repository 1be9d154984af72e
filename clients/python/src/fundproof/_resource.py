"""The base classes of all resources."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from ._io import run

if TYPE_CHECKING:
    from ._core import Core
    from ._operation import Call
    from ._options import RequestOptions
    from ._page import AsyncList, Page
    from ._stream import AsyncEventStream, EventStream


def load(core: Core, module: str, name: str) -> Any:
    """Imports the module of a resource, and makes the resource."""
    return getattr(import_module(module, "fundproof._generated"), name)(core)


class Resource:
    """A part of the interface, for a sync client."""

    def __init__(self, core: Core) -> None:
        self._core = core

    def _call(self, call: Call, options: RequestOptions | None) -> Any:
        return run(self._core.call(call, options))

    def _list(self, call: Call, options: RequestOptions | None) -> Page[Any]:
        from ._page import Listing, Page

        return Page(run(Listing[Any](self._core, call, options).read(None)))

    def _stream(self, call: Call, options: RequestOptions | None) -> EventStream:
        from ._stream import EventStream, Subscription

        return EventStream(Subscription(self._core, call, options))


class AsyncResource:
    """A part of the interface, for an async client."""

    def __init__(self, core: Core) -> None:
        self._core = core

    async def _call(self, call: Call, options: RequestOptions | None) -> Any:
        return await self._core.call(call, options)

    def _list(self, call: Call, options: RequestOptions | None) -> AsyncList[Any]:
        from ._page import AsyncList, Listing

        return AsyncList(Listing[Any](self._core, call, options))

    def _stream(self, call: Call, options: RequestOptions | None) -> AsyncEventStream:
        from ._stream import AsyncEventStream, Subscription

        return AsyncEventStream(Subscription(self._core, call, options))
