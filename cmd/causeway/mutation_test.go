package main

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/cmd/causeway/command"
)

// good is a configuration that runs; each mutation breaks one thing in it.
const good = `schema: causeway/1
extends: base.yaml
params: {side: 32, far: 60ns}
workload: {model: alexnet, batch: 1, dtype: int8}
mapping: {cores: Core, split: column}
nodes:
  - name: Core
    kind: systolic
    fidelity: tile
    count: 2
    rows: $side
    cols: $side
    dataflow: ws
    clock: 1GHz
    sram: {ifmap: 64KiB, filter: 64KiB, ofmap: 64KiB}
    dma: {burst: 4KiB, outstanding: 16}
  - {name: Mem, kind: memory, fidelity: ideal, preset: ddr4_3200, latency: $far}
links:
  - Core -> Mem
`

// beside are the files that lie beside the configuration.
var beside = map[string]string{
	"base.yaml":   "schema: causeway/1\nsimulation: {seed: 1}\n",
	"loop.yaml":   "schema: causeway/1\nextends: config.yaml\n",
	"tabs.yaml":   "schema: causeway/1\nnodes:\n\t- {name: A}\n",
	"latin.yaml":  "schema: causeway/1\ntitle: \xe9\n",
	"two.yaml":    "schema: causeway/1\n---\nschema: causeway/1\n",
	"empty.csv":   "",
	"net.csv":     "Layer name, IFMAP Height, IFMAP Width, Filter Height, Filter Width, Channels, Num Filter, Strides,\nfirst, 16, 16, 3, 3, 8, 16, 1,\nsecond, 14, 14, 30, 3, 16, 16, 1,\n",
	"half.onnx":   "\x08\x07\x12\x07pytorch\x3a\xff",
	"prose.txt":   "Dear reader,\nthis is no network.\n",
	"config.json": `{"model_type": "llama", "hidden_size": 4096`,
}

// A mutation replaces old by new in good, or gives settings.
type mutation struct {
	name, old, new string
	set            []string
}

func change(name, old, new string) mutation       { return mutation{name: name, old: old, new: new} }
func setting(name string, set ...string) mutation { return mutation{name: name, set: set} }
func withWorkload(name, new string) mutation {
	return change(name, "{model: alexnet, batch: 1, dtype: int8}", new)
}
func node(name, key string) mutation {
	return change(name, "    clock: 1GHz\n", "    clock: 1GHz\n    "+key+"\n")
}
func more(name, section string) mutation { return change(name, "links:\n", section+"\nlinks:\n") }

// nets puts a network and traffic beside the cores.
func nets(name, net, traffic string) mutation {
	return change(name, "links:\n", "  - {name: Net, kind: network, fidelity: flit, "+net+"}\n  - {name: Traffic, kind: traffic, "+traffic+"}\nlinks:\n  - Traffic -> Net\n")
}

// tiers puts a node of tiers between the cores and two memories.
func tiers(name, tier, sections string) mutation {
	m := change(name, "links:\n  - Core -> Mem\n", "  - {name: Far, kind: memory, fidelity: ideal, latency: 100ns, size: 1GiB}\n  - {name: Tier, kind: tiering, "+tier+"}\nlinks:\n  - Core[0] -> Tier.top\n  - Core[1] -> Tier.top\n  - Tier.bottom[0] -> Mem\n  - Tier.bottom[1] -> Far\n"+sections)
	return m
}

const ranges = "memory:\n  - {tier: near, node: Mem, base: 0GiB, size: 1GiB}\n  - {tier: far, node: Far, base: 1GiB, size: 1GiB}\nplacement: {default: near}\n"

const fly = "topology: {name: dragonfly, p: 2, a: 4, h: 2}"

