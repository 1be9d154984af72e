"""A transport for your tests, which sends nothing.

    transport = FakeTransport([Answer(json={"success": True, "status": "ok"})])
    client = Fundproof(environment="sandbox", base_url="https://example.com", transport=transport)
    client.system.health()
    print(transport.requests[0].url)
"""

from __future__ import annotations

import json as json_module
from collections.abc import Callable, Generator, Iterable, Mapping
from typing import Any, Union

from ._transport import Request, Response

__all__ = ["Answer", "FakeTransport", "Request", "Response"]


class Answer:
    """An answer of a :class:`FakeTransport`: JSON, bytes, or a list of bytes for a stream."""

    def __init__(
        self,
        status: int = 200,
        *,
        json: Any = None,
        body: bytes = b"",
        chunks: Iterable[bytes] | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> None:
        self.status = status
        self.body = body if json is None else json_module.dumps(json).encode()
        self.chunks = chunks
        self.headers = {name.lower(): value for name, value in (headers or {}).items()}


#: An answer, an error to raise, or a function that makes an answer from the request.
Script = Union[Answer, Exception, Callable[[Request], Answer]]


class FakeTransport:
    """Returns scripted answers in order, and keeps the requests."""

    def __init__(self, answers: Iterable[Script] = ()) -> None:
        self._answers = list(answers)
        #: All requests so far.
        self.requests: list[Request] = []

    def add(self, answer: Script) -> None:
        """Adds an answer at the end."""
        self._answers.append(answer)

    def send(self, request: Request) -> Response:
        """Keeps the request and returns the next answer."""
        self.requests.append(request)
        if not self._answers:
            raise AssertionError(f"No answer is scripted for {request.method} {request.url}.")
        answer = self._answers.pop(0)
        if isinstance(answer, Exception):
            raise answer
        if not isinstance(answer, Answer):
            answer = answer(request)
        is_stream = request.stream and answer.status == 200
        chunks = _each(answer.chunks or [answer.body]) if is_stream else None
        return Response(answer.status, answer.headers, answer.body, chunks)

    def close(self) -> None:
        """Does nothing."""


def _each(chunks: Iterable[bytes]) -> Generator[bytes, None, None]:
    yield from chunks
