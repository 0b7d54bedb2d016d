"""Run the Causeway simulator from Python.

>>> import causeway
>>> r = causeway.run("resnet18.yaml", set={"Core.rows": 64})
>>> r["total_time"]
>>> causeway.sweep("resnet18.yaml", {"Core.rows": [16, 32], "Core.dataflow": ["os", "ws"]})

Nothing but the command ``causeway`` is needed: it is the program that the environment
variable CAUSEWAY names, else the one on the PATH. Tables are pandas DataFrames where pandas
is installed, else a :class:`Table` that reads the same by column.
"""

from .client import CausewayError, Server, binary
from .results import Result, SweepResult, read_run, read_sweep
from .show import Explanation, Figure, Lever
from .study import Study, Trial, run, sweep
from .table import Table

__all__ = ["CausewayError", "Explanation", "Figure", "Lever", "Result", "Server", "Study", "SweepResult", "Table", "Trial", "binary", "read_run", "read_sweep", "run", "sweep"]
