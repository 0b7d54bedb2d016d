import json
import os
import re
import sys
import tempfile
import textwrap
import types
import unittest

import causeway

try:
    import pandas
except ImportError:  # an extra
    pandas = None

ROOT = os.path.abspath(os.path.join(os.path.dirname(__file__), "..", "..", ".."))
RESNET = os.path.join(ROOT, "configs", "examples", "resnet18.yaml")
FAST = {"Core.fidelity": "analytic"}
SYSTEM = {
    "schema": "causeway/1",
    "workload": {"model": "alexnet"},
    "nodes": [
        {"name": "Core", "kind": "systolic", "fidelity": "analytic", "rows": 16, "cols": 16},
        {"name": "Mem", "kind": "memory", "fidelity": "ideal", "latency": "60ns", "bandwidth": "25.6GB/s"},
    ],
    "links": ["Core -> Mem"],
}


class RunTest(unittest.TestCase):
    def test_file_with_settings(self):
        r = causeway.run(RESNET, set={"Core.rows": 64, **FAST})
        self.assertEqual(r.status, "complete")
        self.assertGreater(r["total_time"], 0)
        self.assertGreater(r["Core.total_cycles"], 0)
        self.assertIn("total_time", list(r.metrics["name"]))
        self.assertEqual(list(r.metrics.columns), ["phase", "where", "name", "value", "unit"])
        self.assertIn("conv1", list(r.layers["layer"]))
        self.assertIsNone(r.series)

    def test_mapping_and_text_are_one(self):
        a = causeway.run(SYSTEM)
        b = causeway.run("""
schema: causeway/1
workload: {model: alexnet}
nodes:
  - {name: Core, kind: systolic, fidelity: analytic, rows: 16, cols: 16}
  - {name: Mem, kind: memory, fidelity: ideal, latency: 60ns, bandwidth: 25.6GB/s}
links: [Core -> Mem]
""")
        self.assertEqual(a.identity, b.identity)
        self.assertEqual(a["total_time"], b["total_time"])

    def test_samples(self):
        r = causeway.run(SYSTEM, set={"Core.fidelity": "tile", "simulation.sample": "1ms"})
        self.assertGreater(len(r.series), 2)

    def test_faults_are_causeways_own(self):
        with self.assertRaisesRegex(causeway.CausewayError, r"Core.rowz: unknown key .*did you mean \"rows\""):
            causeway.run(SYSTEM, set={"Core.rowz": 3})
        with self.assertRaisesRegex(causeway.CausewayError, "no such file"):
            causeway.run("nothing.yaml")
        with self.assertRaises(KeyError):
            causeway.run(SYSTEM)["Core.nothing"]


