package std

import (
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

const module = "github.com/causeway-sim/causeway/"

// levels gives each room its storey. Imports go down or stay; nodes (level 4) do
// not import each other.
var levels = map[string]int{
	"components/build": 0, "components/journal": 1, "components/atomicfile": 0, "components/usage": 1, "components/slurm": 1, "components/formula": 1, "components/explore": 1,
	"components/units": 0, "components/cause": 0, "components/clock": 0, "components/clock/instant": 1, "configs": 0, "configs/schema": 0, "configs/editor": 1, "configs/presets": 0, "configs/yaml": 1, "configs/plain": 1, "workloads/graph": 0, "workloads/graph/masking": 0, "workloads/graph/fuse": 1,
	"components/stats": 0, "components/registry": 0, "components/registry/named": 0, "components/ring": 0, "components/integer": 0, "components/glob": 0, "components/pool": 0, "components/bitset": 0, "components/task": 1, "components/random": 0, "components/calendar": 0, "components/chain": 0, "components/crew": 0, "components/engine": 1, "memory": 1, "workloads/zoo": 1,
	"accelerators/dataflow": 2, "accelerators/shift": 2, "accelerators/fpga": 2, "accelerators/tensorcore": 2, "accelerators/dataflow/array": 2, "accelerators/mapping": 2, "accelerators/mapping/block": 1, "accelerators/mapping/dma": 1, "accelerators/mapping/machine": 2, "accelerators/mapping/layout": 2, "accelerators/mapping/product": 2, "accelerators/mapping/walk": 2, "accelerators/mapping/tile": 2, "accelerators/mapping/attention": 2, "accelerators/mapping/vector": 2, "components/energy": 1, "components/cost": 1, "components/thermal": 1, "accelerators/peers/scalesim": 2,
	"accelerators/search": 1, "accelerators/peers/onnxim": 2, "accelerators/peers/nvdla": 2, "accelerators/peers/eyeriss": 2, "accelerators/gemmini": 2, "accelerators/nest": 2, "accelerators/nest/design": 2, "accelerators/nest/tile": 2, "accelerators/nest/planner": 2, "accelerators/nest/relax": 2, "accelerators/nest/timeloop": 2,
	"memory/policy": 2, "memory/policy/dco": 3, "memory/object": 2, "memory/bound": 2, "memory/block": 2, "memory/direct": 2, "workloads/synthetic": 2, "workloads/synthetic/tracetest": 2, "workloads/trace": 2,
	"memory/cxl/flit": 2, "memory/cxl/coherence": 2, "memory/cxl/link": 2, "memory/cxl/hdm": 2,
	"memory/cxl/transit": 2, "memory/cxl/route": 2, "memory/cxl/pool": 2, "memory/cxl/coherent": 2, "memory/cxl/loss": 2,
	"workloads/comm": 2, "workloads/comm/chakrapb": 2, "workloads/comm/commtest": 2, "workloads/comm/goal": 2, "workloads/comm/dumpi": 2, "workloads/comm/pmpi": 2, "workloads/comm/chakra": 2, "workloads/comm/motif": 2, "workloads/player/seat": 3, "workloads/player/ranks": 4, "workloads/player/ranks/placement": 3, "workloads/player/ranks/match": 2, "workloads/player/ranks/depend": 2, "workloads/player/ranks/collectives": 2, "workloads/player/ranks/symmetry": 2, "workloads/player/hosts": 4, "workloads/player/cpu": 4,
	"memory/tiering/placement": 2, "memory/tiering": 4,
	"memory/address": 2, "workloads/format": 2, "workloads/format/formattest": 2, "workloads/format/huggingface": 2, "workloads/format/onnx": 2, "workloads/format/onnx/node": 2, "workloads/format/onnx/wire": 2, "workloads/format/program": 2, "workloads/format/stablehlo": 2, "workloads/format/torchexport": 2, "workloads/format/table": 2, "workloads/operator": 2, "workloads/format/onnx/onnxpb": 2,
	"noc/allocator": 1, "noc/topology": 1, "noc/routing": 2, "noc/routing/deadlock": 2, "noc/traffic": 2, "noc/collective": 2, "noc/fabric": 3, "noc/flit": 4, "noc/fabric/setting": 3, "noc/fabric/measure": 5,
	"noc/network": 3, "noc/peers/fogsim": 3, "noc/peers/booksim": 1, "noc/peers/replay": 3, "noc/channel": 3, "noc/congestion": 2, "noc/transport": 3, "noc/packet": 4, "noc/flow": 4, "workloads/player/traffic": 4,
	"components/system": 3, "accelerators/work": 3, "memory/inorder": 3, "memory/memtest": 3,
	"memory/memlink": 4, "workloads/schedule": 2, "workloads/serving": 2, "workloads/player/issue": 3, "workloads/player/serve": 4, "workloads/service": 2, "workloads/player/steps": 4, "workloads/player/schedule": 4, "workloads/player/nic": 4, "workloads/player/communicator": 4, "workloads/parallel": 2, "workloads/parallel/cores": 2, "workloads/recipe": 2,
	"memory/ideal": 4, "memory/dram": 4, "memory/curve": 4, "memory/cache": 4, "memory/cxl": 4, "accelerators/systolic": 3, "accelerators/systolic/burst": 2, "accelerators/systolic/kernel": 3, "accelerators/systolic/peertiming": 3, "accelerators/roofline": 4, "accelerators/gpu": 4, "accelerators/gpu/kernel": 1, "accelerators/gpu/launch": 1, "accelerators/gpu/library": 1, "accelerators/gpu/power": 1, "accelerators/gpu/profile": 1, "accelerators/lanes": 4, "accelerators/profile": 4, "accelerators/tconv": 2, "accelerators/skip": 2, "accelerators/work/inorder": 3, "accelerators/work/streamed": 3, "accelerators/curve": 1, "accelerators/spatial": 4, "workloads/player": 4,
	"memory/dram/standard": 2, "memory/dram/timing": 2, "memory/dram/buslog": 2, "memory/dram/hammer": 2, "memory/dram/power": 2, "memory/dram/ecc": 2, "memory/dram/latency": 2,
	"memory/cxl/setting": 3, "memory/cxl/outstanding": 3, "memory/cache/tagstore": 2, "memory/cache/mshr": 2, "memory/cache/prefetch": 2, "memory/cache/reuse": 2, "memory/cache/hindsight": 3, "memory/cache/tally": 3, "memory/cache/content": 2, "memory/cache/tensor": 2, "memory/cache/line": 1, "memory/cache/bank": 1, "memory/cache/region": 2, "memory/cache/flush": 2, "memory/cache/inclusion": 2, "memory/cache/below": 2,
	"accelerators/nearmem/ring": 2, "accelerators/nearmem/offload": 2, "accelerators/nearmem": 4,
	"memory/peers/tsim4cxl": 4, "memory/missratio": 5,
	"components/report/chart": 1, "components/report/browser": 0, "components/report/layers": 5, "components/report/panel": 5, "components/report/panel/memory": 5, "components/report/folder": 5, "components/report/site": 5, "components/report/draw": 5, "components/report/page": 5,
	"components/scenario": 5, "components/experiment": 5, "components/experiment/catalogue": 5, "components/experiment/demand": 5, "components/experiment/plan": 5, "components/experiment/bottleneck": 5, "components/experiment/result": 5, "components/experiment/served": 5, "components/experiment/deployed": 5, "components/experiment/watch": 5, "components/experiment/evaluation": 5, "components/experiment/sweep": 5, "components/experiment/sweep/grid": 5, "components/experiment/sweep/remote": 5, "components/experiment/explain": 5, "components/experiment/item": 5, "components/experiment/fewer": 5, "components/report": 5, "components/validation": 5, "components/std": 5, "components/tracing": 5,
	"components/importer": 5, "components/importer/importertest": 5, "components/importer/scalesim": 5, "components/importer/booksim": 5, "components/importer/ramulator": 5, "components/importer/astrasim": 5, "components/importer/timeloop": 5,
	"workloads/schedule/assign": 2, "workloads/fusion": 2, "memory/scratchpad": 4, "memory/arbiter": 4,
	"cmd/causeway": 6, "cmd/causeway/command": 6, "cmd/causeway/trace": 6, "cmd/causeway/workload": 6, "cmd/causeway/progress": 6, "cmd/causeway/runs": 6, "cmd/causeway/studies": 6, "cmd/causeway/sweeps": 6,
}

func goList(t *testing.T, args ...string) []string {
	c := exec.Command("go", append([]string{"list"}, args...)...)
	c.Dir = "../.."
	c.Env = append(os.Environ(), "CGO_ENABLED=0")
	c.Stderr = os.Stderr
	out, err := c.Output()
	require.NoError(t, err)
	return strings.Split(strings.TrimSpace(string(out)), "\n")
}

// The house: who may import whom. A package that is not listed has no room yet.
func TestImportsGoDown(t *testing.T) {
	for _, line := range goList(t, "-f", `{{.ImportPath}} {{join .Imports " "}}`, "./...") {
		words := strings.Fields(line)
		from := strings.TrimPrefix(words[0], module)
		level, ok := levels[from]
		if !ok {
			t.Errorf("package %s has no level; add it to the table", from)
			continue
		}
		for _, imp := range words[1:] {
			to, ours := strings.CutPrefix(imp, module)
			if !ours {
				continue
			}
			if levels[to] > level {
				t.Errorf("%s (level %d) imports %s (level %d)", from, level, to, levels[to])
			}
			if level == 4 && levels[to] == 4 {
				t.Errorf("node %s imports node %s", from, to)
			}
		}
	}
}

// A run knows nodes by their interfaces alone: what is above the nodes imports none of
// them, but for the list of the built-in ones and what is measured against it.
func TestRunKnowsNoNode(t *testing.T) {
	for _, room := range []string{"components/experiment", "components/experiment/demand", "components/experiment/plan", "components/experiment/served", "components/experiment/deployed", "components/experiment/result", "components/experiment/watch", "components/experiment/evaluation", "components/experiment/bottleneck", "components/experiment/sweep", "components/experiment/sweep/remote", "components/experiment/explain", "components/report", "components/tracing"} {
		require.Equal(t, 5, levels[room])
		for _, imp := range goList(t, "-f", `{{join .Imports "\n"}}`, "./"+room) {
			if to, ours := strings.CutPrefix(imp, module); ours && levels[to] == 4 {
				t.Errorf("%s imports node %s", room, to)
			}
		}
	}
}

// Importers of the core library get of Akita only the simulation kernel and the
// memory messages (whose own package imports mem/vm), and no database driver.
func TestCoreLibraryIsLight(t *testing.T) {
	allowed := []string{"sim", "mem/mem", "mem/vm"}
	heavy := []string{module + "cmd/causeway", module + "components/report", module + "components/report/draw", module + "components/report/page", module + "components/report/site", module + "components/tracing"}
	var core []string
	for _, p := range goList(t, "./...") {
		if !slices.Contains(heavy, p) {
			core = append(core, p)
		}
	}
	for _, dep := range goList(t, append([]string{"-deps"}, core...)...) {
		if akita, ok := strings.CutPrefix(dep, "github.com/sarchlab/akita/v3/"); ok && !slices.Contains(allowed, akita) {
			t.Errorf("the core library imports Akita's %s", akita)
		}
		if strings.Contains(dep, "sqlite") || strings.Contains(dep, "mysql") || dep == "runtime/cgo" {
			t.Errorf("the core library imports %s", dep)
		}
	}
}

// pure are the rooms that compute values and know no simulator.
var pure = []string{
	"components/units", "components/cause", "components/clock", "components/pool", "components/bitset", "components/chain", "components/crew", "configs", "configs/schema", "configs/editor",
	"memory/cxl/transit", "memory/cxl/route", "memory/cxl/pool", "memory/cxl/coherent", "memory/cxl/loss",
	"memory/dram/standard", "memory/dram/timing", "memory/dram/buslog", "memory/dram/hammer", "memory/dram/power", "memory/dram/ecc", "memory/dram/latency", "memory/cache/tagstore", "memory/cache/mshr", "memory/cache/line", "memory/cache/bank", "memory/cache/prefetch", "memory/cache/reuse",
	"memory/policy", "memory/policy/dco", "memory/object", "memory/address", "noc/topology", "noc/routing", "noc/routing/deadlock", "noc/congestion", "noc/allocator", "noc/collective", "noc/traffic", "noc/peers/booksim",
	"accelerators/peers/nvdla", "accelerators/peers/eyeriss", "accelerators/gemmini", "components/random",
	"accelerators/mapping", "accelerators/mapping/dma", "accelerators/mapping/machine", "accelerators/mapping/layout", "accelerators/mapping/product", "accelerators/mapping/walk", "accelerators/mapping/tile", "accelerators/mapping/attention", "accelerators/mapping/vector", "components/integer", "components/glob", "accelerators/shift", "accelerators/fpga", "accelerators/tconv", "accelerators/nest", "accelerators/nest/design", "accelerators/nest/tile", "accelerators/nest/planner", "accelerators/nest/relax", "accelerators/nest/timeloop", "accelerators/search", "components/energy", "components/cost", "components/thermal", "accelerators/dataflow", "accelerators/dataflow/array",
	"workloads/player/ranks/match", "workloads/player/ranks/depend", "workloads/player/ranks/collectives", "workloads/player/ranks/symmetry",
	"workloads/trace", "workloads/comm", "workloads/comm/goal", "workloads/comm/dumpi", "workloads/comm/pmpi", "workloads/comm/chakra", "workloads/comm/motif", "workloads/graph", "workloads/graph/masking", "workloads/graph/fuse", "workloads/format", "workloads/format/huggingface", "workloads/format/onnx", "workloads/format/onnx/node", "workloads/format/program", "workloads/format/stablehlo", "workloads/format/torchexport", "workloads/format/table", "workloads/zoo", "workloads/schedule", "workloads/schedule/assign", "workloads/fusion", "workloads/parallel", "workloads/parallel/cores",
}

// played are pure rooms whose own tests play their work on nodes.
var played = []string{"memory/policy"}

// Who imports a pure room links no simulator, and neither do its tests, but for those
// of played.
func TestPureIsPure(t *testing.T) {
	deps := depsOf(t, "-test")
	for _, room := range pure {
		for _, name := range []string{module + room, module + room + ".test"} {
			if slices.Contains(played, room) && strings.HasSuffix(name, ".test") {
				continue
			}
			for _, dep := range deps[name] {
				if strings.Contains(dep, "sarchlab/akita") {
					t.Errorf("%s is pure and links %s", name, dep)
				}
			}
		}
		require.Contains(t, deps, module+room)
	}
}

// depsOf is what each package links, in one call of go.
func depsOf(t *testing.T, args ...string) map[string][]string {
	out := map[string][]string{}
	for _, line := range goList(t, append(args, "-f", `{{.ImportPath}} {{join .Deps " "}}`, "./...")...) {
		name, deps, _ := strings.Cut(line, " ")
		if !strings.HasPrefix(deps, "[") { // a package as a test links it
			out[name] = strings.Fields(deps)
		}
	}
	return out
}

// A component taken alone links no reader of YAML, no schema library and no command
// line: its Spec is a plain struct, and configs reads it without them.
func TestComponentsAreLight(t *testing.T) {
	heavy := regexp.MustCompile(`yaml|jsonschema|spf13|mapstructure`)
	deps := depsOf(t)
	for p, level := range levels {
		if level > 4 || p == "configs/yaml" || p == "workloads/format/formattest" || p == "workloads/comm/commtest" { // the last two are of tests
			continue
		}
		require.Contains(t, deps, module+p)
		for _, dep := range deps[module+p] {
			if heavy.MatchString(dep) {
				t.Errorf("%s links %s", p, dep)
			}
		}
	}
}

// What one package asks of another's values has a name and a contract: no assertion to
// an interface without a name, but for the errors of errors.Join.
func TestContractsHaveNames(t *testing.T) {
	nameless := regexp.MustCompile(`\.\(interface *\{[^}]+\}`)
	require.NoError(t, filepath.WalkDir("../..", func(path string, d fs.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return err
		}
		text, err := os.ReadFile(path)
		for _, hit := range nameless.FindAllString(string(text), -1) {
			if !strings.Contains(hit, "Unwrap() []error") {
				t.Errorf("%s: %s", path, hit)
			}
		}
		return err
	}))
}

