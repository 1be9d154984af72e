"""The errors of the library: one tree, with :class:`FundproofError` as its root."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

if TYPE_CHECKING:
    from ._answer import RateLimit

WebhookReason = Literal[
    "no_signature", "bad_timestamp", "too_old", "too_new", "no_match", "not_raw", "bad_secret"
]


class FundproofError(Exception):
    """The root of all errors of this library."""

    def __reduce__(self) -> tuple[Any, ...]:
        # Copies and pickles keep all fields, and do not call the constructor.
        return _restored, (type(self), self.args), self.__dict__


def _restored(kind: type[FundproofError], args: tuple[object, ...]) -> FundproofError:
    return kind.__new__(kind, *args)


class ConfigurationError(FundproofError):
    """An option is missing or wrong. Nothing was sent."""


class APIConnectionError(FundproofError):
    """The service could not be reached, or the connection broke before the whole answer came."""


class APITimeoutError(APIConnectionError):
    """The whole answer did not come in time. After ``wait_for``: ``last`` is the last donation."""

    def __init__(self, message: str, last: Any = None) -> None:
        super().__init__(message)
        self.last = last


class AbortError(APIConnectionError):
    """The program ended the call, for example by ``close()``."""


class ErrorDetail(NamedTuple):
    """One refused field, and the reason."""

    path: str
    message: str


class ApiError(FundproofError):
    """The service refused the request. Switch on ``code``: later versions may add codes.

    ``code`` is None if no answer of the service came, but a page of a proxy, a redirect, or an
    empty or cut answer. Then ``message`` says what came.
    """

    def __init__(
        self,
        message: str,
        *,
        status: int,
        code: str | None,
        request_id: str | None = None,
        details: Sequence[ErrorDetail] = (),
        requires: str | None = None,
        retry_after: float | None = None,
        headers: Mapping[str, str] | None = None,
        rate_limit: RateLimit | None = None,
        attempts: int = 1,
    ) -> None:
        super().__init__(message)
        self.message = message
        self.status = status
        self.code = code
        self.request_id = request_id
        self.details = tuple(details)
        self.requires = requires
        #: Seconds to wait, from the header ``Retry-After``.
        self.retry_after = retry_after
        self.headers: Mapping[str, str] = headers or {}
        self.rate_limit = rate_limit
        self.attempts = attempts

    def __str__(self) -> str:
        place = f"{self.status} {self.code}" if self.code else str(self.status)
        if self.request_id:
            place += f", request {self.request_id}"
        return f"{self.message} ({place})"


class InvalidRequestError(ApiError):
    """400, 413, 415 or 422: the request is wrong."""


class AuthenticationError(ApiError):
    """401: the key or token is missing, wrong or expired."""


class PermissionDeniedError(ApiError):
    """403: the caller may not do this."""


class NotFoundError(ApiError):
    """404 or 405: the resource does not exist, or the caller may not see it."""


class ConflictError(ApiError):
    """409: the state of the resource does not allow the request."""


class RateLimitError(ApiError):
    """429: too many requests. ``retry_after`` says how many seconds to wait."""


class LegalError(ApiError):
    """451: blocked for legal reasons."""


class ServerError(ApiError):
    """5xx: the service has an error, or is not available."""


class WebhookVerificationError(FundproofError):
    """The webhook is not genuine, or is too old. ``reason`` is a stable word for programs."""

    def __init__(self, reason: WebhookReason, message: str) -> None:
        super().__init__(message)
        self.reason: WebhookReason = reason


_CLASSES: dict[int, type[ApiError]] = {
    400: InvalidRequestError,
    401: AuthenticationError,
    403: PermissionDeniedError,
    404: NotFoundError,
    405: NotFoundError,
    409: ConflictError,
    413: InvalidRequestError,
    415: InvalidRequestError,
    422: InvalidRequestError,
    429: RateLimitError,
    451: LegalError,
}


def error_class(status: int) -> type[ApiError]:
    """Returns the error class of an HTTP status."""
    return ServerError if status >= 500 else _CLASSES.get(status, ApiError)
