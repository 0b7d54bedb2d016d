package cpu_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/components/engine"
	"github.com/causeway-sim/causeway/components/system"
	"github.com/causeway-sim/causeway/configs"
	_ "github.com/causeway-sim/causeway/configs/yaml"
	_ "github.com/causeway-sim/causeway/memory/cache"
	_ "github.com/causeway-sim/causeway/memory/ideal"
	_ "github.com/causeway-sim/causeway/workloads/player/cpu"
)

// bare is a core right above a memory, caches one with three levels between them.
const bare = `schema: causeway/1
nodes:
  - {name: Core, kind: cpu, clock: 1GHz, generate: {name: chase, size: 64KiB}, limit: 1000}
  - {name: Mem, kind: memory, fidelity: ideal, clock: 1GHz, latency: 50ns}
links: [Core -> Mem]
`

const caches = `schema: causeway/1
nodes:
  - {name: Core, kind: cpu, clock: 1GHz, generate: {name: chase, size: 1KiB}, chains: 1, limit: 2000, warm: 100000}
  - {name: L1, kind: cache, size: 4KiB, ways: 4, banks: 8, latency: 3cycle, tag_latency: 1cycle}
  - {name: L2, kind: cache, size: 32KiB, ways: 8, banks: 4, latency: 9cycle, tag_latency: 4cycle}
  - {name: L3, kind: cache, size: 192KiB, ways: 12, slices: 4, latency: 30cycle, tag_latency: 20cycle}
  - {name: Mem, kind: memory, fidelity: ideal, clock: 1GHz, latency: 100ns}
links: [Core -> L1.top, L1.bottom -> L2.top, L2.bottom -> L3.top, L3.bottom -> Mem]
`

func build(t testing.TB, text string, set ...string) (*engine.Engine, *system.System, error) {
	doc, err := configs.Parse("t.yaml", []byte(text), configs.Options{Set: set})
	if err != nil {
		return nil, nil, err
	}
	e := engine.New()
	s, err := system.Build(doc, &system.Env{Engine: e, Seed: 1})
	return e, s, err
}

// play runs a system and returns its metrics as WHERE.NAME.
func play(t testing.TB, text string, set ...string) map[string]float64 {
	e, s, err := build(t, text, set...)
	require.NoError(t, err)
	for _, n := range s.Nodes() {
		if w, ok := n.(engine.Waiter); ok {
			e.Watch(w)
		}
		if x, ok := n.(system.Starter); ok {
			require.NoError(t, x.Start())
		}
	}
	require.NoError(t, e.Run())
	out := map[string]float64{}
	for _, n := range s.Nodes() {
		require.Empty(t, n.Stats().Verify())
		for _, m := range n.Stats().Metrics() {
			out[m.Where+"."+m.Name] = m.Value
		}
	}
	return out
}

// A pointer chase takes in each level what its parts add up to, whatever the size: the link
// to a cache, its latency, and the link back are latency + 2; a miss adds what is below.
func TestChaseByLevel(t *testing.T) {
	const l1, l2, l3, mem = 3 + 2, 9 + 2, 30 + 2, 100 + 2
	for _, c := range []struct {
		size string
		ns   float64
	}{
		{"64B", l1}, {"1KiB", l1}, {"4KiB", l1},
		{"6KiB", l1 + l2}, {"16KiB", l1 + l2}, {"32KiB", l1 + l2},
		{"48KiB", l1 + l2 + l3}, {"192KiB", l1 + l2 + l3},
		{"1MiB", l1 + l2 + l3 + mem}, {"3000000B", l1 + l2 + l3 + mem},
	} {
		for _, order := range []string{"page", "random", "stride"} {
			got := play(t, caches, "Core.generate.size="+c.size, "Core.generate.order="+order)
			require.Equal(t, c.ns, got["Core.access_time"], "%s %s", c.size, order)
			require.Equal(t, c.ns, got["Core.load_latency_min"], "%s %s", c.size, order)
			require.Equal(t, c.ns, got["Core.load_latency_max"], "%s %s", c.size, order)
		}
	}
}