// Metrics are declared in metric.go, or in a file that says of what (timed_metric.go),
// and nothing else is called stats.go than the package of that name.
func TestMetricsAreInMetricFiles(t *testing.T) {
	declares := regexp.MustCompile(`\.(Count|Value|ValueIn)\(.*\bstats\.[A-Z]`)
	found := 0
	for room, level := range levels {
		files, err := filepath.Glob("../../" + room + "/*.go")
		require.NoError(t, err)
		for _, f := range files {
			name := filepath.Base(f)
			if strings.HasSuffix(name, "_test.go") || level > 4 || room == "components/stats" {
				continue
			}
			text, err := os.ReadFile(f)
			require.NoError(t, err)
			metric := name == "metric.go" || strings.HasSuffix(name, "_metric.go")
			declared := declares.Match(text)
			if declared && !metric {
				t.Errorf("%s/%s declares metrics: they belong into metric.go", room, name)
			}
			if name == "stats.go" {
				t.Errorf("%s/%s: want metric.go", room, name)
			}
			if declared {
				found++
			}
		}
	}
	require.Greater(t, found, 20)
}

// Every package with a node kind has a builder as Akita's own components have.
func TestNodesHaveBuilders(t *testing.T) {
	text, err := os.ReadFile("std.go")
	require.NoError(t, err)
	for _, m := range regexp.MustCompile(`\n\t_ "`+module+`(.*)"`).FindAllStringSubmatch(string(text), -1) {
		if m[1] == "configs/yaml" || strings.HasPrefix(m[1], "workloads/format/") || strings.HasPrefix(m[1], "workloads/comm/") {
			continue // no node kind
		}
		files, err := filepath.Glob("../../" + m[1] + "/*.go")
		require.NoError(t, err)
		found := slices.ContainsFunc(files, func(f string) bool {
			text, err := os.ReadFile(f)
			require.NoError(t, err)
			return strings.Contains(string(text), "\nfunc MakeBuilder(")
		})
		require.True(t, found, "%s has no MakeBuilder", m[1])
	}
}
