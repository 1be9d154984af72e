"""Lists: the first page, and iterators over all pages."""

from __future__ import annotations

from collections.abc import AsyncIterator, Generator, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Generic, TypeVar, cast

from ._answer import ResponseInfo, content_of, info_of
from ._errors import FundproofError
from ._io import run
from ._model import decode

if TYPE_CHECKING:
    from ._core import Core
    from ._operation import Call
    from ._options import RequestOptions

T = TypeVar("T")

_LIMIT = 100


@dataclass(frozen=True)
class Listing(Generic[T]):
    """A list that can be read page by page."""

    core: Core
    call: Call
    options: RequestOptions | None

    async def read(self, cursor: str | None) -> PageContent[T]:
        """Reads the first page, or the page at ``cursor``."""
        operation, query = self.call.operation, self.call.query
        if query.get("limit") is None:
            query = {**query, "limit": _LIMIT}
        if cursor is not None:
            query = {**query, "page": None, "from": None, operation.by: cursor}
        response = await self.core.send(self.call._replace(query=query), self.options)
        content = content_of(response)
        found = content.get(operation.wire, False)
        items = cast("tuple[T, ...]", decode("[" + operation.kind, found))
        pages = cast("dict[str, Any]", content.get("pagination") or content)
        following = pages.get("nextCursor")
        more = bool(content.get("hasMore")) if operation.by == "after" else following is not None
        stuck = following == query.get(operation.by)
        total = pages.get("total")
        return PageContent(self, items, total, following, more, info_of(response), stuck)


@dataclass(frozen=True)
class PageContent(Generic[T]):
    """One page of a list."""

    listing: Listing[T]
    items: tuple[T, ...]
    #: The number of all items, or None if it is not counted.
    total: int | None
    #: The position after this page. None on the last page, except in a list of events.
    next_cursor: str | None
    has_more: bool
    response: ResponseInfo
    #: Whether the next cursor equals the cursor of this page, which would loop without end.
    is_stuck: bool

    async def following(self) -> PageContent[T] | None:
        """Reads the next page, or returns None after the last one."""
        if not self.has_more or self.next_cursor is None:
            return None
        if self.is_stuck:
            raise FundproofError("The service answered with the same cursor again.")
        return await self.listing.read(self.next_cursor)


class _View(Generic[T]):
    def __init__(self, content: PageContent[T]) -> None:
        self._content = content

    @property
    def items(self) -> tuple[T, ...]:
        """The items of this page."""
        return self._content.items

    @property
    def total(self) -> int | None:
        """The number of all items, or None if it is not counted."""
        return self._content.total

    @property
    def next_cursor(self) -> str | None:
        """The position after this page: None on the last page, except for events."""
        return self._content.next_cursor

    @property
    def has_more(self) -> bool:
        """Whether there is a further page."""
        return self._content.has_more

    @property
    def response(self) -> ResponseInfo:
        """The status, request id and limits of the answer."""
        return self._content.response

    def __repr__(self) -> str:
        return f"{type(self).__name__}(items={len(self.items)}, has_more={self.has_more})"


class Page(_View[T]):
    """A page of a list. Iterating over it yields the items of this page and of all further pages,
    which are read when they are needed."""

    def __iter__(self) -> Iterator[T]:
        for page in self.pages():
            yield from page.items

    def pages(self) -> Iterator[Page[T]]:
        """Yields this page and all further pages."""
        page: Page[T] | None = self
        while page is not None:
            yield page
            page = page.next_page()

    def next_page(self) -> Page[T] | None:
        """Reads the next page. Returns None after the last one."""
        content = run(self._content.following())
        return Page(content) if content else None


class AsyncPage(_View[T]):
    """A page of a list. Iterating over it yields the items of this page and of all further pages,
    which are read when they are needed."""

    async def __aiter__(self) -> AsyncIterator[T]:
        async for page in self.pages():
            for item in page.items:
                yield item

    async def pages(self) -> AsyncIterator[AsyncPage[T]]:
        """Yields this page and all further pages."""
        page: AsyncPage[T] | None = self
        while page is not None:
            yield page
            page = await page.next_page()

    async def next_page(self) -> AsyncPage[T] | None:
        """Reads the next page. Returns None after the last one."""
        content = await self._content.following()
        return AsyncPage(content) if content else None


class AsyncList(Generic[T]):
    """A list that is read when it is awaited (the first page) or iterated over (all items)."""

    def __init__(self, listing: Listing[T]) -> None:
        self._listing = listing

    def __await__(self) -> Generator[Any, Any, AsyncPage[T]]:
        return self._first().__await__()

    async def __aiter__(self) -> AsyncIterator[T]:
        async for item in await self._first():
            yield item

    async def pages(self) -> AsyncIterator[AsyncPage[T]]:
        """Yields all pages."""
        async for page in (await self._first()).pages():
            yield page

    async def _first(self) -> AsyncPage[T]:
        return AsyncPage(await self._listing.read(None))