// Independent loads reach the least of: the window over the latency, the ports, the width
// over the instructions of a load, the load queue, and the memory.
func TestBandwidthIsTheLeastBound(t *testing.T) {
	const latency = 52 // with the links
	for _, c := range []struct {
		set  []string
		rate float64 // lines per cycle
	}{
		{[]string{"Core.window=26"}, 26. / latency},
		{[]string{"Core.window=26", "Core.instructions=2"}, 13. / latency},
		{[]string{"Core.loads=10"}, 10. / latency},
		{[]string{"Core.chains=7"}, 7. / latency},
		{[]string{"Core.ports=1"}, 1},
		{[]string{"Core.ports=3"}, 3},
		{[]string{"Core.ports=4", "Core.instructions=4"}, 1},
		{[]string{"Core.ports=4", "Core.instructions=3"}, 4. / 3},
		{[]string{"Core.pause={after: 4, time: 16ns}"}, 4. / 16},
		{[]string{"Mem.bandwidth=8GB/s"}, 1},
	} {
		set := append([]string{"Core.window=60000", "Core.loads=60000", "Core.limit=20000"}, c.set...)
		got := play(t, bare, set...)
		require.InEpsilon(t, c.rate*8, got["Core.bandwidth"], 0.02, "%v", c.set)
	}
}

// Stores that hit are limited by the store buffer over the latency of the first level; they
// do not hold the window up.
func TestStores(t *testing.T) {
	set := []string{"Core.generate={name: stream_kernel, view: core, size: 1KiB}", "Core.bytes=64B", "Core.chains=0", "Core.limit=0", "Core.warm=0"}
	got := play(t, caches, set...)
	require.Equal(t, 16., got["Core.loads"])
	require.Equal(t, 16., got["Core.stores"])
	require.Equal(t, 16.*64, got["Core.store_bytes"])
	require.Equal(t, 32., got["L1.writes"], "halves of lines")
	require.Equal(t, 32.*64, got["Mem.read_bytes"], "operand and result are fetched")
	require.Zero(t, got["Mem.write_bytes"])

	got = play(t, caches, append(set, "Core.store=non_temporal", "Core.bytes=8B")...)
	require.Equal(t, 16., got["Core.stores"], "combined to lines")
	require.Equal(t, 16.*64, got["Mem.read_bytes"])
	require.Equal(t, 16.*64, got["Mem.write_bytes"], "they pass by at once")

	// A store that waits long holds up no load.
	slow := play(t, caches, append(set, "L1.posted=false", "Core.stores=64")...)
	fast := play(t, caches, append(set, "L1.posted=false", "Core.stores=1")...)
	require.Less(t, slow["Core.total_cycles"], fast["Core.total_cycles"])
}

// A warm cache is in the state that the same accesses with time leave behind.
func TestWarmIsTheStateOfARun(t *testing.T) {
	for _, inclusion := range []string{"none", "inclusive", "exclusive"} {
		for _, generate := range []string{"{name: chase, size: 100KiB}", "{name: random, size: 64KiB, reads: 0.6}"} {
			for _, policy := range []string{"lru", "random", "srrip"} {
				set := []string{"Core.generate=" + generate, "L3.inclusion=" + inclusion, "L2.size=16KiB", "L3.policy={name: " + policy + "}", "L3.size=48KiB", "Core.chains=1"}
				run := func(warm, limit int) map[string]float64 {
					return play(t, caches, append(set, fmt.Sprintf("Core.warm=%d", warm), fmt.Sprintf("Core.limit=%d", limit))...)
				}
				const before, measured = 3000, 2000
				long, short, warm := run(0, before+measured), run(0, before), run(before, measured)
				if warm["Core.warm_accesses"] != before { // it has settled sooner
					continue
				}
				for _, m := range []string{"L1.hits", "L2.hits", "L3.hits", "L1.accesses", "L2.accesses", "L3.accesses", "Mem.read_bytes", "Mem.write_bytes", "L1.write_backs"} {
					require.Equal(t, long[m]-short[m], warm[m], "%s %s %s %s", inclusion, generate, policy, m)
				}
			}
		}
	}
}

