"""What runs and sweeps have found."""

from __future__ import annotations

import html
import json
import os
from typing import Any, List, Mapping, Optional

from .client import CausewayError
from .show import Explanation, Figure, Source, html_table
from .table import read_csv, table, write_parquet

Path = "os.PathLike[str] | str"


class Result:
    """What one run has found.

    ``metrics`` has the columns phase, where, name, value, unit; ``layers`` a row per layer and
    ``series`` a row per sample, or None. ``r["Core.utilization"]`` is one metric by its key:
    WHERE.NAME, NAME for the system, with @PHASE for a phase other than all. ``sentence`` names
    the main cause of the time. A notebook shows the sentence, the figure of stalls, the metrics of the
    system and the longest layers.
    """

    def __init__(self, metrics: Any, layers: Any, series: Any, identity: str, status: str, values: Mapping[str, float],
                 sentence: str = "", units: Optional[Mapping[str, str]] = None, source: Optional[Source] = None) -> None:
        self.metrics, self.layers, self.series = metrics, layers, series
        self.identity, self.status, self.sentence = identity, status, sentence
        self._values, self._units, self._source = dict(values), dict(units or {}), source

    def _origin(self) -> Source:
        if self._source is None:
            raise CausewayError("this result does not know its configuration")
        return self._source

    def plot(self, name: str, *, top: int = 0, width: str = "two") -> Figure:
        """One figure of the report, as ``causeway plot RUN NAME`` draws it: "stalls", "roofline", ...

        A notebook shows it; ``save`` writes SVG, PDF, PNG or CSV. A result of :func:`run` is simulated
        once more for its first figure, with the same results, since figures are of a folder.
        """
        return self._origin().plot(name, top=top, width=width)

    def explain(self, most: int = 8) -> Explanation:
        """What would help: how many times better the run is with one setting doubled or halved, as
        ``causeway explain`` says. It runs ``most`` settings at most; 0 is all."""
        return self._origin().explain(most)

    def to_parquet(self, directory: Path) -> "List[str]":
        """Write metrics.parquet, and layers.parquet and series.parquet where there are any; return their paths.
        This needs pyarrow."""
        return write_parquet(directory, {"metrics": self.metrics, "layers": self.layers, "series": self.series})

    def _repr_html_(self) -> str:
        rows = [[k, v, self._units.get(k, "")] for k, v in self._values.items() if "." not in k and "@" not in k]
        head = "<p><b>%s</b>: %s</p>" % (html.escape(self.status), html.escape(self.sentence or "identity " + self.identity))
        return head + self._stalls() + html_table(["metric", "value", "unit"], rows) + self._longest()

    def _stalls(self, most: float = 10) -> str:
        """The figure of stalls, if there is one. A run that took more than ``most`` seconds is not simulated
        once more for it; ``plot`` does."""
        if self._source is None or self._source.seconds > most:
            return ""
        try:
            return '<div style="max-width: 26em">%s</div>' % self._source.plot("stalls", top=8, width="one").inline()
        except CausewayError:  # a network alone has none
            return ""

    def _longest(self, most: int = 8) -> str:
        """The layers with the most cycles."""
        if self.layers is None:
            return ""
        columns = list(self.layers.columns)
        shown = [c for c in ("layer", "type", "where", "cycles", "utilization") if c in columns]
        if "cycles" not in columns or "layer" not in columns:
            return ""
        rows = list(zip(*(list(self.layers[c]) for c in shown)))
        cycles = shown.index("cycles")
        return html_table(shown, sorted(rows, key=lambda r: -(r[cycles] or 0))[:most])

    def __getitem__(self, key: str) -> float:
        if key not in self._values:
            raise KeyError("no metric %r" % key)
        return self._values[key]

    def keys(self) -> "list[str]":
        return list(self._values)

    def __repr__(self) -> str:
        return "<causeway.Result %s, %d metrics>" % (self.status, len(self._values))


def result(metrics: "list[dict[str, Any]]", layers: Any, series: Any, identity: str, status: str, sentence: str = "", source: Optional[Source] = None) -> Result:
    columns = ("phase", "where", "name", "value", "unit")
    values, units = {}, {}
    for m in metrics:
        key = "%s.%s" % (m["where"], m["name"]) if m.get("where") else m["name"]
        key = key if m["phase"] == "all" else key + "@" + m["phase"]
        values[key], units[key] = m["value"], m.get("unit", "")
    rows = [[m.get(c, "") for c in columns] for m in metrics]
    return Result(table(columns, rows), layers, series, identity, status, values, sentence, units, source)


def read_run(directory: Path) -> Result:
    """The result in a folder that ``causeway run`` has left."""
    with open(os.path.join(directory, "result.json"), encoding="utf-8") as f:
        r = json.load(f)
    return result(r["metrics"], _table_in(directory, "layers.csv"), _table_in(directory, "timeseries.csv"), r["identity"], r["status"],
                  r.get("sentence", ""), Source(folder=os.fspath(directory)))


class SweepResult:
    """What a sweep has found: ``points`` (a row each), ``pareto``, ``sensitivity`` and ``means``; None where there is none."""

    def __init__(self, points: Any, pareto: Any, sensitivity: Any, means: Any, directory: str = "") -> None:
        self.points, self.pareto, self.sensitivity, self.means = points, pareto, sensitivity, means
        self._directory = directory

    def front(self) -> Any:
        """The Pareto-optimal points, a row each; of a sweep without objectives an error."""
        if self.pareto is None:
            raise CausewayError("the sweep has no objectives, so it has no front (objectives: {total_time: min, ...})")
        return self.pareto

    def plot(self, name: str = "pareto", *, top: int = 0, width: str = "two") -> Figure:
        """One figure of the report of the sweep: "pareto", "sensitivity", ..."""
        return Source(folder=self._directory).plot(name, top=top, width=width)

    def to_parquet(self, directory: Path) -> "List[str]":
        """Write points.parquet, and pareto, sensitivity and means where there are any; return their paths.
        This needs pyarrow."""
        return write_parquet(directory, {"points": self.points, "pareto": self.pareto, "sensitivity": self.sensitivity, "means": self.means})

    def __repr__(self) -> str:
        return "<causeway.SweepResult %s>" % self._title()

    def _title(self) -> str:
        return "%d points" % len(self.points) + ("" if self.pareto is None else ", of which %d are Pareto-optimal" % len(self.pareto))

    def _repr_html_(self) -> str:
        shown = self.points if self.pareto is None else self.pareto
        columns = list(shown.columns)
        return "<p>%s</p>" % self._title() + html_table(columns, list(zip(*(list(shown[c]) for c in columns))))


def read_sweep(directory: Path) -> SweepResult:
    """The tables in a folder that ``causeway sweep`` has left."""
    points = _table_in(directory, "sweep.csv")
    if points is None:
        raise CausewayError("%s has no sweep.csv (causeway sweep collect writes it)" % directory)
    return SweepResult(points, _table_in(directory, "pareto.csv"), _table_in(directory, "sensitivity.csv"), _table_in(directory, "mean.csv"), os.fspath(directory))


def _table_in(directory: Path, name: str) -> Optional[Any]:
    path = os.path.join(directory, name)
    return read_csv(path) if os.path.exists(path) else None
