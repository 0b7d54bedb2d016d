package cache

import (
	"fmt"
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