// A steady state is found, and told where it is not.
func TestWarmSettles(t *testing.T) {
	got := play(t, caches, "Core.generate.size=100KiB")
	require.Less(t, got["Core.warm_accesses"], 20000.)
	require.Equal(t, 1., got["L3.hit_rate"])

	e, s, err := build(t, caches, "Core.generate.size=10MiB", "Core.warm=5000")
	require.NoError(t, err)
	require.NoError(t, s.Node("Core").(system.Starter).Start())
	require.NoError(t, e.Run())
	require.Contains(t, strings.Join(s.Node("Core").(system.Warner).Warnings(), "\n"), "show no steady state")
}

// Translations cost what the levels say: nothing, a look into the second level, or reads
// of the page table through the caches.
func TestTranslation(t *testing.T) {
	tlb := []string{"Core.tlb.entries=4", "Core.tlb.second={entries: 32, ways: 4, latency: 7ns}", "Core.page=4KiB", "Core.limit=64", "Core.warm=0"}
	at := func(size string, set ...string) map[string]float64 {
		return play(t, bare, append(append([]string{"Core.chains=1", "Core.generate.size=" + size}, tlb...), set...)...)
	}
	const mem = 52
	got := at("16KiB", "Core.limit=1000")
	require.Equal(t, 4., got["Core.walks"])
	require.Equal(t, 4.*4, got["Core.walk_reads"], "four levels each")
	require.Equal(t, float64(mem), got["Core.load_latency_p50"], "the first level knows four pages")
	require.Equal(t, 7+4*mem+float64(mem), got["Core.load_latency_max"])

	got = at("64KiB", "Core.limit=1000")
	require.Equal(t, 7+float64(mem), got["Core.load_latency_p50"], "the second knows 16")
	require.Equal(t, 16., got["Core.walks"])

	got = at("1MiB", "Core.limit=1000", "Core.tlb.walk.entries=4")
	require.Equal(t, 7+float64(mem)+mem, got["Core.load_latency_p50"], "nor of 256: one read, upper levels are known")

	// a page table that is in the caches is read from there
	got = play(t, caches, "Core.generate.size=1MiB", "Core.tlb.entries=4", "Core.tlb.walk.entries=4", "Core.limit=1000", "Core.warm=1000000")
	require.Less(t, got["Core.walk_time_mean"], 102.)
	require.Equal(t, 1., got["Core.tlb_miss_rate"])
}

// Pages that are scattered keep their lines, and the map is one to one.
func TestScatter(t *testing.T) {
	flat := play(t, caches, "Core.generate.size=32KiB", "L2.ways=1", "L2.banks=1")
	require.Equal(t, 1., flat["L2.hit_rate"])
	got := play(t, caches, "Core.generate.size=32KiB", "L2.ways=1", "L2.banks=1", "Core.scatter=256MiB")
	require.Less(t, got["L2.hit_rate"], 1., "pages fall on each other")
	require.Equal(t, 1., got["L3.hit_rate"])
}

