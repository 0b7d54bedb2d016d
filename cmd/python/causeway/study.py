"""Runs, sweeps and searches."""

from __future__ import annotations

import html
import json
import os
import subprocess
import tempfile
import time
from typing import Any, Dict, List, Mapping, NamedTuple, Optional, Sequence, Tuple, Union

from .client import CausewayError, Config, Server, Settings, binary, is_text, text_of, value_of
from .results import Result, read_sweep, result
from .show import Source, html_table, setting
from .table import table

Axes = Mapping[str, Any]
Objectives = Union[Sequence[str], Mapping[str, str]]


def run(config: Config, set: Optional[Settings] = None) -> Result:
    """Simulate one configuration: a file, YAML text of several lines, or a mapping.

    ``set`` overrides settings, as in ``{"Core.rows": 64, "Mem.bandwidth": "51.2GB/s"}``.
    """
    with Server(config) as server:
        return run_on(server, config, set)


def run_on(server: Server, config: Config, set: Optional[Settings] = None) -> Result:
    """run for a configuration that a server has loaded."""
    began = time.monotonic()
    answer = server.call("run", set={k: value_of(v) for k, v in (set or {}).items()}, full=True)
    return _result(answer, Source(config, set, seconds=time.monotonic() - began))


def _result(answer: Mapping[str, Any], source: Source) -> Result:
    full = answer["full"]
    return result(full["metrics"], _wire(full.get("layers")), _wire(full.get("series")), answer["identity"], answer["status"], full.get("sentence", ""), source)


def _wire(t: Optional[Mapping[str, Any]]) -> Any:
    return None if t is None else table(t["columns"], t["rows"] or [])


def sweep(config: Config, axes: Optional[Axes] = None, *, set: Optional[Settings] = None, out: Optional[str] = None, jobs: Optional[int] = None,
          allow_failed: bool = False, parquet: bool = False, **keys: Any) -> Any:
    """Simulate every combination of settings and return a table with a row for each point.

    ``config`` is a configuration to vary by ``axes`` (``{"Core.rows": [16, 32]}``, or
    ``{"Mem.bandwidth": {"from": 10, "to": 40, "times": 2, "unit": "GB/s"}}``), or a sweep file,
    whose axes these add to. Further keys are those of a sweep file: metrics, where, method,
    objectives, constraints, seeds. ``out`` keeps the folder, which :func:`read_sweep` reads
    again; the same call goes on where it was stopped. ``parquet`` also writes the tables of that
    folder as Parquet, which needs pyarrow.
    """
    if parquet and not out:
        raise CausewayError("parquet=True writes into the folder of the sweep, which out names")
    with tempfile.TemporaryDirectory(prefix="causeway-") as scratch:
        args = [binary(), "sweep"]
        if axes is None:
            if keys or is_text(config):
                raise CausewayError("a sweep needs axes, or a sweep file and nothing else")
            args.append(os.fspath(config))  # type: ignore[arg-type]
        else:
            base = os.path.abspath(config) if not is_text(config) else os.path.join(scratch, "base.yaml")  # type: ignore[type-var,arg-type]
            if is_text(config):
                with open(base, "w", encoding="utf-8") as f:
                    f.write(text_of(config))
            file = os.path.join(scratch, "sweep.yaml")
            with open(file, "w", encoding="utf-8") as f:
                json.dump({"base": base, "sweep": {k: _axis(v) for k, v in axes.items()}, **keys}, f)
            args.append(file)
        folder = out or os.path.join(scratch, "out")
        args += ["--out", folder, "--quiet"]
        for path, value in (set or {}).items():
            args += ["--set", setting(path, value)]
        if jobs:
            args += ["--jobs", str(jobs)]
        done = subprocess.run(args, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, encoding="utf-8")
        if done.returncode and not (allow_failed and done.returncode == 4):
            raise CausewayError(done.stderr.strip() or "causeway sweep ended with %d" % done.returncode)
        found = read_sweep(folder)
        if parquet:
            found.to_parquet(folder)
        points = found.points
        points.attrs["warnings"] = done.stderr.splitlines()
        return points


def _axis(values: Any) -> Any:
    if isinstance(values, Mapping):
        return dict(values)
    return [[value_of(x) for x in v] if isinstance(v, (list, tuple)) else value_of(v) for v in values]


class Trial(NamedTuple):
    """A design that a study has asked for; ``values`` are its objectives where :meth:`Study.front` lists it."""

    point: int
    set: Dict[str, str]
    values: Tuple[float, ...] = ()


