"""One operation of the interface, as data."""

from __future__ import annotations

from typing import Any, Literal, NamedTuple


class Operation(NamedTuple):
    """The address of an operation, and how to read its answer."""

    id: str
    method: Literal["GET", "POST", "PUT", "PATCH", "DELETE"]
    #: The path with ``{name}`` for each parameter. A fixed query may follow, such as
    #: ``?format=csv``.
    path: str
    #: ``whole``: the whole JSON object. ``content``: one field of it.
    answer: Literal["none", "whole", "content", "list", "file", "csv", "stream"] = "none"
    #: The field of the content or of the list.
    wire: str = ""
    #: The kind of the content, or of one item of a list (see ``_model.decode``).
    kind: str = ""
    #: Only for lists: the query parameter that takes the position of the next page.
    by: Literal["cursor", "after"] = "cursor"
    #: The fields of the body that are amounts.
    amounts: tuple[str, ...] = ()


class Call(NamedTuple):
    """An operation with its arguments."""

    operation: Operation
    path: tuple[str, ...] = ()
    query: dict[str, Any] = {}
    #: None: no body. Bytes: a file, whose type is in ``content_type``.
    body: dict[str, Any] | bytes | None = None
    content_type: str = "application/json"
