"""Tokens of a sign-in: refreshed in time, by one request at once."""

from __future__ import annotations

import re
from collections.abc import Callable
from contextvars import ContextVar
from typing import TYPE_CHECKING, Any

from ._core import may_pass, new_key
from ._errors import ApiError, ConfigurationError, FundproofError
from ._operation import Call, Operation

if TYPE_CHECKING:
    from ._core import Core
    from .types import Tokens

_REFRESH = Operation("refresh", "POST", "/api/auth/refresh", "content", "tokens", "Tokens")
#: A token is refreshed this many seconds before its end.
_EARLY = 30.0
#: The refresh that the running code is a part of, also in tasks that this code starts.
_refresh: ContextVar[object | None] = ContextVar("_refresh", default=None)


class TokenKeeper:
    """Holds the newest tokens. A refresh token works once, so only one refresh may run."""

    def __init__(
        self, tokens: Tokens, on_tokens: Callable[[Tokens], Any] | None, now: float
    ) -> None:
        self._tokens = _checked(tokens)
        self._on_tokens = on_tokens
        self._ends = now + tokens.expires
        #: The idempotency key of the refresh, the same until it succeeds or is refused.
        self._key: str | None = None
        self._running: object | None = None

    async def access(self, core: Core) -> str:
        """Returns an access token that is valid for a while."""
        used = self._tokens.access_token
        if core.io.now() >= self._ends - min(_EARLY, self._tokens.expires / 2):
            await self.refresh(core, used)
        return self._tokens.access_token

    async def refresh(self, core: Core, used: str) -> None:
        """Replaces the token ``used``, unless another call has done so meanwhile."""
        if self._running is not None and _refresh.get() is self._running:
            raise FundproofError("on_tokens and hooks cannot use the client during a refresh.")
        await core.io.lock()
        self._running = object()
        mark = _refresh.set(self._running)
        try:
            if self._tokens.access_token != used:
                return
            call = Call(_REFRESH, body={"refreshToken": self._tokens.refresh_token})
            self._key = self._key or new_key()
            try:
                tokens = _checked(await core.call(call, {"idempotency_key": self._key}))
            except ApiError as error:
                # Without a code, the answer is of a proxy, or is cut off.
                if error.code is not None and not may_pass(error):
                    self._key = None
                raise
            self._key = None
            try:
                if self._on_tokens:
                    stored = self._on_tokens(tokens)
                    if hasattr(stored, "__await__"):
                        await stored
            finally:
                # The old pair is used up, even if the new one could not be stored.
                self._tokens, self._ends = tokens, core.io.now() + tokens.expires
        finally:
            self._running = None
            _refresh.reset(mark)
            core.io.unlock()


def _checked(tokens: Tokens) -> Tokens:
    token: Any = tokens.access_token
    if not isinstance(token, str) or not re.fullmatch(r"[\x21-\x7e]+", token):
        raise ConfigurationError("access_token is empty, or has a space or a wrong character.")
    return tokens
