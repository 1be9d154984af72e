"""Models: frozen dataclasses, with a table of their names on the wire."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from decimal import Decimal
from functools import lru_cache
from importlib import import_module
from typing import TYPE_CHECKING, Any, ClassVar, TypeVar, cast

from ._errors import FundproofError
from ._values import NOT_GIVEN, amount_of, amount_text, time_of, time_text

if TYPE_CHECKING:
    from ._answer import ResponseInfo

M = TypeVar("M", bound="Model")


class Model:
    """The base class of all objects of the interface. Unknown fields are in :attr:`raw`."""

    __slots__ = ("_raw", "_response")

    #: The kinds of fields (see :func:`decode`) whose kind is not ``""``.
    __kinds__: ClassVar[Mapping[str, str]] = {}
    #: The names on the wire that are not in camel case.
    __names__: ClassVar[Mapping[str, str]] = {}
    #: The text that ``repr`` shows in place of each secret.
    __secret__: ClassVar[Mapping[str, str]] = {}

    @property
    def raw(self) -> Mapping[str, Any]:
        """The JSON object from the service, or an empty one."""
        return getattr(self, "_raw", {})

    @property
    def response(self) -> ResponseInfo | None:
        """The status, request id and limits, if this object is the whole content of an answer."""
        return getattr(self, "_response", None)

    def _values(self) -> tuple[Any, ...]:
        return tuple(getattr(self, name) for name, _, _ in _fields(type(self)))

    def __reduce__(self) -> tuple[Any, ...]:
        names = [*(name for name, _, _ in _fields(type(self))), *Model.__slots__]
        return _restored, (type(self), {n: getattr(self, n) for n in names if hasattr(self, n)})

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Model) or type(self) is not type(other):
            return NotImplemented
        return self._values() == other._values()

    def __hash__(self) -> int:
        return hash((type(self), self._values()))

    def __repr__(self) -> str:
        shown = [
            f"{name}={self.__secret__.get(name) or repr(getattr(self, name))}"
            for name, _, _ in _fields(type(self))
        ]
        return f"{type(self).__name__}({', '.join(shown)})"

    @classmethod
    def from_wire(cls: type[M], raw: Any) -> M:
        """Makes the object from parsed JSON. Absent fields become None."""
        if not isinstance(raw, dict):
            raise FundproofError(f"The answer has no {cls.__name__} where one belongs.")
        fields = cast("dict[str, Any]", raw)
        made = cls(**{name: decode(kind, fields.get(wire)) for name, wire, kind in _fields(cls)})
        object.__setattr__(made, "_raw", fields)
        return made

    def to_wire(self) -> dict[str, Any]:
        """Returns the object as JSON fields. Leaves out fields that were not given."""
        fields: dict[str, Any] = {}
        for name, wire, kind in _fields(type(self)):
            value = getattr(self, name)
            if value is not NOT_GIVEN and not (value is None and kind.startswith("?")):
                fields[wire] = encode(value, kind.removeprefix("?"))
        return fields


def decode(kind: str, value: Any) -> Any:
    """Converts a value of an answer. Kinds: ``""`` (no conversion), ``amount``, ``time``,
    ``number``, the name of a model or union, ``[`` before the kind of a list's items, ``{`` before
    the kind of a map's values, ``?`` before the kind of a field that requests leave out if it is
    None."""
    kind = kind.removeprefix("?")
    if not kind or value is None:
        return value
    if kind[0] == "[":
        if not isinstance(value, list):
            raise FundproofError("The answer has no list where one belongs.")
        return tuple(decode(kind[1:], each) for each in cast("list[Any]", value))
    if kind[0] == "{":
        if not isinstance(value, dict):
            raise FundproofError("The answer has no object where one belongs.")
        entries = cast("dict[str, Any]", value)
        return {name: decode(kind[1:], each) for name, each in entries.items()}
    if kind == "amount":
        return amount_of(value)
    if kind == "time":
        return time_of(value)
    if kind == "number":
        return float(amount_of(value))
    return _object_of(kind, value)


def encode(value: Any, kind: str = "") -> Any:
    """Converts a value of a request to JSON. Refuses floats, except for coordinates."""
    if value is None or isinstance(value, (str, bool)):
        return amount_text(value) if kind == "amount" and value is not None else value
    if kind == "amount":
        return amount_text(value)
    if isinstance(value, Model):
        return value.to_wire()
    if isinstance(value, datetime):
        return time_text(value)
    if isinstance(value, (list, tuple)):
        return [encode(each, kind[1:]) for each in cast("list[Any]", value)]
    if isinstance(value, Mapping):
        entries = cast("Mapping[str, Any]", value).items()
        return {k: encode(v, kind[1:]) for k, v in entries if v is not NOT_GIVEN}
    if kind == "number":
        return float(value)
    if isinstance(value, Decimal):
        return amount_text(value)
    if isinstance(value, int):
        return value
    raise TypeError(f"{type(value).__name__} cannot be sent: {value!r}")


class Unknown(Model):
    """An object that is unknown to this version of the library, or malformed. Its fields are in
    ``raw``, and also attributes with the names on the wire. A missing field is None."""

    __slots__ = ()

    if TYPE_CHECKING:

        class Name(str):
            """A literal name that lets mypy distinguish this class from the other members of a
            union."""

        event: Name
        method: Name

    def _values(self) -> tuple[Any, ...]:
        return (self.raw,)

    def __hash__(self) -> int:
        return id(self)

    def __repr__(self) -> str:
        return f"Unknown({self.raw!r})"

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        return self.raw.get(name)


def _object_of(kind: str, value: Any) -> Model:
    """Makes a model, or the matching member of a union."""
    from ._generated.index import UNIONS

    if kind not in UNIONS:
        return _load(kind).from_wire(value)
    by, members = UNIONS[kind]
    fields = cast("dict[str, Any]", value) if isinstance(value, dict) else {}
    name = members.get(str(fields.get(by)))
    try:
        return (_load(name) if name else Unknown).from_wire(value)
    except FundproofError:
        # A malformed event must not stop the feed.
        return Unknown.from_wire(fields)


@lru_cache(maxsize=None)
def _fields(made: type[Model]) -> tuple[tuple[str, str, str], ...]:
    """The Python name, the name on the wire and the kind of each field."""
    names, kinds = made.__names__, made.__kinds__
    all_names = getattr(made, "__dataclass_fields__", {})
    return tuple((n, names.get(n) or _camel(n), kinds.get(n, "")) for n in all_names)


def _camel(name: str) -> str:
    first, *others = name.split("_")
    return first + "".join(each.capitalize() for each in others)


def _restored(kind: type[M], values: dict[str, Any]) -> M:
    made = kind.__new__(kind)
    for name, value in values.items():
        object.__setattr__(made, name, value)
    return made


@lru_cache(maxsize=None)
def _load(name: str) -> type[Model]:
    """Imports the module of a model only when an answer needs it."""
    from ._generated.index import MODULES

    return getattr(import_module(f"{__package__}._generated.types.{MODULES[name]}"), name)
