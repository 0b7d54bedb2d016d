import os
import tempfile
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
            self.assertEqual(study.front(), [trials[4]])
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
