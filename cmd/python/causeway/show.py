"""Figures, explanations and tables as a notebook shows them."""

from __future__ import annotations

import html
import json
import os
import shutil
import subprocess
import tempfile
import weakref
from typing import Any, Iterator, List, Mapping, NamedTuple, Optional, Sequence

from .client import CausewayError, Config, binary, is_text, text_of, value_of


def html_table(columns: Sequence[str], rows: Sequence[Sequence[Any]], most: int = 20) -> str:
    """A table of HTML with at most so many rows; numbers have thousands separated."""
    cells = lambda tag, row: "<tr>%s</tr>" % "".join("<%s>%s</%s>" % (tag, html.escape(_shown(x)), tag) for x in row)
    body = "".join(cells("td", r) for r in rows[:most])
    rest = "<p>and %d more rows</p>" % (len(rows) - most) if len(rows) > most else ""
    return "<table><thead>%s</thead><tbody>%s</tbody></table>%s" % (cells("th", columns), body, rest)


def _shown(x: Any) -> str:
    x = value_of(x)
    if x is None or x != x:
        return ""
    if isinstance(x, bool) or not isinstance(x, (int, float)):
        return str(x)
    return "{:,}".format(x) if isinstance(x, int) or x == int(x) and abs(x) < 1e15 else "{:,.4g}".format(x)


def command(*args: str) -> str:
    """Run causeway and return what it prints."""
    done = subprocess.run([binary(), *args], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, encoding="utf-8")
    if done.returncode:
        raise CausewayError(done.stderr.strip() or "causeway %s ended with %d" % (args[0], done.returncode))
    return done.stdout


def setting(path: str, value: Any) -> str:
    """A setting as --set takes it."""
    value = value_of(value)
    return "%s=%s" % (path, value if isinstance(value, str) else json.dumps(value))


class Figure:
    """A figure, as SVG. A notebook shows it."""

    def __init__(self, name: str, svg: str, args: Sequence[str], source: "Source") -> None:
        self.name, self.svg, self._args = name, svg, list(args)
        self._source = source  # which keeps the folder

    def save(self, path: "os.PathLike[str] | str") -> str:
        """Write it as .svg, .pdf, .png or .csv, by the ending of the path."""
        command(*self._args, "--out", os.fspath(path))
        return os.fspath(path)

    def inline(self) -> str:
        """The figure as a part of a page."""
        return self.svg[self.svg.index("<svg"):]

    def _repr_svg_(self) -> str:
        return self.svg

    def __repr__(self) -> str:
        return "<causeway.Figure %s>" % self.name


class Lever(NamedTuple):
    """A change, and how many times better the run is with it. ``sets`` are all its settings, ``set`` is the first."""

    set: str
    lever: str
    ratio: float
    value: float
    sets: Sequence[str] = ()


def _lever(x: Mapping[str, Any]) -> Lever:
    return Lever(x["set"], x["lever"], x["ratio"], x["value"], tuple(x.get("sets") or [x["set"]]))


class Explanation(Sequence[Lever]):
    """What would help, the best first: single changes, and among them ``together``, the changes that do
    more at once than one by one, if there are some. ``metric``, ``value`` and ``unit`` are those of the
    run as it stands."""

    def __init__(self, answer: Mapping[str, Any]) -> None:
        base = answer["base"]
        self.metric, self.value, self.unit, self.label = base["metric"], base["value"], base["unit"], base["label"]
        self.together = _lever(answer["together"]) if answer.get("together") else None
        single = [_lever(x) for x in answer.get("levers") or []]
        self._levers = sorted(single + [self.together] * (self.together is not None), key=lambda x: -x.ratio)

    def __len__(self) -> int:
        return len(self._levers)

    def __getitem__(self, at: Any) -> Any:
        return self._levers[at]

    def __iter__(self) -> Iterator[Lever]:
        return iter(self._levers)

    def __repr__(self) -> str:
        lines = ["%s: %s %s" % (self.label, _shown(self.value), self.unit)]
        return "\n".join(lines + ["%-32s %5.2fx  %s" % (x.lever, x.ratio, " ".join(x.sets)) for x in self])

    def _repr_html_(self) -> str:
        rows = [[x.lever, "%.2fx" % x.ratio, " ".join(x.sets)] for x in self]
        return "<p>%s: %s %s</p>" % (html.escape(self.label), html.escape(_shown(self.value)), html.escape(self.unit)) + html_table(["change", "better by", "setting"], rows)


class Source:
    """What a result came from: a folder, or a configuration with settings, whose run took so many ``seconds``."""

    def __init__(self, config: Optional[Config] = None, set: Optional[Mapping[str, Any]] = None, folder: str = "", seconds: float = 0) -> None:
        self.seconds = seconds
        self._config, self._set, self._folder = config, dict(set or {}), folder
        self._scratch = ""

    def _place(self, name: str) -> str:
        """A path in a folder that goes with this source."""
        if not self._scratch:
            self._scratch = tempfile.mkdtemp(prefix="causeway-")
            weakref.finalize(self, shutil.rmtree, self._scratch, ignore_errors=True)
        return os.path.join(self._scratch, name)

    def _arguments(self) -> List[str]:
        """The configuration and its settings, as the command takes them."""
        config = self._config
        if is_text(config):  # type: ignore[arg-type]
            path = self._place("config.yaml")
            with open(path, "w", encoding="utf-8") as f:
                f.write(text_of(config))  # type: ignore[arg-type]
        else:
            path = os.fspath(config)  # type: ignore[arg-type]
        return [path] + [x for k, v in self._set.items() for x in ("--set", setting(k, v))]

    def folder(self) -> str:
        """The folder with the results; a run without one is made again."""
        if not self._folder:
            out = self._place("run")
            command("run", *self._arguments(), "--out", out, "--html=false", "--quiet")
            self._folder = out
        return self._folder

    def plot(self, name: str, top: int = 0, width: str = "two") -> Figure:
        args = ["plot", self.folder(), name, "--width", width] + (["--top", str(top)] if top else [])
        path = self._place("figure.svg")
        try:
            command(*args, "--out", path)
        except CausewayError as e:
            raise CausewayError(str(e).replace(self._folder + ": ", "", 1)) from None  # a folder of ours says nothing
        with open(path, encoding="utf-8") as f:
            return Figure(name, f.read(), args, self)

    def explain(self, most: int) -> Explanation:
        about = self._arguments() if self._config is not None else [self._folder]
        return Explanation(json.loads(command("explain", *about, "--json", "--quiet", "--most", str(most))))