class NotebookTest(unittest.TestCase):
    def test_result_shows_itself(self):
        r = causeway.run(RESNET, set=FAST)
        self.assertIn("bottleneck", r.sentence)
        page = r._repr_html_()
        self.assertIn("Compute is the bottleneck", page)
        self.assertIn("<td>total_time</td><td>1,838,792</td><td>ns</td>", page)
        cycles = sorted(r.layers["cycles"])
        self.assertIn("<td>{:,}</td>".format(cycles[-1]), page)
        self.assertNotIn("<td>{:,}</td>".format(cycles[0]), page, "the longest layers")
        self.assertEqual(page.count("<svg"), 1)
        self.assertLess(len(page), 25000)
        self.assertIn("<svg", causeway.run(SYSTEM)._repr_html_())

    def test_long_run_is_not_repeated_to_be_shown(self):
        r = causeway.run(SYSTEM)
        r._source.seconds = 11
        self.assertNotIn("<svg", r._repr_html_())
        self.assertEqual(r._source._folder, "")
        self.assertIn("<svg", r.plot("stalls").inline())

    def test_plot(self):
        with tempfile.TemporaryDirectory() as d:
            f = causeway.run(SYSTEM).plot("stalls", top=4)
            self.assertIn("<svg", f._repr_svg_())
            self.assertIn("others (7)", f.svg)
            f.save(os.path.join(d, "stalls.csv"))
            with open(os.path.join(d, "stalls.csv"), encoding="utf-8") as t:
                self.assertIn("wait", t.read())
        with self.assertRaisesRegex(causeway.CausewayError, r'^there is no figure "stals" of it \(want one of: .*; did you mean "stalls"\?\)$'):
            causeway.run(SYSTEM).plot("stals")

    def test_explain(self):
        r = causeway.run(SYSTEM, set={"Core.rows": 8})
        e = r.explain(4)
        self.assertEqual((e.metric, e.value, e.unit), ("total_time", r["total_time"], "ns"))
        path, _, value = e[0].set.partition("=")
        self.assertAlmostEqual(e[0].ratio, r["total_time"] / e[0].value)
        self.assertEqual(e[0].sets[0], e[0].set)
        for lever in e:
            changed = dict(s.split("=", 1) for s in lever.sets)
            again = causeway.run(SYSTEM, set=changed if "Core" in changed else {"Core.rows": 8, **changed})
            self.assertEqual(again["total_time"], lever.value, lever)
        self.assertEqual(len(e), len(list(e)))
        self.assertIn("<table>", e._repr_html_())
        self.assertGreater(e[0].ratio, 1)

    def test_explanation_has_changes_together(self):
        change = lambda name, ratio, sets: {"set": sets[0], "lever": name, "ratio": ratio, "value": 100 / ratio, "sets": sets}
        e = causeway.Explanation({"base": {"metric": "total_time", "value": 100, "unit": "ns", "label": "total time"},
                                  "levers": [change("rows", 2, ["Core.rows=16"]), change("cols", 1.5, ["Core.cols=16"])],
                                  "together": change("rows, cols", 4, ["Core.rows=16", "Core.cols=16"])})
        self.assertEqual([x.ratio for x in e], [4, 2, 1.5])
        self.assertEqual((len(e), e[0]), (3, e.together))
        for text in (repr(e), e._repr_html_()):
            self.assertLess(text.index("rows, cols"), text.index("1.50x"))

    def test_study_and_sweep_show_themselves(self):
        with causeway.Study(SYSTEM, {"Core.rows": [8, 16, 32]}, {"total_time": "min", "Core.rows": "min"}, method="grid") as study:
            front = study.optimize()
            page = study._repr_html_()
        self.assertEqual(len(front), 3)
        self.assertEqual(repr(study), "<causeway.Study total_time: min, Core.rows: min; 3 designs, of which 3 are Pareto-optimal>")
        self.assertIn("<td>{:,}</td>".format(int(front[0].values[0])), page)
        self.assertEqual(study._repr_html_(), page, "also when it is closed")
        with causeway.Study(SYSTEM, objectives=["total_time"]) as own:
            times = {rows: own.evaluate({"Core.rows": rows})[0] for rows in (8, 32, 16)}
            self.assertEqual([(t.set, t.values) for t in own.front()], [({"Core.rows": "32"}, (times[32],))])
        self.assertIn("3 designs, of which 1 are Pareto-optimal", own._repr_html_())
        with tempfile.TemporaryDirectory() as d:
            causeway.sweep(SYSTEM, {"Core.rows": [8, 16]}, out=d)
            self.assertRegex(repr(causeway.read_sweep(d)), "^<causeway.SweepResult 2 points.*>$")

    def test_folder_knows_its_figures(self):
        with tempfile.TemporaryDirectory() as d:
            causeway.sweep(SYSTEM, {"Core.rows": [8, 16, 32]}, objectives={"total_time": "min", "Core.rows": "min"}, out=d)
            s = causeway.read_sweep(d)
            self.assertEqual(len(s.front()), 3)
            self.assertIn("3 points, of which 3 are Pareto-optimal", s._repr_html_())
            self.assertIn("<svg", s.plot().svg)

    def test_front_has_objectives(self):
        with causeway.Study(SYSTEM, {"Core.rows": [8, 16, 32]}, {"total_time": "min", "Core.utilization": "max"}, method="grid") as study:
            for t in study.optimize():
                r = study.run(t)
                self.assertEqual(t.values, (r["total_time"], r["Core.utilization"]))
                self.assertGreater(len(r.explain(1)), 0)

    def test_trackers_of_experiments(self):
        """The pieces of the notebook for MLflow and W&B, with stand-ins that check what those libraries take."""
        logged = []

        class Run:
            def __enter__(self):
                return self

            def __exit__(self, *_):
                return None

            def log(self, values):
                logged.append(values)

        def metrics(values):
            for k, v in values.items():
                assert re.fullmatch(r"[\w\-. /:]{1,250}", k), k  # the names that MLflow allows
                assert isinstance(v, (int, float)), v
            logged.append(values)

        mlflow = types.SimpleNamespace(start_run=lambda run_name: Run(), log_params=logged.append, log_metrics=metrics, log_artifact=os.stat)
        wandb = types.SimpleNamespace(init=lambda project, config: Run(), Image=os.stat)
        with open(os.path.join(ROOT, "docs", "python.ipynb"), encoding="utf-8") as f:
            text = "".join("".join(c["source"]) for c in json.load(f)["cells"] if c["cell_type"] == "markdown")
        at = os.getcwd()
        for name, module in (("mlflow", mlflow), ("wandb", wandb)):
            block = re.search(r"((?:^    .*\n)*^    import causeway, %s\n(?:^    .*\n)*)" % name, text, re.M).group(1)
            self.assertLessEqual(block.count("\n"), 10)
            with tempfile.TemporaryDirectory() as d:
                os.symlink(os.path.join(ROOT, "configs"), os.path.join(d, "configs"))
                os.chdir(d)
                sys.modules[name] = module
                try:
                    exec(textwrap.dedent(block), {})
                finally:
                    os.chdir(at)
                    del sys.modules[name]
        self.assertEqual(len(logged), 3 * 2 + 3 * 2)
        self.assertIn("total_time", logged[1])

    def test_parquet_of_a_sweep(self):
        axes = {"Core.rows": [8, 16]}
        with self.assertRaisesRegex(causeway.CausewayError, "which out names"):
            causeway.sweep(SYSTEM, axes, parquet=True)
        with tempfile.TemporaryDirectory() as d:
            try:
                import pyarrow.parquet
            except ImportError:  # an extra
                with self.assertRaisesRegex(ImportError, "pyarrow"):
                    causeway.sweep(SYSTEM, axes, out=d, parquet=True)
                return
            points = causeway.sweep(SYSTEM, axes, out=d, parquet=True)
            self.assertEqual(pyarrow.parquet.read_table(os.path.join(d, "points.parquet"))["total_time"].to_pylist(), list(points["total_time"]))

    def test_parquet(self):
        r = causeway.run(SYSTEM)
        with tempfile.TemporaryDirectory() as d:
            try:
                import pyarrow.parquet
            except ImportError:  # an extra
                with self.assertRaisesRegex(ImportError, "pyarrow"):
                    r.to_parquet(d)
                return
            paths = r.to_parquet(d)
            self.assertEqual([os.path.basename(p) for p in paths], ["metrics.parquet", "layers.parquet"])
            self.assertEqual(pyarrow.parquet.read_table(paths[1])["cycles"].to_pylist(), list(r.layers["cycles"]))


