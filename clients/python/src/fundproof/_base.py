"""The part of a client that does not depend on sync or async."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING, Any, TypeVar

from ._core import Core, Defaults, Hook
from ._errors import ConfigurationError
from ._options import check_limits, read_settings
from ._values import NOT_GIVEN, NotGiven, Secret

if TYPE_CHECKING:
    from .types import Tokens
    from ._io import IO
    from ._options import Environment
    from ._tokens import TokenStore
    from ._transport import Transport

C = TypeVar("C", bound="BaseClient")


class BaseClient:
    """The options of a client, which are checked when it is made."""

    def __init__(
        self,
        api_key: str | None = None,
        environment: Environment | None = None,
        *,
        base_url: str | None = None,
        timeout: float | None = 30.0,
        max_retries: int = 2,
        max_retry_after: float = 60.0,
        transport: Transport | None = None,
        on_request: Hook | None = None,
        on_response: Hook | None = None,
        on_retry: Hook | None = None,
        tokens: Tokens | None = None,
        on_tokens: Callable[[Tokens], Any] | None = None,
        token_store: TokenStore | None = None,
        app_info: str | None = None,
        allow_http: bool = False,
        max_connections: int = 64,
    ) -> None:
        """Reads the options of a client.

        Args:
            api_key: Default: the environment variable ``FUNDPROOF_API_KEY``. Without a key and
                without tokens, you are a guest.
            environment: ``sandbox`` or ``production``. Default: ``FUNDPROOF_ENVIRONMENT``, or the
                environment of the key.
            base_url: The address of your service. Default: ``FUNDPROOF_BASE_URL``.
            timeout: Seconds for each attempt, up to the last byte of the answer. None: no limit.
            max_retries: How often a failed attempt is repeated.
            max_retry_after: The longest ``Retry-After``, in seconds, that is waited for.
            transport: Sends the requests; see :mod:`fundproof.testing`.
            on_request, on_response, on_retry: Called with a :class:`CallEvent`.
            tokens: The tokens of a sign-in, instead of a key. They are refreshed in time.
            on_tokens: Called with new tokens before they are used, so that you can store them.
            token_store: Keeps tokens that several processes share, in place of ``tokens``.
            app_info: Your program's name and version, added to ``User-Agent``.
            allow_http: Permits ``http://`` also to other machines, in a private network.
            max_connections: Only for AsyncFundproof: the requests and reads of streams that run
                at once. Others wait, and their wait counts in the timeout.
        """
        api_key = None if api_key is None else Secret(api_key)
        if sum(each is not None for each in (api_key, tokens, token_store)) > 1:
            raise ConfigurationError("Give one of api_key, tokens and token_store.")
        check_limits(timeout, max_retries, max_retry_after)
        if max_connections < 1:
            raise ConfigurationError("max_connections must be at least 1.")
        signed_in = tokens is not None or token_store is not None
        settings = read_settings(
            api_key, environment, base_url, signed_in=signed_in, allow_http=allow_http
        )
        if transport is None:
            from ._http import HttpTransport

            transport = HttpTransport()
        self._transport: Transport = transport
        self._io = self._make_io(transport, max_connections)
        keeper = None
        if signed_in:
            from ._tokens import TokenKeeper

            keeper = TokenKeeper(tokens, token_store, on_tokens, self._io.now())
        defaults = Defaults(
            timeout, max_retries, max_retry_after, on_request, on_response, on_retry, app_info
        )
        self._core = Core(self._io, settings, defaults, keeper)

    def _make_io(self, transport: Transport, max_connections: int) -> IO:
        raise NotImplementedError

    @property
    def environment(self) -> Environment:
        """``sandbox`` or ``production``."""
        return self._core.settings.environment

    @property
    def base_url(self) -> str:
        """The address of the service."""
        return self._core.settings.base_url

    def with_options(
        self: C,
        *,
        timeout: float | None | NotGiven = NOT_GIVEN,
        max_retries: int | NotGiven = NOT_GIVEN,
        max_retry_after: float | NotGiven = NOT_GIVEN,
    ) -> C:
        """Returns a copy with other options, which shares connections and tokens."""
        given = {
            "timeout": timeout,
            "max_retries": max_retries,
            "max_retry_after": max_retry_after,
        }
        changes: dict[str, Any] = {k: v for k, v in given.items() if v is not NOT_GIVEN}
        made = type(self).__new__(type(self))
        made._transport, made._io = self._transport, self._io
        defaults = replace(self._core.defaults, **changes)
        check_limits(defaults.timeout, defaults.max_retries, defaults.max_retry_after)
        made._core = replace(self._core, defaults=defaults)
        return made

    def __repr__(self) -> str:
        name = type(self).__name__
        if not hasattr(self, "_core"):
            return f"{name}()"
        return f"{name}(environment={self.environment!r}, base_url={self.base_url!r})"
