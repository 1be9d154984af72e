"""Facts about an answer: its status, request id and limits. Reads errors from answers."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from decimal import Decimal
from keyword import iskeyword
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
    """Facts about an answer, without its content."""

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


def content_of(response: Response, attempts: int = 1) -> dict[str, Any]:
    """Returns the JSON object of an answer. Raises ApiError for another body."""
    content = object_of(response.body)
    if content is None:
        raise error_of(response, now=0, attempts=attempts)
    return content


def error_of(response: Response, *, now: float, attempts: int) -> ApiError:
    """Makes the error of a refusal. If the body is not from the service, the message has its first
    200 characters."""
    body = object_of(response.body) or {}
    message, code = body.get("error"), body.get("code")
    if not isinstance(message, str) or not isinstance(code, str):
        body, code = {}, None
        message = _shown(response)
    details = body.get("details")
    return error_class(response.status)(
        message,
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
    """Parses a JSON object, with exact numbers. Returns None for other text."""
    content = _json_of(body)
    return cast("dict[str, Any]", content) if isinstance(content, dict) else None


def _json_of(body: bytes) -> Any:
    try:
        return json.loads(body, parse_float=Decimal, parse_constant=_refuse)
    except (ValueError, ArithmeticError, RecursionError):
        return None


def _refuse(text: str) -> None:
    raise ValueError(f"{text} is not JSON.")


def _shown(response: Response) -> str:
    """Describes an answer that is not from the service, and quotes its first characters."""
    text = response.body.decode("utf-8", "replace")[:_SHOWN]
    place = response.headers.get("location", "")[:_SHOWN]
    if place and 300 <= response.status < 400:
        hint = f"A redirect to {place} came, which is not followed. Is base_url right?"
        return f"{hint} {text}".strip()
    if not text.strip():
        return "An empty answer came."
    if "html" in response.headers.get("content-type", "") or text.lstrip().startswith("<"):
        kind = "A web page"
    elif text.lstrip()[0] not in "[{":
        kind = "A text"
    else:
        kind = "Broken or cut JSON" if _json_of(response.body) is None else "JSON"
    return f"{kind} came in place of an answer of Fundproof, perhaps from a proxy: {text}"


def _text(value: Any) -> str | None:
    return value if isinstance(value, str) else None


def _details(details: list[Any]) -> list[ErrorDetail]:
    found: list[ErrorDetail] = []
    for each in details:
        if isinstance(each, dict):
            detail = cast("dict[str, Any]", each)
            path = ".".join(map(_argument, str(detail.get("path", "")).split(".")))
            found.append(ErrorDetail(path, str(detail.get("message", ""))))
    return found


def _argument(wire: str) -> str:
    """The Python name of a field: ``txHash`` is ``tx_hash``."""
    name = re.sub("[A-Z]", lambda letter: f"_{letter[0].lower()}", wire)
    return f"{name}_" if iskeyword(name) else name