var mutations = []mutation{
	// types
	change("a fraction of a row", "rows: $side", "rows: 8.7"),
	change("text for a number", "rows: $side", "rows: many"),
	change("a list for a number", "rows: $side", "rows: [32, 32]"),
	change("octal or not", "rows: $side", "rows: 010"),
	change("a mapping for text", "dataflow: ws", "dataflow: {name: ws}"),
	change("a scalar for buffers", "sram: {ifmap: 64KiB, filter: 64KiB, ofmap: 64KiB}", "sram: 64KiB"),
	change("a list of nodes that is a mapping", "nodes:\n  - name: Core\n    kind", "nodes:\n    name: Core\n    kind"),
	change("a node that is a word", "  - {name: Mem, kind: memory, fidelity: ideal, preset: ddr4_3200, latency: $far}", "  - Mem"),
	change("true for a clock", "clock: 1GHz", "clock: true"),
	change("a key without a value", "dataflow: ws", "dataflow:"),
	// keys
	change("a key misspelt", "rows: $side", "rosw: $side"),
	change("a key twice", "cols: $side", "rows: $side"),
	change("a section misspelt", "mapping:", "maping:"),
	change("a key inside a buffer", "ofmap: 64KiB", "omap: 64KiB"),
	change("a node without a name", "  - name: Core\n    kind: systolic", "  - kind: systolic"),
	change("a node without a kind", "    kind: systolic\n", ""),
	change("no schema", "schema: causeway/1\n", ""),
	change("a schema of tomorrow", "schema: causeway/1", "schema: causeway/2"),
	node("a key of another timing", "scalesim_dram: true"),
	// units
	change("no unit", "clock: 1GHz", "clock: 1000"),
	change("a unit misspelt", "clock: 1GHz", "clock: 1Ghz"),
	change("a unit of something else", "burst: 4KiB", "burst: 4ns"),
	change("a negative time", "far: 60ns", "far: -60ns"),
	change("half a byte", "burst: 4KiB", "burst: 0.3B"),
	// names
	change("an unknown kind", "kind: systolic", "kind: sistolic"),
	change("an unknown dataflow", "dataflow: ws", "dataflow: rs"),
	change("a name that is no name", "name: Mem,", "name: mem,"),
	change("two nodes of one name", "name: Mem,", "name: Core,"),
	change("a model misspelt", "model: alexnet", "model: alexnett"),
	change("an unknown data type", "dtype: int8", "dtype: int9"),
	// ranges
	change("no rows at all", "rows: $side", "rows: 0"),
	change("more rows than there are", "rows: $side", "rows: 1000000"),
	change("no copies", "count: 2", "count: 0"),
	change("a million copies", "count: 2", "count: 1000000"),
	change("a clock that stands", "clock: 1GHz", "clock: 0Hz"),
	change("no requests in flight", "outstanding: 16", "outstanding: 0"),
	change("a buffer of nothing", "ifmap: 64KiB", "ifmap: 0B"),
	change("a buffer too small for any tile", "ifmap: 64KiB", "ifmap: 16B"),
	change("a negative batch", "batch: 1", "batch: -1"),
	setting("a memory too small for the weights", "Mem.size=1MiB"),
	// links
	change("no link", "  - Core -> Mem\n", "  []\n"),
	change("a link to nobody", "Core -> Mem", "Core -> Men"),
	change("a link to a port that is not there", "Core -> Mem", "Core -> Mem.botom"),
	change("a link to itself", "Core -> Mem", "Core -> Core"),
	change("a link twice", "  - Core -> Mem\n", "  - Core -> Mem\n  - Core[1] -> Mem\n"),
	change("no arrow", "Core -> Mem", "Core Mem"),
	change("an element that is not there", "Core -> Mem", "Core[0..2] -> Mem"),
	change("only one of two linked", "Core -> Mem", "Core[0] -> Mem"),
	change("a link without latency", "- Core -> Mem", "- {link: Core -> Mem, latency: 0ns}"),
	change("a link of an unknown key", "- Core -> Mem", "- {link: Core -> Mem, lanes: 4}"),
	// fidelities
	change("an unknown fidelity", "fidelity: tile", "fidelity: tiles"),
	change("a fidelity of another kind", "fidelity: ideal", "fidelity: flit"),
	setting("a key without effect at this fidelity", "Mem.window=1us"),
	// params
	change("a parameter that nobody declares", "rows: $side", "rows: $sides"),
	change("a parameter of the wrong type", "side: 32", "side: wide"),
	setting("an override of a parameter of the wrong type", "side=wide"),
	change("parameters that go round", "side: 32", "side: $side"),
	// extends
	change("a base that is not there", "extends: base.yaml", "extends: bace.yaml"),
	change("a base that extends this", "extends: base.yaml", "extends: loop.yaml"),
	change("a base with tabs", "extends: base.yaml", "extends: tabs.yaml"),
	change("a base that is not UTF-8", "extends: base.yaml", "extends: latin.yaml"),
	change("a base of two documents", "extends: base.yaml", "extends: two.yaml"),
	change("a base that is a number", "extends: base.yaml", "extends: 7"),
	// presets
	change("a preset misspelt", "preset: ddr4_3200", "preset: dr4_3200"),
	change("a preset of another kind", "preset: ddr4_3200", "preset: tpu_v4_core"),
	// sets
	setting("a setting without a value", "Core.rows"),
	setting("a setting of nothing", "=3"),
	setting("a setting of a whole node", "Core=3"),
	setting("a setting of an element that is not there", "Core[7].rows=64"),
	setting("a setting of a key that is not there", "Core.rosw=64"),
	setting("a setting of a section that is not there", "maping.split=row"),
	setting("a setting that is no YAML", "Core.sram={ifmap: 64KiB"),
	setting("the second of two settings", "Core.rows=8", "Core.cols=eight"),
	// workload parameters
	withWorkload("a model and a file", "{model: alexnet, file: net.csv}"),
	withWorkload("neither model nor file", "{batch: 1}"),
	withWorkload("a file that is not there", "{file: nett.csv}"),
	withWorkload("a file that is empty", "{file: empty.csv}"),
	withWorkload("a filter larger than its input", "{file: net.csv}"),
	withWorkload("half an ONNX file", "{file: half.onnx}"),
	withWorkload("a letter", "{file: prose.txt}"),
	withWorkload("half a JSON file", "{file: config.json}"),
	withWorkload("inputs that are nowhere", "{file: \"inputs:scalesim/nothing.csv\"}"),
	withWorkload("a phase of a network without phases", "{model: alexnet, phase: decode}"),
	withWorkload("an unknown phase", "{model: llama3_8b, phase: decoding}"),
	withWorkload("a role misspelt", "{model: alexnet, dtype: {weigth: int8}}"),
	withWorkload("symbols of a built-in model", "{model: alexnet, symbols: {N: 2}}"),
	withWorkload("a picture larger than any", "{model: resnet50, image: 100000}"),
	change("a list and a workload", "workload:", "workloads: [{model: alexnet}]\nworkload:"),
	change("no workload", "workload: {model: alexnet, batch: 1, dtype: int8}\n", ""),
	// mapping
	change("cores that are not there", "cores: Core", "cores: Corse"),
	change("cores that are memories", "cores: Core", "cores: Mem"),
	change("an element without quotes", "{cores: Core, split", "{cores: Core[0], split"),
	setting("a setting of elements without quotes", "mapping={cores: Core[0..1], split: row}"),
	change("an unknown split", "split: column", "split: columns"),
	setting("a tile that does not fit", "mapping.layers=[{match: conv2, tile: {m: 729, n: 192, k: 1600}}]"),
	setting("a rule that matches no layer", "mapping.layers=[{match: conv99, order: mnk}]"),
	setting("an unknown order", "mapping.layers=[{match: conv2, order: mmk}]"),
	setting("an unknown objective", "mapping.objective=fast"),
	// other sections
	more("a seed below zero", "simulation: {seed: -1}"),
	more("a memory range of nobody", "memory: [{tier: near, node: Men, base: 0B, size: 1GiB}]"),
	more("memory ranges that overlap", "memory:\n  - {tier: a, node: Mem, base: 0B, size: 1GiB}\n  - {tier: b, node: Mem, base: 512MiB, size: 1GiB}"),
	more("a placement into no tier", "placement: {default: far}"),
	// networks and traffic
	nets("a dragonfly of no terminals", "topology: {name: dragonfly, p: 0}", "load: 0.1"),
	nets("more groups than channels", "topology: {name: dragonfly, p: 2, a: 4, h: 2, g: 10}", "load: 0.1"),
	nets("a topology misspelt", "topology: {name: dragonfy}", "load: 0.1"),
	nets("a topology without a name", "topology: {p: 2}", "load: 0.1"),
	nets("a parameter of another topology", "topology: {name: mesh, p: 2}", "load: 0.1"),
	nets("a mesh without extent", "topology: {name: mesh, dims: [4, 0]}", "load: 0.1"),
	nets("a mesh of more ports than there are", "topology: {name: mesh, dims: [100000, 100000]}", "load: 0.1"),
	nets("a routing of another topology", fly+", routing: {name: odd_even}", "load: 0.1"),
	nets("an unknown routing", fly+", routing: ugall", "load: 0.1"),
	nets("a parameter that the routing does not take", fly+", routing: {name: min, threshold: 3}", "load: 0.1"),
	nets("an unknown value of a routing", fly+", routing: {name: ugal_l, via: moon}", "load: 0.1"),
	nets("virtual channels that form a cycle", fly+", routing: {name: ugal_l, vc_map: booksim}", "load: 0.1"),
	nets("too few virtual channels", fly+", router: {vcs: 1}", "load: 0.1"),
	nets("an unknown allocator", fly+", router: {allocator: wavefront}", "load: 0.1"),
	nets("an unknown model of a router", fly+", router: {model: supersim}", "load: 0.1"),
	nets("a preset of a router that is not there", fly+", router: {preset: bookism}", "load: 0.1"),
	nets("a flit of nothing", fly+", width: 0B", "load: 0.1"),
	nets("virtual networks beyond two", fly+", virtual_networks: 3", "load: 0.1"),
	nets("too few virtual channels for two networks", fly+", routing: min, virtual_networks: 2, router: {vcs: 3}", "load: 0.1"),
	nets("shared buffers of another router", fly+", router: {model: fogsim, shared: 4}", "load: 0.1, packet: 8"),
	nets("a channel of two flits", fly+", global: {bandwidth: 32GB/s}", "load: 0.1"),
	nets("a channel of hardly a flit", fly+", local: {bandwidth: 1MB/s}", "load: 0.1"),
	nets("failed channels that are none", fly+", failed: [{router: 0}, {router: 0, port: 1}, {router: 99, to: 1}, {router: 0, to: 1}, {router: 1, to: 0}]", "load: 0.1"),
	nets("a routing that does not know what failed", fly+", routing: ugal_l, failed: [{router: 0, to: 1}]", "load: 0.1"),
	nets("a router that is cut off", "topology: {name: ring, size: 4}, failed: [{router: 0, to: 1}, {router: 2, to: 1}]", "load: 0.1"),
	nets("a table of routes without a file", fly+", routing: table", "load: 0.1"),
	nets("a table of routes whose file is not there", fly+", routing: {name: table, file: none.txt}", "load: 0.1"),
	nets("a network whose file is not there", "topology: {name: file, file: none.txt}", "load: 0.1"),
	nets("a channel longer than any", fly+", global: {latency: 1s}", "load: 0.1"),
	nets("an unknown pattern", fly, "pattern: unifrom"),
	nets("a pattern of another topology", fly, "pattern: tornado"),
	nets("a pattern for another number of terminals", fly, "pattern: bitcomp"),
	nets("a family without a number", fly, "pattern: adv"),
	nets("a hot terminal beyond the last", fly, "pattern: {name: hotspot, terminals: [72]}"),
	nets("a mix of less than all", fly, "pattern: [{name: uniform, percent: 50}]"),
	nets("a permutation without a file", fly, "pattern: permutation"),
	nets("a permutation that is a story", fly, "pattern: {name: permutation, file: prose.txt}"),
	nets("more than a flit per cycle", fly, "load: 1.1"),
	nets("a load below zero", fly, "load: -0.1"),
	nets("a burst that cannot be", fly, "load: 0.5, process: {name: on_off, alpha: 0.01, beta: 0.1}"),
	nets("a warm-up that leaves nothing", fly, "rules: {warmup: 10}"),
	nets("a change of nothing", fly, "changes: [{at: 5}]"),
	nets("a search for a given load", fly, "load: 0.5, search: {repeats: 1}"),
	nets("a header larger than the packet", fly+", header: 64B", "load: 0.1"),
	change("traffic without a network", "links:\n", "  - {name: Traffic, kind: traffic}\nlinks:\n"),
	change("traffic of groups on a part of a network", "links:\n", "  - {name: Net, kind: network, fidelity: flit}\n  - {name: Traffic, kind: traffic, pattern: adv+1}\nlinks:\n  - Traffic -> Net.terminal[0..7]\n"),
	change("traffic into a memory", "links:\n", "  - {name: Traffic, kind: traffic}\nlinks:\n  - Traffic -> Mem\n"),
	// tiers
	tiers("an unknown placement", "policy: {name: colloids}", ranges),
	tiers("a placement without a name", "policy: {ewma: 0.5}", ranges),
	tiers("a key of another placement", "policy: {name: colloid, hot: 8}", ranges),
	tiers("smoothing that never sees anything", "policy: {name: colloid, ewma: 0}", ranges),
	tiers("a page of three lines", "page: 192B", ranges),
	tiers("a burst larger than a page", "migration: {burst: 8KiB}", ranges),
	tiers("moves without bandwidth", "migration: {bandwidth: 0B/s}", ranges),
	tiers("a capacity that the range does not have", "capacity: [2GiB]", ranges),
	tiers("capacities of tiers that are not there", "capacity: [1MiB, 1MiB, 1MiB]", ranges),
	tiers("a walk without translations", "tlb: {walk: 50ns}", ranges),
	tiers("translations in no sets", "tlb: {entries: 6, walk: 50ns}", ranges),
	tiers("walks that read without translations", "tlb: {reads: 4}", ranges),
	tiers("a page table in a tier that is not there", "tlb: {entries: 64, reads: 4, tier: 2}", ranges),
	tiers("a tier that is linked to nothing", "tiers: 3", ranges),
	tiers("tiers without ranges", "page: 4KiB", ""),
}

