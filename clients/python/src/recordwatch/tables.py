"""Rows as tables of pandas, Polars and Arrow, which are optional: pip install 'recordwatch[pandas]'."""

from __future__ import annotations

from decimal import Decimal
from typing import TYPE_CHECKING, Any

from ._json import write_json
from .models import RowData

if TYPE_CHECKING:
    import pandas
    import polars
    import pyarrow


def columns_of(rows: list[RowData]) -> dict[str, list[Any]]:
    """The values by column. A row without a column has None there."""
    names = dict.fromkeys(name for row in rows for name in row)
    return {name: [row.get(name) for row in rows] for name in names}


def one_type(values: list[Any]) -> list[Any]:
    """Values that a column of one type can hold without losing a digit. Otherwise they become texts."""
    kinds = {_kind(value) for value in values if value is not None}
    if kinds == {"integer", "float"} and all(_is_exact_float(value) for value in values):
        return [None if value is None else float(value) for value in values]
    if kinds <= {"text"} or (len(kinds) == 1 and not kinds & {"nested", "large"}):
        return values
    return [value if value is None or isinstance(value, str) else write_json(value) for value in values]


def _kind(value: Any) -> str:
    if isinstance(value, bool):
        return "bool"
    if isinstance(value, int):
        # Tables have no integer beyond 64 bits.
        return "integer" if -(2**63) <= value < 2**63 else "large"
    if isinstance(value, Decimal):
        return "large"
    if isinstance(value, float):
        return "float"
    return "text" if isinstance(value, str) else "nested"


def _is_exact_float(value: Any) -> bool:
    return not isinstance(value, int) or abs(value) <= 2**53


def columns(rows: list[RowData]) -> dict[str, list[Any]]:
    return {name: one_type(values) for name, values in columns_of(rows).items()}


def to_pandas(rows: list[RowData]) -> pandas.DataFrame:
    import pandas

    return pandas.DataFrame({name: _series(values) for name, values in columns(rows).items()})


def _series(values: list[Any]) -> pandas.Series[Any]:
    import pandas

    # With a gap, pandas would make floats of integers, which lose digits.
    has_gap = any(value is None for value in values)
    is_integer = any(value is not None and _kind(value) == "integer" for value in values)
    return pandas.Series(values, dtype="Int64" if has_gap and is_integer else None)


def to_polars(rows: list[RowData]) -> polars.DataFrame:
    import polars

    return polars.DataFrame(columns(rows), infer_schema_length=None, strict=False)


def to_arrow(rows: list[RowData]) -> pyarrow.Table:
    import pyarrow

    return pyarrow.table(columns(rows))
