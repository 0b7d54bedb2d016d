"""The protocol of ``causeway serve --stdio``: one JSON object per line."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import threading
from typing import Any, Dict, Iterable, List, Mapping, Optional, Sequence, Union

Config = Union[str, "os.PathLike[str]", Mapping[str, Any]]
Settings = Mapping[str, Any]


class CausewayError(Exception):
    """What causeway says is wrong, in its own words."""


def binary() -> str:
    """The program: that of the environment variable CAUSEWAY, else causeway on the PATH."""
    path = os.environ.get("CAUSEWAY") or shutil.which("causeway")
    if not path:
        raise CausewayError("causeway is not on the PATH, and the environment variable CAUSEWAY does not name it")
    return path


def is_text(config: Config) -> bool:
    """Whether a configuration is given itself, as YAML or a mapping, and not as a file."""
    return isinstance(config, Mapping) or isinstance(config, str) and "\n" in config


def text_of(config: Config) -> str:
    return config if isinstance(config, str) else json.dumps(config)  # JSON is YAML


def value_of(value: Any) -> Any:
    """A setting as --set writes it: numbers of numpy and others as plain ones."""
    if hasattr(value, "item"):
        value = value.item()
    return value


class Server:
    """A process that answers requests, with one configuration loaded; close it, or use it in ``with``.

    Points cost milliseconds. ``jobs`` are run at a time by :meth:`map`.
    """

    def __init__(self, config: Optional[Config] = None, *, set: Optional[Settings] = None, axes: Sequence[str] = (), jobs: int = 1) -> None:
        self._lock = threading.Lock()
        self._process = subprocess.Popen([binary(), "serve", "--stdio", "--jobs", str(jobs)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, encoding="utf-8")
        if config is not None:
            try:
                self.load(config, set=set, axes=axes)
            except BaseException:
                self.close()
                raise

    def load(self, config: Config, *, set: Optional[Settings] = None, axes: Sequence[str] = ()) -> None:
        request: Dict[str, Any] = {"text": text_of(config)} if is_text(config) else {"file": os.fspath(config)}  # type: ignore[arg-type]
        if set:
            request["set"] = {k: value_of(v) for k, v in set.items()}
        if axes:
            request["axes"] = list(axes)
        self.call("load", **request)

    def call(self, op: str, **request: Any) -> Dict[str, Any]:
        """Make one request and return its answer; an error of causeway is a CausewayError."""
        answer = self.map([{"op": op, **request}])[0]
        if answer.get("error"):
            raise CausewayError(answer["error"])
        return answer

    def map(self, requests: Iterable[Mapping[str, Any]]) -> List[Dict[str, Any]]:
        """Make many requests and return the answers in their order; an answer may hold an error."""
        wanted = list(requests)
        answers: List[Dict[str, Any]] = [{} for _ in wanted]
        with self._lock:
            writer = threading.Thread(target=self._write, args=(wanted,))
            writer.start()
            for _ in wanted:
                line = self._process.stdout.readline() if self._process.stdout else ""
                if not line:
                    raise CausewayError("causeway has ended")
                answer = json.loads(line)
                answers[answer.pop("id")] = answer
            writer.join()
        return answers

    def _write(self, requests: Sequence[Mapping[str, Any]]) -> None:
        try:
            for i, request in enumerate(requests):
                self._process.stdin.write(json.dumps({**request, "id": i}) + "\n")  # type: ignore[union-attr]
            self._process.stdin.flush()  # type: ignore[union-attr]
        except OSError:
            pass  # it has ended, which the reader sees

    def close(self) -> None:
        if self._process.stdin:
            try:
                self._process.stdin.close()
            except OSError:
                pass
        self._process.wait()
        if self._process.stdout:
            self._process.stdout.close()

    def __enter__(self) -> "Server":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
