"""Runs the cases of a file against a faulty server, and prints the outcome of each case as a line
of JSON (see test/clients/README.md)."""

from __future__ import annotations

import asyncio
import json
import re
import sys
from base64 import b64decode
from concurrent.futures import ThreadPoolExecutor
from inspect import isawaitable
from threading import Lock
from typing import Any

from fundproof import AsyncFundproof, Fundproof, webhooks
from fundproof.types import Tokens

ID = "0199a1b2-c3d4-7e5f-8a6b-7c8d9e0f1a2b"
Case = dict[str, Any]
# Without a lock, threads that write at the same time can mix or lose lines.
WRITING = Lock()


def begin(client: Any, case: Case) -> Any:
    """Makes the call of a case. Returns a result, a list, or an awaitable of one of them."""
    options = case.get("options", {})
    key = options.get("idempotencyKey")
    calls = {
        "read": lambda: client.milestones.get(ID),
        "post": lambda: client.sandbox.create_wallet(options={"idempotency_key": key} if key else {}),
        "delete": lambda: client.webhooks.delete(ID),
        "wait": lambda: client.donations.wait_for(ID, timeout=options.get("wait", 10)),
        "list": lambda: client.keys.list(),
        "stream": lambda: client.events.stream(),
        "new": lambda: None,
    }
    return calls[case["call"]]()


def read(call: str, item: Any) -> Any:
    """The part of a result, or of an item, that the table contains."""
    if call == "stream":
        data = item.raw["data"]
        return data["userId"][-1] if isinstance(data, dict) else item.raw["event"]
    names = {"read": "id", "post": "address", "wait": "status", "list": "name"}
    return getattr(item, names[call]) if call in names else None


def verified(case: Case) -> Case:
    raw = b64decode(case["body"])
    limits = {"tolerance": float(case["tolerance"])} if "tolerance" in case else {}
    body: Any = json.loads(raw) if case.get("parsed") else raw
    event = webhooks.verify(body, case["headers"], case["secrets"], now=case["now"], **limits)
    return {"result": "ok", "raw": json.dumps(dict(event.raw))}


async def value_of(client: Any, case: Case) -> Any:
    call, found = case["call"], begin(client, case)
    if call not in ("list", "stream"):
        return read(call, await found if isawaitable(found) else found)
    values: list[Any] = []
    if hasattr(found, "__aiter__"):
        async for item in found:
            values.append(read(call, item))
            if len(values) == case.get("take"):
                break
    else:
        for item in found:
            values.append(read(call, item))
            if len(values) == case.get("take"):
                break
    return values


async def once(make: Any, case: Case) -> Case:
    """Returns the outcome of one call."""
    try:
        if case["call"] == "verify":
            return verified(case)
        return {"result": "ok", "value": await value_of(make(), case)}
    except Exception as error:
        name = type(error).__name__.removeprefix("API").replace("Denied", "")
        name = "ApiError" if name == "Error" else name
        found = {key: getattr(error, key, None) for key in ("status", "code")}
        return {"result": getattr(error, "reason", name), "message": str(error), **found}


async def cancelled(call: Any, seconds: float | None) -> Case:
    task = asyncio.ensure_future(call)
    if seconds is not None:
        asyncio.get_running_loop().call_later(seconds, task.cancel) if seconds else task.cancel()
    try:
        return await task
    except asyncio.CancelledError:
        return {"result": "AbortError"}


async def play(kind: type[Any], case: Case) -> None:
    stored: list[list[str]] = []
    made: list[Any] = []

    def make() -> Any:
        if made:
            return made[0]
        ours = ("wait", "idempotencyKey")
        given = {k: v for k, v in case.get("options", {}).items() if k not in ours}
        if "tokens" in case:
            tokens = {"expires": 900, **case["tokens"]}
            given["tokens"] = Tokens(**{snake(name): value for name, value in tokens.items()})
        given = {"baseUrl": case["baseUrl"], **given}
        options = {snake(name): value for name, value in given.items()}
        made.append(kind(on_tokens=lambda t: stored.append([t.access_token, t.refresh_token]), **options))
        return made[0]

    calls: list[Case] = []
    at_once = case.get("atOnce", 1)
    for _ in range(case.get("times", 1)):
        if kind is AsyncFundproof:
            seconds = case.get("cancelAfter")
            calls += await asyncio.gather(
                *(cancelled(once(make, case), seconds) for _ in range(at_once))
            )
        else:
            with ThreadPoolExecutor(at_once) as threads:
                calls += threads.map(lambda _: asyncio.run(once(make, case)), range(at_once))
    line = {"name": case["name"], "calls": calls, "stored": stored}
    with WRITING:
        sys.stdout.write(json.dumps(line, default=str) + "\n")


def snake(name: str) -> str:
    return re.sub("[A-Z]", lambda found: f"_{found[0].lower()}", name)


def main(kind: type[Any]) -> None:
    with open(sys.argv[1], encoding="utf-8") as file:
        cases: list[Case] = json.load(file)

    async def at_once() -> None:
        await asyncio.gather(*(play(kind, case) for case in cases))

    if kind is AsyncFundproof:
        asyncio.run(at_once())
        return
    with ThreadPoolExecutor(16) as threads:
        list(threads.map(lambda case: asyncio.run(play(kind, case)), cases))


if __name__ == "__main__":
    main(Fundproof)