// Bad input is reported with its place, all errors at once.
func TestErrors(t *testing.T) {
	for _, c := range []struct {
		set  []string
		want []string
	}{
		{[]string{"Core.limit=0"}, []string{"chase never ends"}},
		{[]string{"Core.generate=null"}, []string{"t.yaml:3:5: nodes.Core", "there is nothing to run"}},
		{[]string{"Core.page=3000B", "Core.bytes=0B"}, []string{"page", "want a power of two", "bytes"}},
		{[]string{"Core.store=often"}, []string{"store", "allocate, non_temporal"}},
		{[]string{"Core.tlb={entries: 10, ways: 4}"}, []string{"no whole number of sets"}},
		{[]string{"Core.tlb={second: {entries: 8}}"}, []string{"second level without a first"}},
		{[]string{"Core.until=10ns", "Core.skip=20ns"}, []string{"nothing is left to measure"}},
		{[]string{"Core.scatter=8KiB"}, []string{"scattered over 8192"}},
		{[]string{"Mem.size=32KiB"}, []string{"has no home"}},
		{[]string{"Core.generate={name: chase, size: 100B, page: 100B}"}, []string{"size is 100B", "page is 100B"}},
		{[]string{"Core.widht=3"}, []string{"width"}},
		{[]string{"Core.generate={name: chase, order: stride, page: 1KiB, seed: 2}"}, []string{"nodes.Core.generate.page: has no effect on order stride", "generate.seed: has no effect"}},
		{[]string{"Core.generate={name: stream_kernel, view: core, lag: 3}"}, []string{"nodes.Core.generate.lag: has no effect on view core (used by: memory)"}},
		{[]string{"Core.pause={after: 3}"}, []string{"nodes.Core.pause.after: has no effect without time"}},
		{[]string{"Core.tlb={walk: {levels: 2}}"}, []string{"nodes.Core.tlb.walk: has no effect without entries"}},
		{[]string{"Core.tlb={entries: 8, second: {latency: 7cycle}}"}, []string{"nodes.Core.tlb.second.latency: has no effect without entries"}},
		{[]string{"Core.tlb={entries: 8, walk: {table: 3B}}"}, []string{"table is 3B (want a multiple of 8B"}},
	} {
		_, _, err := build(t, bare, c.set...)
		require.Error(t, err, "%v", c.set)
		for _, w := range c.want {
			require.ErrorContains(t, err, w, "%v", c.set)
		}
	}
}

// A trace is carried out in its order. Errors in it are reported with their places, and parts
// without effect are warnings.
func TestTrace(t *testing.T) {
	write := func(text string) string {
		file := filepath.Join(t.TempDir(), "t.csv")
		require.NoError(t, os.WriteFile(file, []byte(text), 0o600))
		return file
	}
	run := func(text string, set ...string) (system.Node, error) {
		e, s, err := build(t, bare, append([]string{"Core.generate=null", "Core.limit=0", "Mem.size=1MiB", "Core.trace=" + write(text)}, set...)...)
		require.NoError(t, err)
		if err := s.Node("Core").(system.Starter).Start(); err != nil {
			return s.Node("Core"), err
		}
		return s.Node("Core"), e.Run()
	}
	core, err := run("time,op,addr,size\n0,R,0,64\n1000,W,4090,20\n2000,R,100,8192\n")
	require.NoError(t, err)
	require.Empty(t, core.Stats().Verify())
	require.Contains(t, core.(system.Warner).Warnings()[0], "do not count here")

	_, err = run("op,addr,size\nR,0,64\nR,1048570,64\n")
	require.ErrorContains(t, err, "t.csv:3")
	require.ErrorContains(t, err, "address 0x100039 has no home")

	core, err = run("op,addr,size\n")
	require.NoError(t, err)
	require.Contains(t, core.(system.Warner).Warnings()[0], "no accesses")
}

// A trace is read before the run: errors in its first records are reported then, and so is a
// key that it leaves without effect.
func TestTraceIsReadBeforeTheRun(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"time,op,addr,size\n0,X,0,8\n", `t.csv:2:3: "X" is neither read nor write`},
		{"op,addr,size\nR,0,8\nR,0,0\n", "t.csv:3: a request of 0 bytes at 0x0"},
		{"instruction,op,addr\n10,R,0\n10,R,0\n5,R,64\n", "t.csv:4: instruction 5 (want rising instructions)"},
		{"instruction,op,addr\n10,R,0\n", "nodes.Core.instructions: has no effect"},
	} {
		file := filepath.Join(t.TempDir(), "t.csv")
		require.NoError(t, os.WriteFile(file, []byte(c.text), 0o600))
		_, _, err := build(t, bare, "Core.generate=null", "Core.limit=0", "Core.instructions=4", "Core.trace="+file)
		require.ErrorContains(t, err, c.want)
	}
}

