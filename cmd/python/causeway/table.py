"""Tables, with or without pandas."""

from __future__ import annotations

import csv
import os
from typing import Any, Dict, Iterator, List, Mapping, Sequence, Union

try:
    import pandas
except ImportError:  # an extra
    pandas = None


class Table:
    """A few columns of equal length: what a DataFrame is where there is no pandas.

    ``t["total_time"]`` is a column as a list, ``t[3]`` a row as a dict, ``t.columns`` the names of
    the columns, ``len(t)`` the number of rows, ``t.shape`` both; iteration gives each row as a dict.
    """

    def __init__(self, columns: Sequence[str], rows: Sequence[Sequence[Any]]) -> None:
        self.columns: List[str] = list(columns)
        self.rows: List[List[Any]] = [list(r) for r in rows]
        self.attrs: Dict[str, Any] = {}

    def __len__(self) -> int:
        return len(self.rows)

    def __iter__(self) -> Iterator[Dict[str, Any]]:
        return (dict(zip(self.columns, r)) for r in self.rows)

    def __getitem__(self, column: Union[str, int]) -> Any:
        if isinstance(column, int):
            return dict(zip(self.columns, self.rows[column]))
        if column not in self.columns:
            raise KeyError("no column %r (there are: %s)" % (column, ", ".join(self.columns)))
        at = self.columns.index(column)
        return [r[at] for r in self.rows]

    @property
    def shape(self) -> "tuple[int, int]":
        return len(self.rows), len(self.columns)

    def _repr_html_(self) -> str:
        from .show import html_table

        return html_table(self.columns, self.rows)

    def __repr__(self) -> str:
        shown = [self.columns] + [["" if x is None else str(x) for x in r] for r in self.rows[:20]]
        widths = [max(len(r[i]) for r in shown) for i in range(len(self.columns))]
        lines = ["  ".join(x.ljust(w) for x, w in zip(r, widths)).rstrip() for r in shown]
        if len(self.rows) > 20:
            lines.append("... %d rows" % len(self.rows))
        return "\n".join(lines)


def write_parquet(directory: "os.PathLike[str] | str", tables: Mapping[str, Any]) -> List[str]:
    """Write each table that is not None as NAME.parquet and return the paths."""
    try:
        import pyarrow
        import pyarrow.parquet
    except ImportError as e:
        raise ImportError("Parquet needs pyarrow (pip install pyarrow); without it the folder of a run has the same tables as CSV") from e
    os.makedirs(directory, exist_ok=True)
    out = []
    for name, t in tables.items():
        if t is not None:
            path = os.path.join(directory, name + ".parquet")
            pyarrow.parquet.write_table(pyarrow.table({c: list(t[c]) for c in t.columns}), path)
            out.append(path)
    return out


def table(columns: Sequence[str], rows: Sequence[Sequence[Any]]) -> Any:
    """A DataFrame, or without pandas a Table."""
    if pandas is None:
        return Table(columns, rows)
    return pandas.DataFrame([list(r) for r in rows], columns=list(columns))


def read_csv(path: str) -> Any:
    """Read a file that causeway has written. A column whose cells are all numbers, or
    empty, holds numbers; an empty cell is None (NaN in a DataFrame)."""
    with open(path, newline="", encoding="utf-8") as f:
        lines = list(csv.reader(f))
    columns, rows = lines[0], [list(r) for r in lines[1:]]
    out: List[List[Any]] = [list(r) for r in rows]
    for i, name in enumerate(columns):
        if name in ("identity", "status"):
            continue
        cells = [_number(r[i]) for r in rows]
        if all(ok for _, ok in cells):
            for r, (value, _) in zip(out, cells):
                r[i] = value
    return table(columns, out)


def _number(text: str) -> "tuple[Any, bool]":
    if text == "":
        return None, True
    for kind in (int, float):
        try:
            return kind(text), True
        except ValueError:
            pass
    return text, False
