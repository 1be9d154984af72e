"""Parses server-sent events (HTML Standard, section 9.2) from chunks that end at any byte."""

from __future__ import annotations

from typing import NamedTuple


class Message(NamedTuple):
    """One event of the stream. ``id`` is the position after this event."""

    id: str
    event: str
    data: str


class SseParser:
    """Takes bytes, and returns the complete messages."""

    def __init__(self) -> None:
        #: The position of the last complete message, also of one without data.
        self.last_event_id = ""
        #: The pause before a reconnection that the server asks for, in milliseconds.
        self.retry_ms: int | None = None
        self._rest = b""
        self._skip_newline = False
        self._first = True
        self._id = ""
        self._event = ""
        self._data: list[str] = []

    def feed(self, chunk: bytes) -> list[Message]:
        """Takes the next bytes. A line may end with CR, LF or CRLF, also across two chunks."""
        if self._skip_newline and chunk:
            chunk = chunk[1:] if chunk[:1] == b"\n" else chunk
            self._skip_newline = False
        data = self._rest + chunk
        self._skip_newline = data.endswith(b"\r")
        *lines, self._rest = data.replace(b"\r\n", b"\n").replace(b"\r", b"\n").split(b"\n")
        return [message for line in lines if (message := self._line(line))]

    def _line(self, line: bytes) -> Message | None:
        text = line.decode("utf-8", "replace")
        if self._first:
            text, self._first = text.removeprefix("\ufeff"), False
        if not text:
            return self._dispatch()
        name, _, value = text.partition(":")
        value = value.removeprefix(" ")
        if name == "data":
            self._data.append(value)
        elif name == "event":
            self._event = value
        elif name == "id" and "\0" not in value:
            self._id = value
        elif name == "retry" and value.isascii() and value.isdigit():
            self.retry_ms = int(value)
        return None

    def _dispatch(self) -> Message | None:
        data, event = self._data, self._event
        self._data, self._event = [], ""
        self.last_event_id = self._id
        return Message(self._id, event or "message", "\n".join(data)) if data else None
