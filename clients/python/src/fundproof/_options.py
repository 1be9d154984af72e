"""Options of a client and of a call, and the checks of a configuration."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from ipaddress import ip_address
from math import inf
from typing import Literal, TypedDict
from urllib.parse import urlsplit

from ._errors import ConfigurationError
from ._values import Secret

Environment = Literal["sandbox", "production"]

_KEY_WORDS = {"sandbox": "sandbox", "live": "production"}


class RequestOptions(TypedDict, total=False):
    """Options of one call."""

    #: Seconds for each attempt, up to the last byte of the answer. None: no limit.
    timeout: float | None
    max_retries: int
    #: Only for POST. Default: a new key for each call.
    idempotency_key: str
    headers: Mapping[str, str]


def check_options(options: RequestOptions) -> None:
    """Refuses misspelt and wrong options of a call. Raises ConfigurationError."""
    if unknown := set(options) - set(RequestOptions.__annotations__):
        raise ConfigurationError(f"There is no option {', '.join(sorted(unknown))} of a call.")
    check_limits(options.get("timeout"), options.get("max_retries", 0), 0)


def check_limits(timeout: float | None, max_retries: int, max_retry_after: float) -> None:
    """Refuses invalid limits such as NaN. Raises ConfigurationError."""
    if timeout is not None and not 0 < timeout < inf:
        raise ConfigurationError("timeout must be more than 0 seconds, or None.")
    if not max_retries >= 0 or not max_retry_after >= 0:
        raise ConfigurationError("max_retries and max_retry_after must be at least 0.")


@dataclass(frozen=True, slots=True)
class CallEvent:
    """The argument of ``on_request``, ``on_response`` and ``on_retry``. It never contains bodies or
    keys."""

    method: str
    path: str
    attempt: int
    status: int | None = None
    request_id: str | None = None
    #: The duration of the attempt, or in ``on_retry`` the pause before the next one.
    seconds: float | None = None


@dataclass(frozen=True, slots=True)
class Settings:
    """The checked configuration of a client."""

    environment: Environment
    base_url: str
    api_key: Secret | None = field(default=None, repr=False)


def read_settings(
    api_key: str | None,
    environment: str | None,
    base_url: str | None,
    *,
    signed_in: bool = False,
    allow_http: bool = False,
) -> Settings:
    """Completes options from environment variables and checks them.

    Raises ConfigurationError, which names the option and the variable.
    """
    key = None if signed_in else _given(api_key, "FUNDPROOF_API_KEY")
    key = None if key is None else Secret(key)
    of_key = _key_environment(key) if key is not None else None
    name = _given(environment, "FUNDPROOF_ENVIRONMENT") or of_key
    if name is None:
        raise ConfigurationError(
            "environment is missing: give 'sandbox' or 'production', or set FUNDPROOF_ENVIRONMENT."
        )
    if name != "sandbox" and name != "production":
        raise ConfigurationError(f"environment must be 'sandbox' or 'production', not {name!r}.")
    if of_key is not None and of_key != name:
        raise ConfigurationError(
            f"This API key belongs to the {of_key} environment, but environment is '{name}'."
        )
    url = _given(base_url, "FUNDPROOF_BASE_URL")
    if url is None:
        raise ConfigurationError(
            "base_url is missing: give the address of your service, or set FUNDPROOF_BASE_URL."
        )
    return Settings(name, _checked_url(url, allow_http), key)


def _given(value: str | None, variable: str) -> str | None:
    return value if value is not None else os.environ.get(variable) or None


def _key_environment(key: Secret) -> str:
    if not re.fullmatch(r"[\x21-\x7e]+", key):
        raise ConfigurationError("api_key is empty, or has a space or a line break.")
    found = re.match(r"fundproof_(sandbox|live)_", key)
    if not found:
        raise ConfigurationError("api_key must begin with fundproof_sandbox_ or fundproof_live_.")
    return _KEY_WORDS[found[1]]


def _checked_url(text: str, allow_http: bool) -> str:
    try:
        url = urlsplit(text)
        _ = url.port
    except ValueError:
        raise ConfigurationError("base_url is not an address.") from None
    if url.scheme not in ("http", "https") or not url.hostname:
        raise ConfigurationError("base_url must begin with https://.")
    if url.scheme == "http" and not allow_http and not _is_loopback(url.hostname):
        raise ConfigurationError(
            "base_url must begin with https://, except on this machine. In a private network, "
            "allow_http=True permits http://."
        )
    if url.username is not None or url.query or url.fragment or re.search(r"\s", text):
        raise ConfigurationError("base_url cannot have a user, a query, a fragment or a space.")
    return f"{url.scheme}://{url.netloc}{url.path.rstrip('/')}"


def _is_loopback(host: str) -> bool:
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"
