package std_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/accelerators/mapping"
	"github.com/causeway-sim/causeway/components/experiment"
	"github.com/causeway-sim/causeway/components/experiment/demand"
	"github.com/causeway-sim/causeway/components/system"
	"github.com/causeway-sim/causeway/configs"
	"github.com/causeway-sim/causeway/configs/schema"
)

const driver = "  - {name: Driver, kind: driver, generate: {name: stream}, limit: 4}\n"
const requests = "W:0:1024:\nR:1024:1024:\nTerminate:0:0:\n"
const ideal = "  - {name: Mem, kind: memory, fidelity: ideal, latency: 60ns, bandwidth: 25GB/s}\n"

// small is a small system around a node X of each kind, for the walk over all keys.
var small = map[string]string{
	"cache/functional": driver + "  - {name: X, kind: cache, fidelity: functional}\n" + ideal + "links: [Driver -> X.top, X.bottom -> Mem]\n",
	"cache/timed":      driver + "  - {name: X, kind: cache, fidelity: timed}\n" + ideal + "links: [Driver -> X.top, X.bottom -> Mem]\n",
	"cxl_fabric": driver + "  - {name: Root, kind: cxl_root}\n  - {name: X, kind: cxl_fabric, topology: {name: crossbar, terminals: 2}}\n  - {name: Far, kind: cxl_type3, memory: {preset: ddr5_4800}}\n" +
		"links:\n  - Driver -> Root.host\n  - Root.down -> X.terminal[0]\n  - X.terminal[1] -> Far\n",
	"cxl_root":          driver + "  - {name: X, kind: cxl_root}\n  - {name: Far, kind: cxl_type3, memory: {preset: ddr5_4800}}\nlinks: [Driver -> X.host, X.down -> Far]\n",
	"cxl_switch":        driver + "  - {name: Root, kind: cxl_root}\n  - {name: X, kind: cxl_switch}\n  - {name: Far, kind: cxl_type3, memory: {preset: ddr5_4800}}\nlinks: [Driver -> Root.host, Root.down -> X.up, X.down -> Far]\n",
	"cxl_type2":         driver + "  - {name: Root, kind: cxl_root, link: {flit: 256B, rate: 64}}\n  - {name: X, kind: cxl_type2, memory: {preset: ddr5_4800}}\nlinks: [Driver -> Root.host, Root.down -> X.up]\n",
	"cxl_type3":         driver + "  - {name: Root, kind: cxl_root}\n  - {name: X, kind: cxl_type3, memory: {preset: ddr5_4800}}\nlinks: [Driver -> Root.host, Root.down -> X]\n",
	"driver":            "  - {name: X, kind: driver, generate: {name: stream}, limit: 4}\n" + ideal + "links: [X -> Mem]\n",
	"cpu":               "  - {name: X, kind: cpu, generate: {name: chase, size: 4KiB}, limit: 4}\n" + ideal + "links: [X -> Mem]\n",
	"memory/bank":       driver + "  - {name: X, kind: memory, fidelity: bank}\nlinks: [Driver -> X]\n",
	"scratchpad":        driver + "  - {name: X, kind: scratchpad, capacity: 1GiB}\nlinks: [Driver -> X]\n",
	"memory/ideal":      driver + "  - {name: X, kind: memory, fidelity: ideal}\nlinks: [Driver -> X]\n",
	"network/flow":      "  - {name: R, kind: ranks, ranks: 4, pattern: {name: all_reduce, bytes: 1KiB}, memory: 1TB/s}\n  - {name: X, kind: network, fidelity: flow, topology: {name: crossbar, terminals: 4}}\nlinks: [R -> X]\n",
	"network/packet":    "  - {name: R, kind: ranks, ranks: 4, pattern: {name: all_reduce, bytes: 1KiB}, memory: 1TB/s}\n  - {name: X, kind: network, fidelity: packet, topology: {name: crossbar, terminals: 4}}\nlinks: [R -> X]\n",
	"network/flit":      "  - {name: T, kind: traffic}\n  - {name: X, kind: network, fidelity: flit, topology: {name: mesh, dims: [2, 2]}}\nlinks: [T -> X]\n",
	"traffic":           "  - {name: X, kind: traffic}\n  - {name: Net, kind: network, fidelity: flit, topology: {name: mesh, dims: [2, 2]}}\nlinks: [X -> Net]\n",
	"ranks":             "  - {name: X, kind: ranks, ranks: 4, pattern: {name: all_reduce, bytes: 1KiB}, memory: 1TB/s}\n  - {name: Net, kind: network, topology: {name: crossbar, terminals: 4}}\nlinks: [X -> Net]\n",
	"lanes":             "  - {name: X, kind: lanes}\nworkload: {model: alexnet}\n",
	"gpu/analytic":      "  - {name: X, kind: gpu}\nworkload: {model: alexnet}\n",
	"gpu/tile":          "  - {name: X, kind: gpu, fidelity: tile}\n" + ideal + "links: [X -> Mem]\nworkload: {model: alexnet}\n",
	"profile":           "  - {name: X, kind: profile, file: COSTS, machine: m}\nworkload: {ops: [{name: g, op: gemm, m: 1, n: 1, k: 1}]}\n",
	"roofline":          "  - {name: X, kind: roofline}\nworkload: {model: alexnet}\n",
	"systolic/tile":     "  - {name: X, kind: systolic}\n" + ideal + "links: [X -> Mem]\nworkload: {model: alexnet}\n",
	"systolic/analytic": "  - {name: X, kind: systolic, fidelity: analytic}\n" + ideal + "links: [X -> Mem]\nworkload: {model: alexnet}\n",
	"nearmem":           "  - {name: X, kind: nearmem, work: knn}\n",
	"schedule":          "  - {name: X, kind: schedule}\n  - {name: Chip, kind: roofline}\nlinks: [X -> Chip]\nworkload: {model: alexnet}\n",
	"serve":             "  - {name: X, kind: serve}\n  - {name: Chip, kind: roofline}\nlinks: [X -> Chip]\nworkload: {model: llama3_8b, layers: 0..0, requests: {count: 2, prompt: 40, output: 3}}\n",
	"steps":             "  - {name: X, kind: steps, work: {name: rag, hops: 8}}\n" + ideal + "links: [X -> Mem]\n",
	"nic": "  - {name: S, kind: schedule, grain: operator}\n  - {name: R, kind: roofline, count: 2}\n  - {name: X, kind: nic, count: 2}\n  - {name: Net, kind: network, topology: {name: crossbar, terminals: 2}, clock: 1GHz}\n" +
		"links: [S -> R, S -> X, X -> Net]\nworkload: {model: alexnet, parallel: {pipeline: 2}}\n",
	"communicator": "  - {name: S, kind: schedule, grain: operator}\n  - {name: R, kind: roofline}\n  - {name: X, kind: communicator}\n" +
		"links: [S -> R, S -> X]\nworkload: {model: gpt2, layers: 0..0, sequence: 8, training: {}, parallel: {data: 8, represented: stages}}\n",
	"tiering": driver + "  - {name: X, kind: tiering}\n  - {name: Near, kind: memory, fidelity: ideal}\n  - {name: Far, kind: memory, fidelity: ideal}\n" +
		"links:\n  - Driver -> X.top\n  - X.bottom[0] -> Near\n  - X.bottom[1] -> Far\nmemory:\n  - {tier: near, node: Near, base: 0GiB, size: 1GiB}\n  - {tier: far, node: Far, base: 1GiB, size: 1GiB}\n",
	"spatial/tile":     "  - {name: X, kind: spatial, fidelity: tile, levels: [{name: Outside}, {name: Inside, capacity: 1KiB}], search: {evaluations: 10}}\n" + ideal + "links: [X -> Mem]\n" + "workload: {ops: [{name: g, op: gemm, m: 8, n: 8, k: 8}]}\n",
	"spatial/analytic": "  - {name: X, kind: spatial, fidelity: analytic, input_file: INPUT}\n",
	"hosts":            "  - {name: X, kind: hosts, trace: TRACE}\n" + ideal + "links: [X -> Mem]\n",
	"cxl_tsim4cxl":     "  - {name: Hosts, kind: hosts, trace: TRACE, packet: 64B}\n  - {name: X, kind: cxl_tsim4cxl}\n" + ideal + "links: [Hosts -> X.host, X.mem -> Mem]\n",
	"memory/curve":     driver + "  - {name: X, kind: memory, fidelity: curve}\nlinks: [Driver -> X]\n",
	"arbiter":          driver + "  - {name: X, kind: arbiter, policy: first, queue: 4KiB, below: 1KiB, starve: 1us}\n" + ideal + "links: [Driver -> X.first, X.bottom -> Mem]\n",
	"memlink":          driver + "  - {name: X, kind: memlink, preset: ualink_x4}\n" + ideal + "links: [Driver -> X.top, X.bottom -> Mem]\n",
}