// Damage of all kinds, a few bytes at a time: whatever comes of it is a run or
// bad input, never an error of the program.
func TestDamage(t *testing.T) {
	t.Chdir(t.TempDir())
	for name, text := range beside {
		require.NoError(t, os.WriteFile(name, []byte(text), 0o644))
	}
	pieces := regexp.MustCompile(`[A-Za-z0-9_.]+|\s+|.`).FindAllString(good, -1)
	rng := rand.New(rand.NewPCG(*damage, 0))
	for i := range *rounds {
		out := slices.Clone(pieces)
		for range 1 + rng.IntN(3) {
			at, from := rng.IntN(len(out)), rng.IntN(len(pieces))
			switch rng.IntN(4) {
			case 0:
				out = slices.Delete(out, at, at+1)
			case 1:
				out = slices.Insert(out, at, pieces[from])
			case 2:
				out[at] = pieces[from]
			case 3:
				out[at] = []string{"-1", "0", "1e9", "null", "[]", "{}", "\"", "$", "99999999999999999999", "Core", "true", "\t", "&a", "*a", "<<", "!!", "é"}[rng.IntN(17)]
			}
		}
		text := strings.Join(out, "")
		require.NoError(t, os.WriteFile("config.yaml", []byte(text), 0o644))
		var stdout, stderr bytes.Buffer
		code := execute(context.Background(), []string{"check", "config.yaml"}, &stdout, &stderr)
		require.Contains(t, []int{0, command.ExitInput}, code, "-damage %d, round %d:\n%s\n%s", *damage, i, text, stderr.String())
		require.Equal(t, code == 0, stderr.Len() == 0)
	}
}