class SweepTest(unittest.TestCase):
    def test_grid(self):
        t = causeway.sweep(SYSTEM, {"Core.rows": [8, 16], "Core.dataflow": ["os", "ws"]}, metrics=["total_time", "Core.utilization"])
        self.assertEqual(len(t), 4)
        self.assertEqual(list(t["set:Core.rows"]), [8, 8, 16, 16])
        self.assertEqual(list(t["set:Core.dataflow"]), ["os", "ws", "os", "ws"])
        self.assertEqual(list(t["status"]), ["complete"] * 4)
        self.assertEqual(t["total_time"][2], causeway.run(SYSTEM, set={"Core.dataflow": "os"})["total_time"])

    def test_folder_stays(self):
        with tempfile.TemporaryDirectory() as d:
            causeway.sweep(RESNET, {"Core.rows, Core.cols": [16, 32], "Mem.bandwidth": {"from": 10, "to": 40, "times": 2, "unit": "GB/s"}},
                           set=FAST, out=d, where="Core.rows > 8", objectives={"total_time": "min", "Core.utilization": "max"})
            s = causeway.read_sweep(d)
            self.assertEqual(len(s.points), 6)
            self.assertIn("first_order", list(s.sensitivity.columns))
            self.assertLess(len(s.pareto), 6)

    def test_failures(self):
        axes = {"Core.sram.ifmap": ["64B", "64KiB"]}
        with self.assertRaisesRegex(causeway.CausewayError, "not every point"):
            causeway.sweep(SYSTEM, axes)
        t = causeway.sweep(SYSTEM, axes, allow_failed=True)
        self.assertEqual(list(t["status"]), ["failed", "complete"])

    def test_sweep_file(self):
        self.assertEqual(len(causeway.sweep(os.path.join(ROOT, "configs", "examples", "sweep.yaml"), set=FAST)), 54)
        with self.assertRaisesRegex(causeway.CausewayError, "a sweep needs axes"):
            causeway.sweep(SYSTEM)