// odd are values that no key can have without a word about it: negative ones none,
// zero those whose text says what 0 is, absurd ones none.
var odd = map[string]struct{ zero, negative, absurd, kind string }{
	"a whole number":                  {"0", "-1", "4611686018427387904", ""},
	"a number":                        {"0", "-1", "1e300", ""},
	"an amount of data":               {"0B", "-1B", "15000000TiB", ""},
	"a time":                          {"0ns", "-1ns", "18000s", "time"},
	"a data rate":                     {"0B/s", "-1B/s", "2000000TB/s", ""},
	"a latency, in cycles or time":    {"0cycle", "-1cycle", "4611686018427387904cycle", "time"},
	"a clock, as frequency or period": {"0Hz", "-1Hz", "1001GHz", ""},
	"a compute rate":                  {"0FLOP/s", "-1FLOP/s", "1000000000000000000PFLOP/s", ""},
	"an energy":                       {"0pJ", "-1pJ", "1000000000J", "energy"},
	"a list: a whole number":          {"[0]", "[-1]", "[4611686018427387904]", ""},
}

// natural are the zeros that need no explanation: nothing of what the key adds. Times,
// latencies and energies are such by their type.
var natural = map[string]bool{
	"driver.base": true, "hosts.base": true, "memlink.header.request": true, "memlink.header.response": true, "memlink.least": true,
	"memory/bank.write_low": true, "nearmem.stream.factor": true, "nearmem.stream.metadata": true,
	"network/flit.header": true, "network/flow.header": true, "network/packet.header": true, "network/packet.packet_header": true,
	"network/flit.router.credit_delay": true, "network/flit.router.crossbar_delay": true,
	"nic.eager": true, "nic.control": true, "ranks.nic.eager": true, "ranks.nic.control": true, "roofline.nic.eager": true, "roofline.nic.control": true,
	"steps.ahead": true, "tiering.tlb.tier": true, "traffic.load": true, "traffic.rules.warmup": true, "traffic.rules.change": true,
}

