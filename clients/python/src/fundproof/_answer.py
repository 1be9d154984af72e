"""Facts about an answer: its status, request id and limits. Reads errors from answers."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from decimal import Decimal
from typing import TYPE_CHECKING, Any, NamedTuple, cast

from ._errors import ApiError, ErrorDetail, error_class

if TYPE_CHECKING:
    from ._transport import Response

_RATE_LIMIT = re.compile(r";r=(\d+);t=(\d+)")
_SHOWN = 200


class RateLimit(NamedTuple):
    """The requests that are left, and the seconds until the limit is reset."""

    remaining: int
    reset: int


class ResponseInfo(NamedTuple):
    """Facts about an answer, beside its content."""

    status: int
    request_id: str | None
    #: Whether this is the stored answer of an earlier request with the same idempotency key.
    replayed: bool
    rate_limit: RateLimit | None
    headers: Mapping[str, str]


def rate_limit_of(headers: Mapping[str, str]) -> RateLimit | None:
    """Reads the header ``RateLimit``."""
    found = _RATE_LIMIT.search(headers.get("ratelimit", ""))
    return RateLimit(int(found[1]), int(found[2])) if found else None


def info_of(response: Response) -> ResponseInfo:
    """Collects the facts of an answer."""
    headers = response.headers
    return ResponseInfo(
        status=response.status,
        request_id=headers.get("x-request-id"),
        replayed=headers.get("idempotent-replayed") == "true",
        rate_limit=rate_limit_of(headers),
        headers=headers,
    )


def retry_after_of(header: str | None, now: float) -> float | None:
    """Reads ``Retry-After``, as seconds or as a date. Returns seconds from ``now``, at least 0."""
    text = (header or "").strip()
    if re.fullmatch(r"[0-9]+", text):
        return float(text)
    if not re.match(r"[A-Za-z]{3,9}, ", text):
        return None
    from email.utils import parsedate_to_datetime

    try:
        return max(0.0, parsedate_to_datetime(text).timestamp() - now)
    except (ValueError, TypeError):
        return None


def parse_json(body: bytes) -> Any:
    """Parses JSON with exact numbers. Raises ValueError for other text."""
    return json.loads(body, parse_float=Decimal)


def content_of(response: Response, attempts: int = 1) -> dict[str, Any]:
    """Returns the JSON object of an answer. Raises ApiError if it is not one."""
    content = object_of(response.body)
    if content is None:
        raise error_of(response, now=0, attempts=attempts)
    return content


def error_of(response: Response, *, now: float, attempts: int) -> ApiError:
    """Makes the error of a refusal. A body that is not of the service is shown, up to 200
    characters."""
    body = object_of(response.body) or {}
    message, code = body.get("error"), body.get("code")
    if not isinstance(message, str) or not isinstance(code, str):
        body, code = {}, None
        message = response.body.decode("utf-8", "replace")[:_SHOWN]
    details = body.get("details")
    return error_class(response.status)(
        message or f"The service answered {response.status}.",
        status=response.status,
        code=code,
        request_id=_text(body.get("requestId")) or response.headers.get("x-request-id"),
        details=_details(cast("list[Any]", details) if isinstance(details, list) else []),
        requires=_text(body.get("requires")),
        retry_after=retry_after_of(response.headers.get("retry-after"), now),
        headers=response.headers,
        rate_limit=rate_limit_of(response.headers),
        attempts=attempts,
    )


def object_of(body: bytes) -> dict[str, Any] | None:
    """Parses a JSON object. Returns None for other text."""
    try:
        content = parse_json(body)
    except ValueError:
        return None
    return cast("dict[str, Any]", content) if isinstance(content, dict) else None


def _text(value: Any) -> str | None:
    return value if isinstance(value, str) else None


def _details(details: list[Any]) -> list[ErrorDetail]:
    found: list[ErrorDetail] = []
    for each in details:
        if isinstance(each, dict):
            detail = cast("dict[str, Any]", each)
            found.append(ErrorDetail(str(detail.get("path", "")), str(detail.get("message", ""))))
    return found
