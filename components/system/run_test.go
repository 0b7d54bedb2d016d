package system_test

import (
	"errors"
	"fmt"
	"path/filepath"
	"testing"

	"github.com/sarchlab/akita/v3/sim"
	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/components/clock"
	"github.com/causeway-sim/causeway/components/engine"
	"github.com/causeway-sim/causeway/components/stats"
	"github.com/causeway-sim/causeway/components/system"
	"github.com/causeway-sim/causeway/configs"
	"github.com/causeway-sim/causeway/memory"
	_ "github.com/causeway-sim/causeway/memory/curve"
	"github.com/causeway-sim/causeway/memory/memtest"
	"github.com/causeway-sim/causeway/workloads/graph"
)

// dma is memtest's requester as a node.
type dma struct {
	*memtest.Requester
	clock clock.Clock
}

type dmaSpec struct {
	Requests int    `yaml:"requests"`
	Bytes    uint64 `yaml:"bytes"`
}

func (d dma) PortSpecs() []system.PortSpec {
	return []system.PortSpec{{Name: "mem", Protocol: system.Mem, Role: system.Requests, Ports: []sim.Port{d.Port}, Clock: d.clock}}
}

func (d dma) Stats() *stats.Group { return stats.NewGroup(d.Name()) }

func (d dma) SetMap(_ string, m *memory.Map) error {
	r, i, _, ok := m.Find(0)
	if !ok {
		return errors.New("address 0 has no home")
	}
	d.Dst = r.Ports[i]
	return nil
}

func init() {
	system.Register(system.Kind[dmaSpec]{
		Name: "dma", Doc: "Reads address 0.", Default: dmaSpec{100, 64},
		New: func(env *system.Env, name string, s dmaSpec, _ configs.Value) (system.Node, error) {
			r := memtest.New(name, env.Engine, clock.GHz, nil)
			for i := range s.Requests {
				r.List = append(r.List, memtest.Request{Bytes: s.Bytes, Write: i%4 == 3})
			}
			return dma{r, clock.GHz}, nil
		},
	})
}

const running = `
schema: causeway/1
nodes:
  - {name: Core, kind: dma, count: 4}
  - {name: Mem, kind: memory, fidelity: %s, bandwidth: 16GB/s, latency: 20ns}
links:
  - %s
`

func run(t testing.TB, fidelity, link string, e sim.Engine, set ...string) string {
	doc, err := configs.Parse("t.yaml", fmt.Appendf(nil, running, fidelity, link), configs.Options{Set: set})
	require.NoError(t, err)
	s, err := system.Build(doc, &system.Env{Engine: e})
	require.NoError(t, err)
	out := ""
	for _, n := range s.Nodes() {
		if d, ok := n.(dma); ok {
			d.Start()
		}
	}
	require.NoError(t, e.Run())
	for _, n := range s.Nodes() {
		if d, ok := n.(dma); ok {
			out += d.Log()
		}
		require.Empty(t, n.Stats().Verify())
		out += fmt.Sprintln(n.Stats().Metrics())
	}
	return out
}

// A built system runs, to the same bytes under every engine.
func TestBuiltSystemRuns(t *testing.T) {
	for _, fidelity := range []string{"ideal", "curve"} {
		want := run(t, fidelity, "Core -> Mem", engine.New())
		require.Contains(t, want, "Core[3] 99: ")
		require.Equal(t, want, run(t, fidelity, "Core -> Mem", sim.NewSerialEngine()))
		require.Equal(t, want, run(t, fidelity, "Core -> Mem", sim.NewParallelEngine()))
		require.Equal(t, want, run(t, fidelity, "Mem -> Core", engine.New(engine.Shuffle(7))))
	}
}

// Latency and bandwidth of a link take effect in both directions, exactly.
func TestLinkAttributes(t *testing.T) {
	first := func(link string, set ...string) (sent, answered int) {
		out := run(t, "ideal", link, engine.New(), append(set, "Core.requests=1")...)
		_, err := fmt.Sscanf(out, "Core[0] 0: %d -> %d", &sent, &answered)
		require.NoError(t, err)
		return
	}
	_, a := first("Core[0] -> Mem", "Mem.bandwidth=0B/s", "Core.count=1")
	require.Equal(t, 22, a) // 1 + 20 + 1
	_, a = first("{link: Core -> Mem, latency: 5ns}", "Mem.bandwidth=0B/s", "Core.count=1")
	require.Equal(t, 30, a)
	_, a = first("{link: Core -> Mem, latency: 5ns, bandwidth: 8GB/s}", "Mem.bandwidth=0B/s", "Core.count=1")
	require.Equal(t, 37, a) // the answer's 64 B take 8 cycles, the first is in the latency
	doc, err := configs.Parse("t.yaml", fmt.Appendf(nil, running, "ideal", "{link: Core -> Mem, bandwidth: 8GB/s}"), configs.Options{})
	require.NoError(t, err)
	_, err = system.Build(doc, &system.Env{Engine: engine.New()})
	require.NoError(t, err)
}

func TestPathKnowsTheNarrowestLink(t *testing.T) {
	s := must(t, `
schema: causeway/1
nodes:
  - {name: Core, kind: core}
  - {name: Net, kind: net}
  - {name: Mem, kind: memory, fidelity: ideal, bandwidth: 16GB/s}
links:
  - {link: Core -> Net, bandwidth: 4GB/s}
  - {link: Net -> Mem, bandwidth: 8GB/s}
`)
	p := s.Node("Core").(core).maps["mem"].Ranges()[0].Paths[0]
	require.Equal(t, "4GB/s", p.Bandwidth.String())
	require.Equal(t, uint64(2), p.Request)
}

