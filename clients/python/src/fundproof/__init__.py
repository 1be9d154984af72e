"""The client library of Fundproof: crowdfunding whose every credited cent is proven by a public
blockchain.

Nothing is imported before it is used, so that a program starts quickly.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from . import testing, types, webhooks
    from ._answer import RateLimit, ResponseInfo
    from ._async_client import AsyncFundproof
    from ._client import Fundproof
    from ._errors import (
        AbortError,
        APIConnectionError,
        ApiError,
        APITimeoutError,
        AuthenticationError,
        ConfigurationError,
        ConflictError,
        ErrorDetail,
        FundproofError,
        InvalidRequestError,
        LegalError,
        NotFoundError,
        PermissionDeniedError,
        RateLimitError,
        ServerError,
        WebhookVerificationError,
    )
    from ._generated.version import SPEC_VERSION, VERSION, __version__
    from ._http import HttpTransport
    from ._model import Unknown
    from ._options import CallEvent, RequestOptions
    from ._page import AsyncList, AsyncPage, Page
    from ._stream import AsyncEventStream, EventStream
    from ._tokens import TokenStore
    from ._transport import Request, Response, Transport
    from ._values import NOT_GIVEN, NotGiven

__all__ = [
    "NOT_GIVEN",
    "SPEC_VERSION",
    "VERSION",
    "APIConnectionError",
    "APITimeoutError",
    "AbortError",
    "ApiError",
    "AsyncEventStream",
    "AsyncFundproof",
    "AsyncList",
    "AsyncPage",
    "AuthenticationError",
    "CallEvent",
    "ConfigurationError",
    "ConflictError",
    "ErrorDetail",
    "EventStream",
    "Fundproof",
    "FundproofError",
    "HttpTransport",
    "InvalidRequestError",
    "LegalError",
    "NotFoundError",
    "NotGiven",
    "Page",
    "PermissionDeniedError",
    "RateLimit",
    "RateLimitError",
    "Request",
    "RequestOptions",
    "Response",
    "ResponseInfo",
    "ServerError",
    "TokenStore",
    "Transport",
    "Unknown",
    "WebhookVerificationError",
    "__version__",
    "testing",
    "types",
    "webhooks",
]

_MODULES = {
    "_answer": ("RateLimit", "ResponseInfo"),
    "_async_client": ("AsyncFundproof",),
    "_client": ("Fundproof",),
    "_generated.version": ("SPEC_VERSION", "VERSION", "__version__"),
    "_http": ("HttpTransport",),
    "_model": ("Unknown",),
    "_options": ("CallEvent", "RequestOptions"),
    "_page": ("AsyncList", "AsyncPage", "Page"),
    "_stream": ("AsyncEventStream", "EventStream"),
    "_tokens": ("TokenStore",),
    "_transport": ("Request", "Response", "Transport"),
    "_values": ("NOT_GIVEN", "NotGiven"),
}
_PLACES = {name: module for module, names in _MODULES.items() for name in names}


def __getattr__(name: str) -> Any:
    if name not in __all__:
        raise AttributeError(f"module 'fundproof' has no attribute {name!r}")
    if name in ("testing", "types", "webhooks"):
        return import_module(f"fundproof.{name}")
    # Every other public name is an error class.
    value = getattr(import_module(f"fundproof.{_PLACES.get(name, '_errors')}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return __all__
