package cache

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/causeway-sim/causeway/components/engine"
	"github.com/causeway-sim/causeway/components/system"
	"github.com/causeway-sim/causeway/configs"
	"github.com/causeway-sim/causeway/memory"
	"github.com/causeway-sim/causeway/memory/cache/tagstore"
)

// Warming leaves the tags as the same requests leave them in a run, one at a time; of a lower level
// too where nothing is written. With inclusion it keeps its rule: an inclusive cache has what is above,
// an exclusive one none of it. It counts nothing, and says whether it asked memory.
func TestWarmingLeavesWhatARunLeaves(t *testing.T) {
	dir := t.TempDir()
	often(t, 3, func(t *rapid.T) {
		type access struct {
			addr  uint64
			write bool
		}
		var list []access
		var trace strings.Builder
		trace.WriteString("op,addr\n")
		bytes := rapid.SampledFrom([]uint64{8, 64}).Draw(t, "bytes")
		readsOnly := rapid.Bool().Draw(t, "reads only")
		for range rapid.IntRange(1, 80).Draw(t, "accesses") {
			a := access{addr: 8 * rapid.Uint64Range(0, 250).Draw(t, "word"), write: !readsOnly && rapid.Bool().Draw(t, "write")}
			a.addr -= a.addr % bytes
			list = append(list, a)
			fmt.Fprintf(&trace, "%s,0x%x\n", map[bool]string{false: "R", true: "W"}[a.write], a.addr)
		}
		require.NoError(t, os.WriteFile(filepath.Join(dir, "t.csv"), []byte(trace.String()), 0o600))
		pick := func(name string, of ...string) string { return rapid.SampledFrom(of).Draw(t, name) }
		mode := pick("inclusion", "none", "inclusive", "exclusive")
		keys := func() string {
			ways := rapid.IntRange(1, 4).Draw(t, "ways")
			out := fmt.Sprintf("fidelity: functional, ways: %d, size: %dB, policy: {name: %s}", ways, 64*ways*rapid.IntRange(1, 3).Draw(t, "sets"), pick("policy", "lru", "srrip", "fifo"))
			if mode == "none" {
				out += ", write: " + pick("write", "back", "through", "around")
			}
			return out
		}
		text := fmt.Sprintf(`schema: causeway/1
nodes:
  - {name: Driver, kind: driver, trace: t.csv, bytes: %dB, mode: "closed:1"}
  - {name: Up, kind: cache, %s}
  - {name: Down, kind: cache, %s, inclusion: %s}
  - {name: Mem, kind: memory, fidelity: ideal, latency: 50ns}
links: [Driver -> Up.top, Up.bottom -> Down.top, Down.bottom -> Mem]
`, bytes, keys(), keys(), mode)
		build := func() (*engine.Engine, *system.System) {
			d, err := configs.Parse(filepath.Join(dir, "s.yaml"), []byte(text), configs.Options{Dir: dir})
			require.NoError(t, err, text)
			e := engine.New()
			s, err := system.Build(d, &system.Env{Engine: e})
			require.NoError(t, err, text)
			return e, s
		}
		e, ran := build()
		for _, n := range ran.Nodes() {
			if x, ok := n.(system.Starter); ok {
				require.NoError(t, x.Start())
			}
		}
		require.NoError(t, e.Run())
		_, warmed := build()
		asked, from := false, warmed.Node("Driver").PortSpecs()[0].Ports[0]
		for _, a := range list {
			asked = warmed.Node("Up").(memory.Warmer).Warm(memory.Request{Addr: a.addr, Bytes: bytes, Write: a.write, Hint: &memory.Hint{}}, from) || asked
		}
		metric := func(s *system.System, node, name string) float64 {
			for _, m := range s.Node(node).Stats().Metrics() {
				if m.Name == name {
					return m.Value
				}
			}
			return 0
		}
		for _, name := range []string{"Up", "Down"} {
			a, b := ran.Node(name).(level).lower(), warmed.Node(name).(level).lower()
			require.Zero(t, b.core.Count, name)
			require.Zero(t, b.incl.Counts, name)
			require.Zero(t, b.incl.Recalls.Len(), name)
			if mode == "none" && (name == "Up" || readsOnly) { // warming writes victims below before it fetches
				require.Equal(t, a.core.Dirty(), b.core.Dirty(), "%s\n%s%s", name, text, trace.String())
				for set := range a.core.Sets() {
					require.Equal(t, a.core.Lines(set), b.core.Lines(set), "%s, set %d\n%s%s", name, set, text, trace.String())
				}
			}
		}
		up, down := warmed.Node("Up").(level).lower().core, warmed.Node("Down").(level).lower().core
		for set := range up.Sets() {
			for _, line := range up.Lines(set) {
				if mode != "none" {
					require.Equal(t, mode == "inclusive", down.Has(line), "line %d\n%s%s", line, text, trace.String())
				}
			}
		}
		require.Equal(t, metric(ran, "Mem", "reads")+metric(ran, "Mem", "writes") > 0, asked, text)
	})
}

