"""What runs and sweeps have found."""

from __future__ import annotations

import json
import os
from typing import Any, Mapping, Optional

from .client import CausewayError
from .table import read_csv, table

Path = "os.PathLike[str] | str"


class Result:
    """What one run has found.

    ``metrics`` has the columns phase, where, name, value, unit; ``layers`` a row per layer and
    ``series`` a row per sample, or None. ``r["Core.utilization"]`` is one metric by its key:
    WHERE.NAME, NAME for the system, with @PHASE for a phase other than all.
    """

    def __init__(self, metrics: Any, layers: Any, series: Any, identity: str, status: str, values: Mapping[str, float]) -> None:
        self.metrics, self.layers, self.series = metrics, layers, series
        self.identity, self.status = identity, status
        self._values = dict(values)

    def __getitem__(self, key: str) -> float:
        if key not in self._values:
            raise KeyError("no metric %r" % key)
        return self._values[key]

    def keys(self) -> "list[str]":
        return list(self._values)

    def __repr__(self) -> str:
        return "<causeway.Result %s, %d metrics>" % (self.status, len(self._values))


def result(metrics: "list[dict[str, Any]]", layers: Any, series: Any, identity: str, status: str) -> Result:
    columns = ("phase", "where", "name", "value", "unit")
    values = {}
    for m in metrics:
        key = "%s.%s" % (m["where"], m["name"]) if m.get("where") else m["name"]
        values[key if m["phase"] == "all" else key + "@" + m["phase"]] = m["value"]
    return Result(table(columns, [[m.get(c, "") for c in columns] for m in metrics]), layers, series, identity, status, values)


def read_run(directory: Path) -> Result:
    """The result in a folder that ``causeway run`` has left."""
    with open(os.path.join(directory, "result.json"), encoding="utf-8") as f:
        r = json.load(f)
    return result(r["metrics"], _table_in(directory, "layers.csv"), _table_in(directory, "timeseries.csv"), r["identity"], r["status"])


class SweepResult:
    """What a sweep has found: ``points`` (a row each), ``pareto``, ``sensitivity`` and ``means``; None where there is none."""

    def __init__(self, points: Any, pareto: Any, sensitivity: Any, means: Any) -> None:
        self.points, self.pareto, self.sensitivity, self.means = points, pareto, sensitivity, means


def read_sweep(directory: Path) -> SweepResult:
    """The tables in a folder that ``causeway sweep`` has left."""
    points = _table_in(directory, "sweep.csv")
    if points is None:
        raise CausewayError("%s has no sweep.csv (causeway sweep collect writes it)" % directory)
    return SweepResult(points, _table_in(directory, "pareto.csv"), _table_in(directory, "sensitivity.csv"), _table_in(directory, "mean.csv"))


def _table_in(directory: Path, name: str) -> Optional[Any]:
    path = os.path.join(directory, name)
    return read_csv(path) if os.path.exists(path) else None
