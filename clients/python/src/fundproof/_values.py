"""Values on the wire: exact amounts, times, paths and queries."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from datetime import datetime, timezone
from decimal import Decimal
from enum import Enum
from typing import Any, Final, Literal, Union, cast
from urllib.parse import quote

from ._errors import ConfigurationError, FundproofError


class NotGiven(Enum):
    """The type of :data:`NOT_GIVEN`."""

    TOKEN = 0

    def __repr__(self) -> str:
        return "NOT_GIVEN"

    def __bool__(self) -> Literal[False]:
        return False


#: The default of optional arguments: the field is not sent. ``None`` is sent as null.
NOT_GIVEN: Final = NotGiven.TOKEN

class Secret(str):
    """A text that ``repr`` hides, so tracebacks with local variables hide it too."""

    __slots__ = ()

    def __repr__(self) -> str:
        return "'***'"


#: An amount to send: exact, so never a float.
Amount = Union[Decimal, int, str]

_NAME = re.compile(r"[!#$%&'*+.^_`|~0-9A-Za-z-]+")
_VALUE = re.compile(r"[\t\x20-\x7e\x80-\xff]*")
_AMOUNT = re.compile(r"-?[0-9]+(\.[0-9]+)?")


def amount_text(value: Any) -> str:
    """Returns an amount as decimal text. Raises TypeError for a float, which may be inexact."""
    if isinstance(value, bool) or not isinstance(value, (Decimal, int, str)):
        kind = type(value).__name__
        raise TypeError(f"An amount must be a Decimal, an int or a text, not {kind}.")
    if isinstance(value, Decimal):
        if not value.is_finite():
            raise ValueError(f"{value} is not an amount.")
        return format(value, "f")
    text = str(value)
    if not _AMOUNT.fullmatch(text):
        raise ValueError(f"{text!r} is not a decimal number.")
    return text


def amount_of(value: Any) -> Decimal:
    """Reads an amount of an answer, which is text or a JSON number."""
    try:
        amount = Decimal(value)
    except (ArithmeticError, TypeError, ValueError):
        amount = Decimal("NaN")
    if not amount.is_finite():
        raise FundproofError(f"{value!r} is not an amount.")
    return amount


def time_text(value: datetime) -> str:
    """Returns a time as ISO 8601 in UTC. Raises ValueError for a time without a time zone."""
    if value.tzinfo is None:
        raise ValueError("A time must have a time zone, such as datetime.now(timezone.utc).")
    text = value.astimezone(timezone.utc).isoformat(timespec="milliseconds")
    return text.replace("+00:00", "Z")


def time_of(value: Any) -> datetime:
    """Reads a time of an answer."""
    try:
        time = datetime.fromisoformat(re.sub(r"[zZ]$", "+00:00", value))
    except (TypeError, ValueError):
        raise FundproofError(f"{value!r} is not a time.") from None
    return time if time.tzinfo else time.replace(tzinfo=timezone.utc)


def path_of(template: str, segments: Sequence[str]) -> str:
    """Fills the parameters of a path such as ``/api/campaigns/{id}``. Each value is encoded."""
    rest = iter(segments)
    return re.sub(r"\{\w+\}", lambda _: segment_of(next(rest)), template)


def segment_of(value: str) -> str:
    """Encodes one segment of a path. Refuses segments that would lead to another path."""
    if not isinstance(cast(Any, value), str) or value in ("", ".", ".."):
        raise ValueError(f"{value!r} cannot be a part of a path.")
    return quote(value, safe="")


def query_of(fields: Mapping[str, Any]) -> str:
    """Encodes a query. A list becomes one parameter for each item. None is left out."""
    pairs: list[str] = []
    for name, value in fields.items():
        if value is None:
            continue
        many = cast("Sequence[Any]", value) if isinstance(value, (list, tuple)) else (value,)
        pairs += [f"{quote(name, safe='')}={quote(_text(each), safe='')}" for each in many]
    return "&".join(pairs)


def check_headers(headers: Mapping[str, str]) -> None:
    """Refuses headers that HTTP does not allow. The error contains no values, which may be secret.
    """
    for name, value in headers.items():
        if not _NAME.fullmatch(name):
            raise ConfigurationError(f"{name!r} cannot be the name of a header.")
        if not isinstance(cast(Any, value), str) or not _VALUE.fullmatch(value):
            raise ConfigurationError(f"The header {name} has a value that cannot be sent.")


def _text(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, datetime):
        return time_text(value)
    if isinstance(value, Decimal):
        return amount_text(value)
    return str(value)