var (
	damage = flag.Uint64("damage", 1, "seed of TestDamage")
	rounds = flag.Int("rounds", 150, "rounds of TestDamage")
)

// position is the place of a mistake: a line and column of a file, or a --set.
var position = regexp.MustCompile(`^(config|base|loop|tabs|latin|two)\.yaml:[0-9]+:[0-9]+: |^--set:[0-9]+: |^(net|empty)\.csv(:[0-9]+)*: |^half\.onnx(:[0-9]+)?: |^prose\.txt(:[0-9]+)*: |^config\.json(:[0-9]+)*: `)

// Every mutation ends with exit code 2 and says in each line where what is
// wrong. testdata/mutations.txt shows what; rewrite it with -update and read it
// as a user would.
func TestMutations(t *testing.T) {
	transcript, err := filepath.Abs(filepath.Join("testdata", "mutations.txt"))
	require.NoError(t, err)
	t.Chdir(t.TempDir())
	t.Setenv("CAUSEWAY_INPUTS", "elsewhere")
	for name, text := range beside {
		require.NoError(t, os.WriteFile(name, []byte(text), 0o644))
	}
	run := func(m mutation) (code int, stderr string) {
		text := good
		if m.old != "" {
			var n int
			text, n = replaceOne(good, m.old, m.new)
			require.Equal(t, 1, n, "%s: %q must stand once in the configuration", m.name, m.old)
		}
		require.NoError(t, os.WriteFile("config.yaml", []byte(text), 0o644))
		args := []string{"run", "config.yaml", "--quiet", "--out", "out"}
		for _, s := range m.set {
			args = append(args, "--set", s)
		}
		var out, errs bytes.Buffer
		code = execute(context.Background(), args, &out, &errs)
		require.Empty(t, out.String(), m.name)
		return code, errs.String()
	}
	code, stderr := run(mutation{name: "none"})
	require.Zero(t, code, stderr)

	require.GreaterOrEqual(t, len(mutations), 60)
	var b strings.Builder
	b.WriteString("Wrong configurations and what the command says about each; the configuration\nthat they break stands in mutation_test.go. Rewrite with:\n  go test ./cmd/causeway -run Mutations -update\n")
	for _, m := range mutations {
		code, stderr := run(m)
		fmt.Fprintf(&b, "\n=== %s\n", m.name)
		for _, l := range strings.SplitAfter(m.new, "\n") {
			if l != "" {
				b.WriteString(strings.TrimRight(l, "\n") + "\n")
			}
		}
		for _, s := range m.set {
			fmt.Fprintf(&b, "--set %s\n", s)
		}
		b.WriteString("---\n" + registered.ReplaceAllString(stderr, "$1(want one of: ..."))
		if *update {
			if code != command.ExitInput {
				t.Errorf("%s: exit code %d", m.name, code)
			}
			continue
		}
		require.Equal(t, command.ExitInput, code, "%s: %s", m.name, stderr)
		for l := range strings.Lines(stderr) {
			require.Regexp(t, position, l, m.name)
			require.GreaterOrEqual(t, len(strings.Fields(l)), 3, "%s: no sentence: %s", m.name, l)
		}
		require.NotEmpty(t, stderr, m.name)
		require.NotContains(t, stderr, "internal error", m.name)
		require.NotContains(t, stderr, "goroutine", m.name)
	}
	if *update {
		require.NoError(t, os.WriteFile(transcript, []byte(b.String()), 0o644))
		return
	}
	want, err := os.ReadFile(transcript)
	require.NoError(t, err)
	before, now := strings.Split(string(want), "\n=== "), strings.Split(b.String(), "\n=== ")
	for i := range min(len(before), len(now)) { // one at a time: who reads a difference in 400 lines?
		require.Equal(t, before[i], now[i])
	}
	require.Len(t, now, len(before))
}

// registered are lists that grow with every kind, fidelity, model, preset and
// format, which is none of the transcript's business.
var registered = regexp.MustCompile(`((?:kind|fidelity|model|preset|format|topology|routing algorithm|pattern|file is empty)[^(\n]*)\(want one of: [^;)\n]*`)