// After a run, warnings name what had no effect, or could not show.
func TestWarnings(t *testing.T) {
	file := filepath.Join(t.TempDir(), "t.csv")
	for _, c := range []struct{ trace, set, want string }{
		{"op,addr\nR,0\nR,64\n", "Core.warm=100", "the 100 accesses before the run (key warm) show no steady state: they end before the first part of a pass that could show one"},
		{"op,addr,core\nR,0,0\nR,64,1\n", "Core.warm=0", "accesses of several cores are played as those of one"},
		{"op,addr\nR,0\nR,64\n", "Core.skip=1s", "Core: skip is 1s, and the last answer came at 0.052us: nothing is left to measure"},
		{"op,addr\nR,0\nR,64\n", "Core.store=non_temporal", "store: non_temporal has no effect: there was no store"},
		{"op,addr\nR,0\nR,64\n", "Core.chains=4 Core.loads=2", "chains: 4, but only 2 loads are under way at a time"},
		{"op,addr\nW,0\nR,64\n", "Core.chains=4 Core.loads=2 Core.store=non_temporal", ""},
	} {
		require.NoError(t, os.WriteFile(file, []byte(c.trace), 0o600))
		e, s, err := build(t, bare, append([]string{"Core.generate=null", "Core.limit=0", "Core.trace=" + file}, strings.Fields(c.set)...)...)
		require.NoError(t, err)
		require.NoError(t, s.Node("Core").(system.Starter).Start())
		require.NoError(t, e.Run())
		said := s.Node("Core").(system.Warner).Warnings()
		if c.want == "" {
			require.Empty(t, said)
			continue
		}
		require.Len(t, said, 1)
		require.Contains(t, said[0], c.want)
	}
}

// A pattern on several cores runs a node each; one node alone says what it leaves out.
func TestCoresOfAPattern(t *testing.T) {
	warnings := func(set ...string) (out []string) {
		e, s, err := build(t, bare, set...)
		require.NoError(t, err)
		for _, n := range s.Nodes() {
			if x, ok := n.(system.Starter); ok {
				require.NoError(t, x.Start())
			}
		}
		require.NoError(t, e.Run())
		for _, n := range s.Nodes() {
			if w, ok := n.(system.Warner); ok {
				out = append(out, w.Warnings()...)
			}
		}
		return out
	}
	require.Equal(t, []string{"Core: generate chase is on 3 cores, of which this node is core 0 alone (count: 3 makes a node of each)"}, warnings("Core.generate.cores=3"))
	require.Empty(t, warnings())
	require.Empty(t, warnings("Core.generate.cores=3", "Core.count=3"))
	_, _, err := build(t, bare, "Core.generate.cores=2", "Core.count=3")
	require.ErrorContains(t, err, "there is no core 2: the layer is on 2 (key cores), numbered from 0; a node plays the core of its own index, Name[3] core 3")
}

// Metrics look at the time between skip and until.
func TestSkip(t *testing.T) {
	got := play(t, bare, "Core.chains=1", "Core.limit=0", "Core.skip=520ns", "Core.until=1040ns")
	require.Equal(t, 8*10./520, got["Core.bandwidth"])
	require.Equal(t, 52., got["Core.load_latency_mean"])
	require.Equal(t, 20., got["Core.loads"])
}

func BenchmarkWarm(b *testing.B) {
	e, s, err := build(b, caches, "Core.generate.size=64MiB", "L3.size=105MiB", "L3.ways=15", "L3.slices=56", "L3.inclusion=exclusive", "L3.policy={name: random}", "L2.size=2MiB", "L1.size=48KiB", "L1.ways=12", fmt.Sprintf("Core.warm=%d", b.N), "Core.limit=1")
	require.NoError(b, err)
	_ = e
	b.ReportAllocs()
	require.NoError(b, s.Node("Core").(system.Starter).Start())
}
