package dram_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/components/engine"
	"github.com/causeway-sim/causeway/components/system"
	"github.com/causeway-sim/causeway/configs"
	_ "github.com/causeway-sim/causeway/workloads/player"
)

// Requests per second of one core over the whole path of a run: a trace in a
// file, its reader, driver, wire, and memory.
func BenchmarkPath(b *testing.B) {
	const n = 200000
	var text strings.Builder
	rnd := rand.New(rand.NewPCG(1, 2))
	for range n {
		fmt.Fprintf(&text, "R 0x%x\n", rnd.Uint64N(1<<24)*64)
	}
	path := filepath.Join(b.TempDir(), "a.trc")
	require.NoError(b, os.WriteFile(path, []byte(text.String()), 0o600))
	for _, mode := range []string{"open:12", "open:16", "open:32", "closed:64", "open:4"} {
		b.Run(mode, func(b *testing.B) {
			b.ReportAllocs()
			events := uint64(0)
			for range b.N {
				b.StopTimer()
				d, err := configs.Parse("t.yaml", fmt.Appendf(nil, `schema: causeway/1
nodes:
  - {name: Driver, kind: driver, trace: %s, mode: %q}
  - {name: Mem, kind: memory, preset: ddr4_3200}
links: [Driver -> Mem]
`, path, mode), configs.Options{Dir: "."})
				require.NoError(b, err)
				e := engine.New()
				s, err := system.Build(d, &system.Env{Engine: e})
				require.NoError(b, err)
				b.StartTimer()
				require.NoError(b, s.Node("Driver").(system.Starter).Start())
				require.NoError(b, e.Run())
				events += e.Events()
			}
			b.ReportMetric(float64(b.N)*n/b.Elapsed().Seconds(), "requests/s")
			b.ReportMetric(float64(events)/float64(b.N*n), "events/request")
		})
	}
}
