"""Rows as tables of pandas, Polars and Arrow, which are optional: pip install 'recordwatch[pandas]'."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

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
    """Values of several types as texts, because a column of a table has one type."""
    kinds = {_kind(value) for value in values if value is not None}
    if len(kinds) < 2 and "nested" not in kinds:
        return values
    return [value if value is None or isinstance(value, str) else json.dumps(value) for value in values]


def _kind(value: Any) -> str:
    if isinstance(value, bool):
        return "bool"
    if isinstance(value, (int, float)):
        # Tables have no integer beyond 64 bits, and as floats they would lose digits.
        return "number" if isinstance(value, float) or -(2**63) <= value < 2**63 else "large"
    return "text" if isinstance(value, str) else "nested"


def columns(rows: list[RowData]) -> dict[str, list[Any]]:
    return {name: one_type(values) for name, values in columns_of(rows).items()}


def to_pandas(rows: list[RowData]) -> pandas.DataFrame:
    import pandas

    return pandas.DataFrame(columns(rows))


def to_polars(rows: list[RowData]) -> polars.DataFrame:
    import polars

    return polars.DataFrame(columns(rows), infer_schema_length=None, strict=False)


def to_arrow(rows: list[RowData]) -> pyarrow.Table:
    import pyarrow

    return pyarrow.table(columns(rows))
