package watch_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/components/experiment"
	"github.com/causeway-sim/causeway/components/stats"
)

// randomSystem is a configuration: cores of any array, fidelity and buffers, a memory of any
// fidelity, and between them links alone, a cache or a network.
func randomSystem(r *rand.Rand) string {
	pick := func(list ...string) string { return list[r.IntN(len(list))] }
	size := func(least, most int) int { return least << r.IntN(most) }
	var ops []string
	for range 1 + r.IntN(3) {
		ops = append(ops, fmt.Sprintf("{op: gemm, m: %d, n: %d, k: %d}", 64+r.IntN(300), 256+r.IntN(700), 256+r.IntN(900)))
	}
	ops = append(ops, fmt.Sprintf("{op: softmax, rows: %d, cols: %d}", 1+r.IntN(64), 1+r.IntN(512)))
	cores := 1 + r.IntN(3)
	var b strings.Builder
	fmt.Fprintf(&b, "schema: causeway/1\nworkload: {dtype: %s, ops: [%s]}\n", pick("int8", "fp16"), strings.Join(ops, ", "))
	fmt.Fprintf(&b, "mapping: {cores: Core}\nnodes:\n  - {name: Core, kind: systolic, count: %d, rows: %d, cols: %d, dataflow: %s, fidelity: %s, clock: %s, sram: {ifmap: %dKiB, filter: %dKiB, ofmap: %dKiB}, dma: {burst: %dB, outstanding: %d}}\n",
		cores, size(8, 4), size(8, 4), pick("ws", "os", "is"), pick("tile", "analytic"), pick("500MHz", "940MHz", "1GHz", "2GHz"), size(16, 4), size(16, 4), size(16, 4), size(256, 5), size(2, 5))
	between := pick("", "LLC", "Net")
	switch between {
	case "LLC":
		fmt.Fprintf(&b, "  - {name: LLC, kind: cache, fidelity: %s, size: %dKiB, ways: %d, slices: %d, clock: %s, line: 64B}\n", pick("timed", "functional"), size(64, 4), size(2, 3), size(1, 3), pick("1GHz", "1500MHz"))
	case "Net":
		fmt.Fprintf(&b, "  - {name: Net, kind: network, fidelity: %s, topology: {name: crossbar, terminals: %d}, clock: %s, width: %dB}\n", pick("flit", "packet", "flow"), cores+1, pick("800MHz", "1GHz"), size(16, 3))
	}
	fmt.Fprintf(&b, "  - {name: Mem, kind: memory, %s}\n", pick(
		fmt.Sprintf("fidelity: ideal, latency: %dns, bandwidth: %dGB/s", 20+r.IntN(200), 4+r.IntN(200)), "preset: ddr4_3200", "preset: hbm2", "fidelity: curve, preset: ddr4_3200", "preset: ddr4_2400"))
	switch between {
	case "LLC":
		b.WriteString("links:\n  - Core -> LLC.top\n  - LLC.bottom -> Mem\n")
	case "Net":
		b.WriteString("links:\n  - Core -> Net\n  - Net -> Mem\n")
	default:
		fmt.Fprintf(&b, "links:\n  - {link: Core -> Mem, latency: %dns}\n", r.IntN(30))
	}
	return b.String()
}

// In random systems no counter is above its peak in any interval, and no share above 100 %.
// Networks and caches with time have a peak as well.
func TestRandomSystemsAreBelowTheirRoofs(t *testing.T) {
	cases := uint64(8)
	if os.Getenv("CAUSEWAY_LONG") != "" {
		cases = 200
	}
	for i := range cases {
		text := randomSystem(rand.New(rand.NewPCG(i, 25)))
		x, err := experiment.Parse("random.yaml", []byte(text), experiment.Options{Observe: true})
		require.NoError(t, err, text)
		r, _, err := x.Run(context.Background(), nil)
		require.NoError(t, err, text)
		o := r.Observed
		require.NotNil(t, o.Series, text)
		require.Empty(t, o.AboveRoof(), text)
		for _, column := range []string{"Core.macs", "Core.moved_bytes", "Mem.moved_bytes", "LLC.moved_bytes", "Net.bytes_delivered"} {
			node, _, _ := strings.Cut(column, ".")
			functional := strings.Contains(text, "fidelity: functional") // takes no time: so many bytes as are asked for
			if o.Series.Index(column) >= 0 && !(functional && (node == "LLC" || column == "Core.moved_bytes")) {
				require.Contains(t, o.Peaks, column, text)
			}
		}
		for _, m := range r.Metrics {
			if m.Unit == stats.Percent {
				require.LessOrEqual(t, m.Value, 100*(1+1e-9), "%s.%s of %s", m.Where, m.Name, text)
			}
		}
		if r.Causes != nil {
			for _, n := range r.Causes.Parts {
				sum := 0.0
				for _, p := range n.Parts {
					sum += p.Share
				}
				require.LessOrEqual(t, sum, 1+1e-9, "causes of %s in %s", n.Name, text)
			}
		}
	}
}
