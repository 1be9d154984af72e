"""Calls the scripted server, which drops, stalls, truncates and redirects."""

from __future__ import annotations

import asyncio
import os
import sys
import time
from collections.abc import Callable, Coroutine
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from fundproof import (
    ApiError,
    APITimeoutError,
    AsyncFundproof,
    Fundproof,
    PermissionDeniedError,
)
from fundproof.types import Tokens

ID = "0199a1b2-c3d4-7e5f-8a6b-7c8d9e0f1a2b"
BASE_URL = os.environ["FUNDPROOF_BASE_URL"]
IMPATIENT: dict[str, Any] = {"timeout": 0.5, "max_retries": 0}


def client(scenario: str, **options: Any) -> Fundproof:
    """A new sync client for a scenario."""
    return Fundproof(base_url=f"{BASE_URL}/{scenario}", **options)


def async_client(scenario: str, **options: Any) -> AsyncFundproof:
    """A new async client for a scenario."""
    return AsyncFundproof(base_url=f"{BASE_URL}/{scenario}", **options)


def expect(condition: bool, message: object) -> None:
    """Fails unless ``condition`` is true."""
    if not condition:
        raise AssertionError(message)


def error_of(call: Callable[[], object]) -> Exception:
    """The error of a call, which must fail."""
    try:
        result = call()
    except Exception as error:
        return error
    raise AssertionError(f"no error, but {result}")


async def error_in(call: Coroutine[Any, Any, object]) -> Exception:
    """The error of an async call, which must fail."""
    try:
        result = await call
    except Exception as error:
        return error
    raise AssertionError(f"no error, but {result}")


def posts(scenario: str, times: int = 1) -> None:
    """Makes wallets, with one client after the other."""
    with client(scenario) as fundproof:
        for _ in range(times):
            address = fundproof.sandbox.create_wallet().address
            expect(address.startswith("0x"), address)


def is_late(error: Exception, started: float) -> None:
    """Expects a timeout within five seconds."""
    expect(type(error) is APITimeoutError, repr(error))
    expect(time.monotonic() - started < 5, "the timeout came too late")


def stalls(scenario: str) -> None:
    started = time.monotonic()
    with client(scenario, **IMPATIENT) as fundproof:
        is_late(error_of(lambda: fundproof.milestones.get(ID)), started)


def refuses(scenario: str, status: int) -> None:
    with client(scenario) as fundproof:
        error = error_of(lambda: fundproof.milestones.get(ID))
    expect(type(error) is ApiError and error.status == status, repr(error))


def chunks() -> None:
    with client("chunks") as fundproof:
        address = fundproof.sandbox.create_wallet().address
    expect(address == "Zoë ☂ 𝄞", address)


def pages() -> None:
    with client("pages") as fundproof:
        names = [key.name for key in fundproof.keys.list()]
    expect(names == [f"key {i}" for i in range(1, 31)], names)


def stream() -> None:
    numbers: list[str] = []
    with client("stream") as fundproof, fundproof.events.stream() as events:
        for event in events:
            if event.event == "user.verified":
                numbers.append(event.data.user_id[-1])
            if len(numbers) == 5:
                break
    expect(numbers == ["1", "2", "3", "4", "5"], numbers)


def stream_refused() -> None:
    with client("stream-refused") as fundproof:
        error = error_of(lambda: next(iter(fundproof.events.stream())))
    expect(type(error) is PermissionDeniedError, repr(error))


def refresh() -> None:
    stored: list[Tokens] = []
    tokens = Tokens(access_token="old", refresh_token="refresh-1", expires=900)
    with client("refresh", tokens=tokens, on_tokens=stored.append) as fundproof:
        with ThreadPoolExecutor(2) as threads:
            wallets = list(threads.map(lambda _: fundproof.sandbox.create_wallet(), range(2)))
    expect(all(wallet.address.startswith("0x") for wallet in wallets), wallets)
    found = [(each.access_token, each.refresh_token) for each in stored]
    expect(found == [("new", "refresh-2")], found)