class StudyTest(unittest.TestCase):
    axes = {"Core.rows": [8, 16, 32, 64], "Core.cols": [8, 16, 32, 64], "Core.dataflow": ["os", "ws", "is"]}

    def test_own_optimiser(self):
        with causeway.Study(SYSTEM, objectives=["total_time", "energy"]) as study:
            costs = {rows: study.evaluate({"Core.rows": rows}) for rows in (8, 16, 32)}
        self.assertEqual(len(costs[8]), 2)
        self.assertLess(costs[32][0], costs[8][0])

    def test_search_in_parallel_is_the_search(self):
        fronts = []
        for jobs in (1, 3):
            with causeway.Study(SYSTEM, self.axes, ["total_time", "Core.rows * Core.cols"], points=30, jobs=jobs) as study:
                fronts.append(study.optimize())
                self.assertEqual(study.ask(), [])
        self.assertEqual(fronts[0], fronts[1])
        self.assertGreater(len(fronts[0]), 2)

    def test_tell(self):
        with causeway.Study(SYSTEM, self.axes, {"total_time": "max"}, method="random", points=6) as study:
            trials = study.ask(6)
            self.assertEqual(len(trials), 6)
            for i, t in enumerate(trials[:5]):
                study.tell(t, {"total_time": i})
            study.tell(trials[5], failed="broken")
            self.assertEqual([t.point for t in study.front()], [trials[4].point])
            with self.assertRaisesRegex(causeway.CausewayError, "was not asked for"):
                study.tell(trials[0], {"total_time": 1})

    def test_a_hundred_points(self):
        with causeway.Study(RESNET, objectives=["total_time"]) as study:
            best = min(study.evaluate({"Core.rows": 8 + i % 10, "Core.cols": 8 + i // 10, **FAST})[0] for i in range(100))
        self.assertGreater(best, 0)


class TableTest(unittest.TestCase):
    def test_table_without_pandas(self):
        t = causeway.Table(["a", "b"], [[1, "x"], [2, None]])
        self.assertEqual(t["a"], [1, 2])
        self.assertEqual(t.shape, (2, 2))
        self.assertEqual(t[-1], {"a": 2, "b": None})
        with self.assertRaises(IndexError):
            t[2]
        self.assertEqual(list(t)[1], {"a": 2, "b": None})
        self.assertIn("a  b\n1  x", repr(t))
        with self.assertRaisesRegex(KeyError, "there are: a, b"):
            t["c"]

    @unittest.skipUnless(pandas, "there is no pandas")
    def test_tables_are_data_frames(self):
        r = causeway.run(SYSTEM)
        for t in (r.metrics, r.layers):
            self.assertIsInstance(t, pandas.DataFrame)
        self.assertEqual(r.layers["cycles"].sum(), r["Core.total_cycles"])
        self.assertEqual(r.metrics.dtypes["value"], "float64")
        t = causeway.sweep(SYSTEM, {"Core.rows": [8, 16, 32], "Core.sram.ifmap": ["64B", "64KiB"]}, allow_failed=True)
        self.assertIsInstance(t, pandas.DataFrame)
        self.assertEqual(t.groupby("status")["point"].count().to_dict(), {"complete": 3, "failed": 3})
        self.assertEqual(t["total_time"].isna().sum(), 3, "what is empty is NaN")
        self.assertEqual(t.loc[t["total_time"].idxmin(), "set:Core.rows"], 32)


if __name__ == "__main__":
    unittest.main()