// addresses have all 64 bits, and an ideal memory holds what anyone asks for.
var addresses = map[string]bool{"driver.base": true, "driver.wrap": true, "memory/ideal.size": true, "memory/curve.size": true}

// explained finds what a text says about zero: "0 is all", "0B leaves them".
var explained = regexp.MustCompile(`\b0(B|B/s|ns|s|FLOP/s)?\b`)

// Every key of every kind refuses what makes no sense, before the run and with its
// place: negative and absurd values, and a zero that its text does not explain.
func TestEveryKeyRefusesOddValues(t *testing.T) {
	walked := 0
	for _, e := range system.Kinds.Entries() {
		base, ok := small[e.Name]
		require.True(t, ok, "%s has no small system", e.Name)
		set := parser(t, base)
		require.NoError(t, set(), e.Name)
		for _, k := range schema.Keys(e.Spec) {
			o, ok := odd[k.Type]
			if !ok {
				continue
			}
			walked++
			name := e.Name + "." + k.Path
			if zero := o.kind == "" && !natural[name] && !explained.MatchString(k.Doc); zero {
				refused(t, name, o.zero, k, set("X."+k.Path+"="+o.zero))
			}
			refused(t, name, o.negative, k, set("X."+k.Path+"="+o.negative))
			if !addresses[name] {
				refused(t, name, o.absurd, k, set("X."+k.Path+"="+o.absurd))
			}
		}
	}
	t.Logf("%d keys", walked)
	require.Greater(t, walked, 200)
}

// parser reads a small system with settings.
func parser(t *testing.T, base string) func(set ...string) error {
	file := filepath.Join(t.TempDir(), "trace.txt")
	input, err := filepath.Abs("../../configs/examples/timeloop/input.yaml")
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(file, []byte(requests), 0o644))
	costs := filepath.Join(filepath.Dir(file), "costs.csv")
	require.NoError(t, os.WriteFile(costs, []byte("machine,workload,layer,cycles\nm,ops,g,7\n"), 0o644))
	src := "schema: causeway/1\nnodes:\n" + strings.NewReplacer("TRACE", file, "INPUT", input, "COSTS", costs).Replace(base)
	return func(set ...string) error {
		_, err := experiment.Parse("small.yaml", []byte(src), experiment.Options{Set: set})
		return err
	}
}

// refused asks for an error with a place.
func refused(t *testing.T, name, value string, k schema.Key, err error) {
	if err == nil {
		t.Errorf("%s takes %s (%s): %s", name, value, k.Range, k.Doc)
		return
	}
	if configs.PosOf(err) == (configs.Pos{}) {
		t.Errorf("%s=%s: no place in %v", name, value, err)
	}
}

// The sections that are no nodes.
func TestEverySectionRefusesOddValues(t *testing.T) {
	src := "schema: causeway/1\nnodes:\n" + small["systolic/analytic"]
	for section, spec := range map[string]any{"workload": demand.Spec{}, "simulation": experiment.SimulationSpec{}, "mapping": mapping.DefaultSpec()} {
		for _, k := range schema.Keys(spec) {
			o, ok := odd[k.Type]
			if !ok || k.Path == "seed" {
				continue
			}
			for _, v := range []string{o.zero, o.negative, o.absurd} {
				if v == o.zero && (o.kind != "" && explained.MatchString(k.Doc) || k.Path == "arrival") || k.Path == "arrival" && v == o.absurd {
					continue
				}
				_, err := experiment.Parse("small.yaml", []byte(src), experiment.Options{Set: []string{section + "." + k.Path + "=" + v}})
				if v == o.absurd && o.kind == "time" {
					continue // 18000 s may be waited for
				}
				refused(t, section+"."+k.Path, v, k, err)
			}
		}
	}
}