SYNC: dict[str, Callable[[], None]] = {
    "drop-before": lambda: posts("drop-before"),
    "drop-within": lambda: posts("drop-within"),
    "drop-after": lambda: posts("drop-after", 3),
    "stall-head": lambda: stalls("stall-head"),
    "stall-body": lambda: stalls("stall-body"),
    "drip": lambda: stalls("drip"),
    "truncated": lambda: refuses("truncated", 200),
    "chunks": chunks,
    "retry-date": lambda: posts("retry-date"),
    "redirect": lambda: refuses("redirect", 302),
    "pages": pages,
    "stream": stream,
    "stream-refused": stream_refused,
    "refresh": refresh,
}


async def async_posts(scenario: str, times: int = 1) -> None:
    async with async_client(scenario) as fundproof:
        for _ in range(times):
            address = (await fundproof.sandbox.create_wallet()).address
            expect(address.startswith("0x"), address)


async def async_stalls(scenario: str) -> None:
    started = time.monotonic()
    async with async_client(scenario, **IMPATIENT) as fundproof:
        is_late(await error_in(fundproof.milestones.get(ID)), started)


async def async_refuses(scenario: str, status: int) -> None:
    async with async_client(scenario) as fundproof:
        error = await error_in(fundproof.milestones.get(ID))
    expect(type(error) is ApiError and error.status == status, repr(error))


async def async_chunks() -> None:
    async with async_client("chunks") as fundproof:
        address = (await fundproof.sandbox.create_wallet()).address
    expect(address == "Zoë ☂ 𝄞", address)


async def async_pages() -> None:
    async with async_client("pages") as fundproof:
        names = [key.name async for key in fundproof.keys.list()]
    expect(names == [f"key {i}" for i in range(1, 31)], names)


async def async_stream() -> None:
    numbers: list[str] = []
    async with async_client("stream") as fundproof, fundproof.events.stream() as events:
        async for event in events:
            if event.event == "user.verified":
                numbers.append(event.data.user_id[-1])
            if len(numbers) == 5:
                break
    expect(numbers == ["1", "2", "3", "4", "5"], numbers)


async def async_stream_refused() -> None:
    async with async_client("stream-refused") as fundproof:
        error = await error_in(fundproof.events.stream().__anext__())
    expect(type(error) is PermissionDeniedError, repr(error))


async def async_refresh() -> None:
    stored: list[Tokens] = []

    async def store(tokens: Tokens) -> None:
        stored.append(tokens)

    tokens = Tokens(access_token="old", refresh_token="refresh-1", expires=900)
    async with async_client("refresh", tokens=tokens, on_tokens=store) as fundproof:
        create = fundproof.sandbox.create_wallet
        wallets = await asyncio.gather(create(), create())
    expect(all(wallet.address.startswith("0x") for wallet in wallets), wallets)
    found = [(each.access_token, each.refresh_token) for each in stored]
    expect(found == [("new", "refresh-2")], found)


ASYNC: dict[str, Callable[[], Coroutine[Any, Any, None]]] = {
    "drop-before": lambda: async_posts("drop-before"),
    "drop-within": lambda: async_posts("drop-within"),
    "drop-after": lambda: async_posts("drop-after", 3),
    "stall-head": lambda: async_stalls("stall-head"),
    "stall-body": lambda: async_stalls("stall-body"),
    "drip": lambda: async_stalls("drip"),
    "truncated": lambda: async_refuses("truncated", 200),
    "chunks": async_chunks,
    "retry-date": lambda: async_posts("retry-date"),
    "redirect": lambda: async_refuses("redirect", 302),
    "pages": async_pages,
    "stream": async_stream,
    "stream-refused": async_stream_refused,
    "refresh": async_refresh,
}


def main(kind: str) -> None:
    """Runs the scenarios with the client of this kind."""
    for step in SYNC:
        try:
            if kind == "async":
                asyncio.run(ASYNC[step]())
            else:
                SYNC[step]()
        except Exception as error:
            print(f"{step}: {type(error).__name__}: {error}", file=sys.stderr)
            raise
        print(f"ok {step}", flush=True)


if __name__ == "__main__":
    main("sync")
