"""Tokens of a sign-in. They are refreshed in time, by only one request, also among processes."""

from __future__ import annotations

import re
from collections.abc import Callable
from contextlib import AbstractContextManager
from contextvars import ContextVar
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Protocol, cast

from ._core import may_pass, new_key
from ._errors import ApiError, ConfigurationError, FundproofError
from ._operation import Call, Operation
from ._values import Secret

if TYPE_CHECKING:
    from ._core import Core
    from .types import Tokens

_REFRESH = Operation("refresh", "POST", "/api/auth/refresh", "content", "tokens", "Tokens")
#: A token is refreshed this many seconds before its end.
_EARLY = 30.0
#: The refresh in which the running code takes part, also in tasks that it starts.
_refresh: ContextVar[object | None] = ContextVar("_refresh", default=None)


class TokenStore(Protocol):
    """Stores the tokens of a sign-in that several processes share. The methods may block. The async
    client calls them in threads, so ``lock`` may be released in another thread than the one that
    took it."""

    def lock(self) -> AbstractContextManager[Any]:
        """Returns a lock for ``with``. Only one process holds the lock at a time, during a refresh.
        """
        ...

    def load(self) -> Tokens | None:
        """Returns the tokens that were saved last."""
        ...

    def save(self, tokens: Tokens, /) -> Any:
        """Replaces the old tokens, which are used up."""
        ...


class TokenKeeper:
    """Holds the newest tokens. Only one refresh may run, because a refresh token works once."""

    def __init__(
        self,
        tokens: Tokens | None,
        store: TokenStore | None,
        on_tokens: Callable[[Tokens], Any] | None,
        now: float,
    ) -> None:
        self._store = store
        self._on_tokens = on_tokens
        self._running: set[object] = set()
        self._tokens: Tokens | None = None
        #: The access token that the newest pair has replaced.
        self._replaced: str | None = None
        if tokens is not None:
            self._take(_hidden(tokens), now)

    async def access(self, core: Core) -> str:
        """Returns an access token that does not expire soon."""
        tokens = self._tokens
        if tokens is None:
            await self.refresh(core, None)
        elif core.io.now() >= self._ends - min(_EARLY, tokens.expires / 2):
            await self.refresh(core, tokens.access_token)
        return cast("Tokens", self._tokens).access_token

    async def refresh(self, core: Core, used: str | None) -> bool:
        """Replaces the access token ``used``. Returns False if no request was needed, because
        another call or process has already replaced it."""
        if _refresh.get() in self._running:
            raise FundproofError("on_tokens and hooks cannot use the client during a refresh.")
        await core.io.lock()
        running = object()
        self._running.add(running)
        mark = _refresh.set(running)
        try:
            if self._tokens is not None and self._tokens.access_token != used:
                return False
            if self._store is None:
                await self._renew(core, self._tokens)
                return True
            async with core.io.hold(self._store.lock()):
                stored = await core.io.work(self._store.load)
                # After a failed save, the store still has the old pair, which is used up.
                if stored is not None and stored.access_token not in (used, self._replaced):
                    # Another process has refreshed, or the user has signed in again.
                    self._take(_hidden(stored), core.io.now())
                    return False
                await self._renew(core, self._tokens)
                return True
        finally:
            self._running.remove(running)
            _refresh.reset(mark)
            core.io.unlock()

    async def _renew(self, core: Core, old: Tokens | None) -> None:
        if old is None:
            raise ConfigurationError("token_store is empty: save the tokens of a sign-in.")
        call = Call(_REFRESH, body={"refreshToken": old.refresh_token})
        self._key = self._key or new_key()
        try:
            tokens: Tokens = await core.call(call, {"idempotency_key": self._key})
        except ApiError as error:
            # Without a code the answer is from a proxy, or is cut off.
            if error.code is not None and not may_pass(error):
                self._key = None
            raise
        hidden, store = _hidden(tokens), self._store
        try:
            if store is not None:
                await core.io.work(lambda: store.save(tokens))
            if self._on_tokens:
                stored = self._on_tokens(tokens)
                if hasattr(stored, "__await__"):
                    await stored
        finally:
            # The old pair is used up, even if the new one could not be stored.
            self._replaced = old.access_token
            self._take(hidden, core.io.now())

    def _take(self, tokens: Tokens, now: float) -> None:
        #: The idempotency key of the refresh. It stays the same until the refresh succeeds or is
        #: refused.
        self._key: str | None = None
        self._ends = now + tokens.expires
        self._tokens = tokens


def _hidden(tokens: Tokens) -> Tokens:
    """Hides tokens from tracebacks. Raises ConfigurationError for invalid tokens."""
    token: Any = tokens.access_token
    token = Secret(token) if isinstance(token, str) else token
    if not isinstance(token, str) or not re.fullmatch(r"[\x21-\x7e]+", token):
        raise ConfigurationError("access_token is empty, or has a space or a wrong character.")
    return replace(tokens, access_token=token, refresh_token=Secret(tokens.refresh_token))