func TestRandDependsOnSeedAndName(t *testing.T) {
	draw := func(seed uint64, name string) uint64 { return (&system.Env{Seed: seed}).Rand(name).Uint64() }
	require.Equal(t, draw(1, "Core"), draw(1, "Core"))
	require.NotEqual(t, draw(1, "Core"), draw(2, "Core"))
	require.NotEqual(t, draw(1, "Core"), draw(1, "Core[0]"))
}

func TestPlace(t *testing.T) {
	g := &graph.Graph{Name: "g"}
	g.Add(graph.Tensor{Name: "w", Role: graph.Weight, Shape: []int{1 << 20}})
	kv := g.Add(graph.Tensor{Name: "k", Role: graph.KV, Shape: []int{3 << 20}})
	const tiers = `
schema: causeway/1
nodes:
  - {name: Core, kind: core}
  - {name: Near, kind: memory, fidelity: ideal, size: 2MiB}
  - {name: Far, kind: memory, fidelity: ideal, size: 1GiB}
links: [Core -> Near, Core -> Far]
memory:
  - {tier: near, node: Near, base: 0GiB}
  - {tier: far, node: Far, base: 1GiB}
`
	s := must(t, tiers+"placement: {default: near, rules: [{tensor: kv_cache, tier: far}]}\n")
	p, err := s.Place(g)
	require.NoError(t, err)
	require.Equal(t, uint64(1<<30), p.Base(0, kv))
	for config, want := range map[string]string{
		tiers:                                  `t.yaml:9:5: placement.default: is missing: there are 2 tiers to place tensors in (want one of: near, far)`,
		tiers + "placement: {default: near}\n": `t.yaml:11:22: placement.default: tensor k (3MiB) does not fit into tier near, which has 1MiB left; its tensors need 4MiB, and it has 2MiB`,
		tiers + "placement: {default: far, rules: [{tensor: 'k*', tier: near}]}\n": `t.yaml:11:35: placement.rules[0]: tensor k (3MiB) does not fit into tier near, which has 2MiB left; its tensors need 3MiB, and it has 2MiB`,
		tiers + "placement: {default: far, rules: [{tensor: kv, tier: near}]}\n":   `t.yaml:11:44: placement.rules[0].tensor: rule "kv" matches no tensor and is no role`,
		"schema: causeway/1\n": `t.yaml:1:1: placement: the system has no memory to place tensors in`,
		"schema: causeway/1\nnodes:\n  - {name: Core, kind: core}\n  - {name: M, kind: memory, fidelity: ideal, size: 2MiB}\nlinks: [Core -> M]\n": `t.yaml:4:5: nodes.M: tensor k (3MiB) does not fit into tier m, which has 1MiB left; its tensors need 4MiB, and it has 2MiB`,
	} {
		_, err := must(t, config).Place(g)
		require.EqualError(t, err, want)
	}
}

// Nodes find the files they name, and the system knows which were read.
func TestFilesAreKnown(t *testing.T) {
	doc, err := configs.Parse("../../memory/curve/testdata/t.yaml", []byte(`
schema: causeway/1
nodes:
  - {name: Core, kind: core}
  - {name: Mem, kind: memory, fidelity: curve, curve: [{reads: 0.9, file: r90.csv}]}
links: [Core -> Mem]
`), configs.Options{})
	require.NoError(t, err)
	s, err := system.Build(doc, &system.Env{Engine: engine.New()})
	require.NoError(t, err)
	require.Equal(t, []string{filepath.Join("..", "..", "memory", "curve", "testdata", "r90.csv")}, s.Files())
}

func TestKinds(t *testing.T) {
	require.Subset(t, system.KindNames(), []string{"core", "memory"})
	levels := system.Fidelities("core")
	require.Equal(t, "analytic", levels[0].Fidelity)
	require.Equal(t, []string{"rows", "clock", "queue"}, levels[1].Keys)
	type spec struct {
		Count int `yaml:"count"`
	}
	require.PanicsWithValue(t, `system: kind x: key "count" belongs to the language`, func() {
		system.Register(system.Kind[spec]{Name: "x", Doc: "X."})
	})
	require.PanicsWithValue(t, "system: kind core: default fidelities tile and other", func() {
		system.Register(system.Kind[struct{}]{Name: "core", Fidelity: "other", DefaultFidelity: true, Doc: "X."})
	})
	require.Panics(t, func() {
		system.Register(system.Kind[struct{ Untagged int }]{Name: "x", Doc: "X."})
	})
}

// Whatever the text of a configuration is, Build returns.
func FuzzBuild(f *testing.F) {
	for _, c := range goodConfigs(f) {
		f.Add(c.config)
	}
	f.Add("schema: causeway/1\nnodes: [{name: A, kind: core, count: 3}]\nlinks: ['A[0..2].mem -> A', 'A[', '->', {link: 3}]\nmemory: [{tier: a, node: A[9], base: 1B, size: 0B}]")
	f.Fuzz(func(t *testing.T, src string) {
		if len(src) > 2000 {
			t.Skip()
		}
		s, err := build(src)
		if err == nil {
			require.NotNil(t, s)
		}
	})
}

// What a sweep pays per point beside its simulation.
func BenchmarkBuild(b *testing.B) {
	b.ReportAllocs()
	l := configs.NewLoader(configs.Options{})
	for b.Loop() {
		doc, err := l.Parse("t.yaml", fmt.Appendf(nil, running, "curve", "Core -> Mem"), "Core.bytes=128")
		if err != nil {
			b.Fatal(err)
		}
		if _, err := system.Build(doc, &system.Env{Engine: engine.New()}); err != nil {
			b.Fatal(err)
		}
	}
}
