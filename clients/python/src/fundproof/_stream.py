"""The stream of events, which resumes by itself and yields each event once."""

from __future__ import annotations

from collections import OrderedDict, deque
from collections.abc import Iterator
from typing import TYPE_CHECKING

from ._answer import error_of, object_of
from ._core import backoff
from ._errors import AbortError, ApiError, APIConnectionError, FundproofError
from ._io import run
from ._model import decode
from ._sse import SseParser
from ._transport import Abort, Response

if TYPE_CHECKING:
    from ._core import Core
    from ._operation import Call
    from ._options import RequestOptions
    from .types import FundproofEvent

#: Three heartbeats of the service. After a longer silence the stream connects again.
_SILENCE = 45.0
_REMEMBERED = 1_000
_DEFAULT_RETRY = 3.0
_MIN_PAUSE = 0.25
_MAX_PAUSE = 60.0


class Subscription:
    """Reads events, and reconnects after a broken connection."""

    def __init__(self, core: Core, call: Call, options: RequestOptions | None) -> None:
        self.last_event_id: str | None = None
        self.closed = False
        self._core = core
        self._call = call
        self._options: RequestOptions = {**(options or {}), "max_retries": 0}
        self._first_options = options
        self._abort = Abort()
        self._response: Response | None = None
        self._parser = SseParser()
        self._ready: deque[tuple[str, str | None]] = deque()
        self._seen: OrderedDict[str, None] = OrderedDict()
        self._retry = _DEFAULT_RETRY
        self._failures = 0
        self._connected = False

    @property
    def position(self) -> str | None:
        """The position at which a later stream continues."""
        return self.last_event_id or self._call.query.get("after")

    async def next(self) -> FundproofEvent | None:
        """Returns the next event, or None after ``close()``."""
        try:
            while not self.closed:
                while self._ready:
                    position, data = self._ready.popleft()
                    event = None if data is None else self._new(data)
                    self.last_event_id = position or self.last_event_id
                    if event is not None:
                        return event
                await self._read()
        except AbortError:
            if not self.closed:
                raise
        except BaseException:
            # The next call reconnects, and continues after the last returned event.
            self._ready.clear()
            self._drop()
            raise
        return None

    def close(self) -> None:
        """Ends the stream and closes its connection."""
        self.closed = True
        self._drop()

    async def _read(self) -> None:
        """Reads the next bytes. Connects first if necessary."""
        try:
            response = self._response or await self._connect()
            assert response.chunks is not None
            chunk = await self._core.io.read(response.chunks, self._abort)
        except (ApiError, APIConnectionError) as error:
            self._drop()
            if isinstance(error, AbortError) or not self._connected or _is_final(error):
                raise
            await self._pause(error)
            return
        if chunk:
            self._failures = 0
            self._take(chunk)
            return
        self._drop()
        await self._pause(None)

    async def _connect(self) -> Response:
        self._abort, self._parser = Abort(), SseParser()
        if self.closed:
            # `close` in another thread may have ended only the previous handle.
            self._abort.set()
        headers = {"last-event-id": self.last_event_id} if self.last_event_id else {}
        # The first connection is retried like any call. Later connections are retried without a
        # limit.
        options = self._options if self._connected else self._first_options
        response = await self._core.send(
            self._call, options, stream=(_SILENCE, headers), abort=self._abort
        )
        if response.chunks is None:
            # The answer is not from the service, but for example from a proxy.
            raise error_of(response, now=self._core.io.now(), attempts=1)
        self._response, self._connected = response, True
        return response

    def _take(self, chunk: bytes) -> None:
        for message in self._parser.feed(chunk):
            self._ready.append((message.id, message.data))
        if self._parser.last_event_id:
            self._ready.append((self._parser.last_event_id, None))
        if self._parser.retry_ms is not None:
            self._retry = max(_MIN_PAUSE, self._parser.retry_ms / 1_000)

    def _new(self, data: str) -> FundproofEvent | None:
        """Returns the event, or None if it has come before."""
        raw = object_of(data.encode("utf-8")) or {"data": data}
        if name := str(raw.get("id") or ""):
            if name in self._seen:
                return None
            self._seen[name] = None
            if len(self._seen) > _REMEMBERED:
                self._seen.popitem(last=False)
        return decode("FundproofEvent", raw)

    async def _pause(self, error: FundproofError | None) -> None:
        wait = min(self._retry, _MAX_PAUSE)
        if self._failures > 0:
            wait += backoff(self._failures, self._core.io.random())
        if isinstance(error, ApiError) and error.retry_after:
            if error.retry_after > self._core.defaults.max_retry_after:
                raise error
            wait = error.retry_after
        self._failures += 1
        if not self.closed:
            await self._core.io.sleep(wait)

    def _drop(self) -> None:
        response, self._response = self._response, None
        self._abort.set()
        if response is not None and response.chunks is not None:
            try:
                response.chunks.close()
            except ValueError:
                pass  # Another thread reads from the generator, and ends because of the abort.


def _is_final(error: FundproofError) -> bool:
    """Whether reconnecting cannot help."""
    if not isinstance(error, ApiError):
        return False
    return error.code == "too_many_streams" or (
        error.status < 500 and error.status not in (408, 429)
    )


class EventStream:
    """Events as they happen. Use it in a ``for`` loop, and store :attr:`last_event_id`."""

    def __init__(self, subscription: Subscription) -> None:
        self._subscription = subscription

    @property
    def last_event_id(self) -> str | None:
        """The position after the last event, at first ``after``. Pass it as ``after`` to continue
        there."""
        return self._subscription.position

    def __iter__(self) -> Iterator[FundproofEvent]:
        return self

    def __next__(self) -> FundproofEvent:
        event = run(self._subscription.next())
        if event is None:
            raise StopIteration
        return event

    def close(self) -> None:
        """Ends the stream, also from another thread."""
        self._subscription.close()

    def __enter__(self) -> EventStream:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


class AsyncEventStream:
    """Events as they happen. Use it in an ``async for`` loop, and store :attr:`last_event_id`."""

    def __init__(self, subscription: Subscription) -> None:
        self._subscription = subscription

    @property
    def last_event_id(self) -> str | None:
        """The position after the last event, at first ``after``. Pass it as ``after`` to continue
        there."""
        return self._subscription.position

    def __aiter__(self) -> AsyncEventStream:
        return self

    async def __anext__(self) -> FundproofEvent:
        event = await self._subscription.next()
        if event is None:
            raise StopAsyncIteration
        return event

    async def close(self) -> None:
        """Ends the stream."""
        self._subscription.close()

    async def __aenter__(self) -> AsyncEventStream:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()