class Study:
    """Designs to evaluate, one after another or chosen by an optimiser of your own.

    Without axes the designs are yours: ``study.evaluate({"Core.rows": 64})`` is the tuple of
    the objectives, which is what an objective function of Optuna returns. With axes
    causeway's own methods choose: ``ask``, ``run`` or ``tell``, ``front``. A notebook shows
    the Pareto-optimal designs so far.
    """

    def __init__(self, config: Config, axes: Optional[Axes] = None, objectives: Objectives = ("total_time",), *, method: Union[str, Mapping[str, Any]] = "nsga2",
                 points: int = 100, seed: int = 1, constraints: Sequence[str] = (), where: Sequence[str] = (), jobs: int = 1) -> None:
        self.objectives: Dict[str, str] = dict(objectives) if isinstance(objectives, Mapping) else {o: "min" for o in objectives}
        self._scratch = tempfile.TemporaryDirectory(prefix="causeway-")
        self._axes, self._config = axes is not None, config
        self._designs = 0  # evaluated, or asked for
        self._best: List[Trial] = []  # of evaluated designs, and of a closed study
        self._closed = False
        try:
            if axes is None:
                self.server = Server(config, jobs=jobs)
                return
            base = os.path.join(self._scratch.name, "base.yaml") if is_text(config) else os.path.abspath(config)  # type: ignore[type-var,arg-type]
            if is_text(config):
                with open(base, "w", encoding="utf-8") as f:
                    f.write(text_of(config))
            if isinstance(method, str):
                method = {"name": method} if method == "grid" else {"name": method, "points": points, "seed": seed}
            spec: Dict[str, Any] = {"base": base, "sweep": {k: _axis(v) for k, v in axes.items()}, "method": dict(method), "objectives": self.objectives}
            if constraints:
                spec["constraints"] = list(constraints)
            if where:
                spec["where"] = list(where)
            file = os.path.join(self._scratch.name, "sweep.yaml")
            with open(file, "w", encoding="utf-8") as f:
                json.dump(spec, f)
            self.server = Server(file, jobs=jobs)
        except BaseException:
            self._scratch.cleanup()
            raise

    def evaluate(self, set: Settings) -> Tuple[float, ...]:
        """The objectives of one design; those are names of metrics here."""
        answer = self.server.call("run", set={k: value_of(v) for k, v in set.items()}, metrics=list(self.objectives))
        values = tuple(answer["metrics"][o] for o in self.objectives)
        self._keep(Trial(self._designs, {k: str(value_of(v)) for k, v in set.items()}, values))
        self._designs += 1
        return values

    def _keep(self, design: Trial) -> None:
        """Keep a design that no other one beats, and drop those that it beats."""
        sign = [-1 if way == "max" else 1 for way in self.objectives.values()]
        beats = lambda a, b: all(s * x <= s * y for s, x, y in zip(sign, a.values, b.values))
        if not any(beats(t, design) for t in self._best):
            self._best = [t for t in self._best if not beats(design, t)] + [design]

    def run(self, design: Union[Trial, Settings, None] = None) -> Result:
        """All that a design comes to. A trial is told of by the way."""
        if isinstance(design, Trial):
            began = time.monotonic()
            answer = self.server.call("run", point=design.point, full=True)
            return _result(answer, Source(self._config, design.set, seconds=time.monotonic() - began))
        return run_on(self.server, self._config, design)

    def ask(self, n: int = 1) -> List[Trial]:
        """The next designs; none where the search has ended, or waits for what was asked for."""
        answer = self.server.call("ask", n=n)
        trials = [Trial(p["point"], p["set"]) for p in answer.get("points") or []]
        self._designs += len(trials)
        return trials

    def tell(self, trial: Trial, metrics: Optional[Mapping[str, float]] = None, failed: str = "") -> None:
        """Say what a design has come to elsewhere."""
        if metrics is None:
            self.server.call("tell", point=trial.point, failed=failed or "it has no metrics")
        else:
            self.server.call("tell", point=trial.point, metrics={k: float(v) for k, v in metrics.items()})

    def optimize(self) -> List[Trial]:
        """Run all that the method asks for and return the front."""
        while True:
            batch = self.ask(1000)
            if not batch:
                return self.front()
            # A design that cannot be simulated is told as failed by the server itself.
            self.server.map({"op": "run", "point": t.point, "metrics": []} for t in batch)

    def front(self) -> List[Trial]:
        """The Pareto-optimal designs so far, with their objectives."""
        if not self._axes or self._closed:
            return list(self._best)
        return [Trial(p["point"], p["set"], tuple(p.get("values") or ())) for p in self.server.call("front").get("points") or []]

    def _title(self) -> str:
        goals = ", ".join("%s: %s" % x for x in self.objectives.items())
        return "%s; %d designs, of which %d are Pareto-optimal" % (goals, self._designs, len(self.front()))

    def __repr__(self) -> str:
        return "<causeway.Study %s>" % self._title()

    def _repr_html_(self) -> str:
        front = self.front()
        settings = list(dict.fromkeys(k for t in front for k in t.set))
        rows = [[t.set.get(k, "") for k in settings] + list(t.values) for t in sorted(front, key=lambda t: t.values)]
        return "<p>%s</p>" % html.escape(self._title()) + html_table(settings + list(self.objectives), rows)

    def close(self) -> None:
        if self._axes and not self._closed:
            try:
                self._best = self.front()  # for who looks at it later
            except (CausewayError, OSError, ValueError):
                pass  # the server has ended
        self._closed = True
        self.server.close()
        self._scratch.cleanup()

    def __enter__(self) -> "Study":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