// warmedLevels is caches A, B, C above a cache D that has room for all, so that its dirty lines are those that have been
// written to it.
func warmedLevels(t require.TestingT, b, c string) (names []*tagstore.Store, warm func(line uint64, write bool), text string) {
	text = fmt.Sprintf(`schema: causeway/1
nodes:
  - {name: Driver, kind: driver, generate: {name: stream, count: 1}}
  - {name: A, kind: cache, fidelity: functional, size: 256B, ways: 2}
  - {name: B, kind: cache, fidelity: functional, size: 512B, ways: 2, inclusion: %s}
  - {name: C, kind: cache, fidelity: functional, size: 1KiB, ways: 4, inclusion: %s}
  - {name: D, kind: cache, fidelity: functional, size: 64KiB, ways: 4}
  - {name: Mem, kind: memory, fidelity: ideal}
links: [Driver -> A.top, A.bottom -> B.top, B.bottom -> C.top, C.bottom -> D.top, D.bottom -> Mem]
`, b, c)
	d, err := configs.Parse("s.yaml", []byte(text), configs.Options{Dir: "."})
	require.NoError(t, err, text)
	s, err := system.Build(d, &system.Env{Engine: engine.New()})
	require.NoError(t, err, text)
	for _, name := range []string{"A", "B", "C", "D"} {
		names = append(names, s.Node(name).(level).lower().core)
	}
	from := s.Node("Driver").PortSpecs()[0].Ports[0]
	return names, func(line uint64, write bool) {
		s.Node("A").(memory.Warmer).Warm(memory.Request{Addr: line * 64, Bytes: 64, Write: write, Hint: &memory.Hint{}}, from)
		adjacent(t, b, []system.Node{s.Node("A")}, s.Node("B"), text)
		if b != "exclusive" || c != "inclusive" {
			adjacent(t, c, []system.Node{s.Node("B")}, s.Node("C"), text)
		}
		if b == "inclusive" && c == "inclusive" {
			adjacent(t, c, []system.Node{s.Node("A")}, s.Node("C"), text)
		}
	}, text
}

// Warming three levels keeps what their inclusion says after each access: a line that the last level gives up is taken back
// from all above it. No write is lost: a line that was written is dirty in some cache, or was written below. Nothing
// else is written.
func TestWarmingThreeLevels(t *testing.T) {
	for _, b := range []string{"none", "inclusive", "exclusive"} {
		for _, c := range []string{"none", "inclusive", "exclusive"} {
			if b == "exclusive" && c == "inclusive" {
				continue // is refused
			}
			caches, warm, text := warmedLevels(t, b, c)
			r := rand.New(rand.NewPCG(1, 2))
			written := map[uint64]bool{}
			for range 300 {
				line, write := r.Uint64N(40), r.IntN(4) == 0
				warm(line, write)
				written[line] = written[line] || write
			}
			for line := range uint64(40) {
				dirty := false
				for _, core := range caches {
					dirty = core.Clean(line) != 0 || dirty
				}
				require.Equal(t, written[line], dirty, "line %d\n%s", line, text)
			}
		}
	}
}
