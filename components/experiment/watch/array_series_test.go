package watch_test

import (
	"github.com/causeway-sim/causeway/components/experiment"
	_ "github.com/causeway-sim/causeway/components/std"

	"context"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"
)

const seriesConfig = `schema: causeway/1
workload: {model: resnet18}
nodes:
  - {name: Core, kind: %s}
  - {name: Mem, kind: memory, %s}
links:
  - {link: Core -> Mem, latency: 5ns}
`

// What cores and memories do is spread over the time that it takes: no interval is above a
// peak that the configuration gives, and nothing is lost or counted twice.
func TestNothingAboveTheRoof(t *testing.T) {
	const array = "systolic, rows: 64, cols: 32, clock: 1GHz, sram: {ifmap: 128KiB, filter: 128KiB, ofmap: 128KiB}"
	for _, core := range []string{
		array + ", fidelity: tile, dma: {burst: 1KiB, outstanding: 16}",
		array + ", fidelity: analytic, dma: {burst: 1KiB, outstanding: 16}",
		"roofline, compute: 4TFLOP/s, memory: 20GB/s", "gpu, preset: a100",
	} {
		for _, mem := range []string{"fidelity: ideal, latency: 80ns, bandwidth: 25.6GB/s", "preset: ddr4_3200", "fidelity: curve, preset: ddr4_3200"} {
			text := fmt.Sprintf(seriesConfig, core, mem)
			systolic := core[0] == 's'
			if !systolic { // they have memories of their own
				text = fmt.Sprintf("schema: causeway/1\nworkload: {model: resnet18}\nnodes:\n  - {name: Core, kind: %s}\n", core)
			}
			t.Run(core[:8]+mem[:14], func(t *testing.T) {
				x, err := experiment.Parse("c", []byte(text), experiment.Options{Observe: true})
				require.NoError(t, err)
				r, _, err := x.Run(context.Background(), nil)
				require.NoError(t, err)
				o := r.Observed
				require.Empty(t, o.AboveRoof())
				require.Positive(t, o.Peaks["Core.macs"])
				require.Positive(t, o.Peaks["Core.moved_bytes"])
				sum := func(column string) (n float64) {
					k := o.Series.Index(column)
					require.Positive(t, k, column)
					for i := range o.Series.Rows {
						n += o.Series.Number(i, k)
					}
					return n
				}
				macs, _ := r.Metric("Core", "macs")
				require.InEpsilon(t, macs.Value, sum("Core.macs"), 1e-6)
				bytes, _ := r.Metric("Core", "memory_bytes")
				if systolic {
					read, _ := r.Metric("Core", "read_bytes")
					write, _ := r.Metric("Core", "write_bytes")
					bytes.Value = read.Value + write.Value
				}
				require.InEpsilon(t, bytes.Value, sum("Core.moved_bytes"), 1e-6)
			})
		}
	}
}

// The check says what is above its peak, and what passes later than it was done.
func TestAboveRoofIsSaid(t *testing.T) {
	x, err := experiment.Parse("c", fmt.Appendf(nil, seriesConfig, "systolic, rows: 16, cols: 16, clock: 1GHz", "fidelity: ideal, bandwidth: 25.6GB/s"), experiment.Options{Observe: true})
	require.NoError(t, err)
	r, _, err := x.Run(context.Background(), nil)
	require.NoError(t, err)
	o := r.Observed
	o.Peaks["Core.macs"] /= 2
	require.Len(t, o.AboveRoof(), 1)
	require.Contains(t, o.AboveRoof()[0], "Core.macs is ")
	o.Peaks["Core.macs"] *= 2
	name := ""
	for i := range 100 { // a hundred bursts at one instant
		name = o.Pass(1, 1e6, 1e5+float64(i))
	}
	require.Contains(t, o.AboveRoof()[0], name+" passes ")
}
