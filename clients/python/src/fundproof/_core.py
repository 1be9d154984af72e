"""Calls of the service: headers, retries, sign-in and reading answers."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, cast

from ._answer import content_of, error_of, info_of
from ._errors import ApiError, APIConnectionError, AbortError, FundproofError
from ._generated.version import VERSION
from ._io import IO
from ._model import Model, decode, encode
from ._operation import Call, Operation
from ._options import CallEvent, RequestOptions, Settings, check_options
from ._transport import Abort, Request, Response
from ._values import NOT_GIVEN, Secret, check_headers, path_of, query_of

if TYPE_CHECKING:
    from ._tokens import TokenKeeper

Hook = Callable[[CallEvent], object]

_RETRIED = frozenset((408, 429, 500, 502, 503, 504))
_RETRIED_CONFLICTS = frozenset(("idempotency_in_progress", "proof_not_ready"))


@dataclass(frozen=True, slots=True)
class Defaults:
    """The options of a client that one call may change, and its hooks."""

    timeout: float | None = 30.0
    max_retries: int = 2
    max_retry_after: float = 60.0
    on_request: Hook | None = None
    on_response: Hook | None = None
    on_retry: Hook | None = None
    app_info: str | None = None


@dataclass(frozen=True, slots=True)
class Core:
    """Sends calls and reads their answers."""

    io: IO
    settings: Settings
    defaults: Defaults
    tokens: TokenKeeper | None = None

    async def call(self, call: Call, options: RequestOptions | None = None) -> Any:
        """Sends a call and returns the content of its answer."""
        return read_answer(call.operation, await self.send(call, options))

    async def send(
        self,
        call: Call,
        options: RequestOptions | None = None,
        *,
        stream: tuple[float, dict[str, str]] | None = None,
        abort: Abort | None = None,
    ) -> Response:
        """Sends a call, and retries if that can help. ``stream``: the longest silence, and headers.
        """
        check_options(options or {})
        request = self._request(call, options or {}, abort or Abort())
        if stream:
            headers = {**request.headers, "accept": "text/event-stream", **stream[1]}
            request = replace(request, stream=True, silence=stream[0], headers=headers)
        limit = (options or {}).get("max_retries", self.defaults.max_retries)
        attempt, retries, renewed = 0, 0, 0
        path = request.url[len(self.settings.base_url) :].partition("?")[0]
        while True:
            attempt += 1
            signed, used = await self._sign(request, call)
            event = CallEvent(request.method, path, attempt)
            failure = await self._attempt(signed, event)
            if isinstance(failure, Response):
                return failure
            if isinstance(failure, ApiError):
                if failure.status == 404 and request.method == "DELETE" and retries > 0:
                    return Response(204, failure.headers)
                if failure.code == "invalid_token" and used and self.tokens and renewed < 2:
                    # The tokens of another process may have expired too.
                    renewed += 2 if await self.tokens.refresh(self, used) else 1
                    continue
            wait = self._wait(failure, retries, limit)
            if wait is None:
                raise failure
            retries += 1
            if self.defaults.on_retry:
                self.defaults.on_retry(replace(event, status=_status(failure), seconds=wait))
            await self.io.sleep(wait)

    def _request(self, call: Call, options: RequestOptions, abort: Abort) -> Request:
        operation, body = call.operation, call.body
        headers = {
            "accept": "application/json",
            "user-agent": user_agent(self.defaults.app_info),
            "prefer": "amounts=text",
        }
        if operation.method == "POST":
            headers["idempotency-key"] = options.get("idempotency_key") or new_key()
        if body is not None:
            headers["content-type"] = call.content_type
        if self.settings.api_key is not None:
            headers["x-api-key"] = self.settings.api_key
        for name, value in options.get("headers", {}).items():
            headers[name.lower()] = value
        check_headers(headers)
        path, query = path_of(operation.path, call.path), query_of(call.query)
        if query:
            path += ("&" if "?" in path else "?") + query
        return Request(
            method=operation.method,
            url=self.settings.base_url + path,
            headers=headers,
            body=json_bytes(body, operation.amounts) if isinstance(body, dict) else body,
            timeout=options.get("timeout", self.defaults.timeout),
            abort=abort,
        )

    async def _sign(self, request: Request, call: Call) -> tuple[Request, str | None]:
        if self.tokens is None or call.operation.path == "/api/auth/refresh":
            return request, None
        token = await self.tokens.access(self)
        headers = {**request.headers, "authorization": Secret(f"Bearer {token}")}
        return replace(request, headers=headers), token

    async def _attempt(self, request: Request, event: CallEvent) -> Response | FundproofError:
        if self.defaults.on_request:
            self.defaults.on_request(event)
        started = self.io.now()
        try:
            response = await self.io.send(request)
        except AbortError:
            raise
        except APIConnectionError as error:
            _log("%s %s: attempt %d failed: %s", event.method, event.path, event.attempt, error)
            return error
        seconds = self.io.now() - started
        request_id = response.headers.get("x-request-id")
        _log("%s %s: %d, request %s", event.method, event.path, response.status, request_id)
        if self.defaults.on_response:
            done = replace(event, status=response.status, request_id=request_id, seconds=seconds)
            self.defaults.on_response(done)
        if 200 <= response.status < 300:
            return response
        return error_of(response, now=self.io.now(), attempts=event.attempt)

    def _wait(self, failure: FundproofError, retries: int, limit: int) -> float | None:
        """Returns the seconds to wait, or None if the call must not be repeated."""
        if retries >= limit:
            return None
        if isinstance(failure, ApiError):
            if not may_pass(failure):
                return None
            if failure.retry_after:
                fits = failure.retry_after <= self.defaults.max_retry_after
                return failure.retry_after if fits else None
        return backoff(retries, self.io.random())


def backoff(retries: int, random: float) -> float:
    """The pause before a retry: 0.5 s, 1 s, 2 s and so on, at most 8 s, and up to a half shorter.
    """
    return min(8.0, 0.5 * 2 ** min(retries, 10)) * (0.5 + random / 2)


def read_answer(operation: Operation, response: Response) -> Any:
    """Returns the content of an answer."""
    if operation.answer == "none" or (operation.method == "DELETE" and response.status == 204):
        return None
    if operation.answer in ("file", "csv"):
        if "html" in response.headers.get("content-type", ""):
            raise error_of(response, now=0, attempts=1)
        return response.body if operation.answer == "file" else response.body.decode("utf-8")
    content: Any = content_of(response)
    if operation.answer == "content":
        if operation.wire not in content:
            raise error_of(response, now=0, attempts=1)
        content = content[operation.wire]
    made = decode(operation.kind, content)
    if isinstance(made, Model):
        object.__setattr__(made, "_response", info_of(response))
    return made


def json_bytes(fields: dict[str, Any], amounts: tuple[str, ...] = ()) -> bytes:
    """Makes the JSON of a request. Leaves out fields that were not given."""
    given = {
        name: encode(value, "amount" if name in amounts else "")
        for name, value in fields.items()
        if value is not NOT_GIVEN
    }
    return json.dumps(given, ensure_ascii=False, separators=(",", ":")).encode("utf-8")


def user_agent(app_info: str | None = None) -> str:
    """Names this library, the interpreter and the system."""
    python = ".".join(str(part) for part in sys.version_info[:3])
    text = f"fundproof-python/{VERSION} (Python {python}; {sys.platform})"
    return f"{text} {app_info}" if app_info else text


def _status(failure: FundproofError) -> int | None:
    return failure.status if isinstance(failure, ApiError) else None


def may_pass(error: ApiError) -> bool:
    """Whether the same request may succeed later."""
    if error.status == 409:
        return error.code in _RETRIED_CONFLICTS
    return error.status in _RETRIED


def new_key() -> str:
    """Makes an idempotency key."""
    from uuid import uuid4

    return f"auto_{uuid4()}"


def _log(message: str, *values: object) -> None:
    """Logs only if the program has imported ``logging``, to avoid the import."""
    logging = cast(Any, sys.modules.get("logging"))
    if logging is not None:
        logging.getLogger("fundproof").debug(message, *values)
