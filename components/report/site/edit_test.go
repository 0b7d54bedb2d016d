package site

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

const commented = `# A small array
schema: causeway/1
params: {width: 64GB/s} # of the memory

workload: {model: resnet18}
nodes:
  - name: Core   # größer
    kind: systolic
    rows: 16 # few
    sram: {ifmap: 8MiB}

  - {name: Mem, kind: memory, bandwidth: $width, preset: "ddr4"}
other:
  only: 1
`

// Each change alters its value alone: text around it stays, comments and empty lines too.
func TestChanged(t *testing.T) {
	for _, c := range []struct{ path, value, old, want string }{
		{"Core.rows", "64", "rows: 16 # few", "rows: 64 # few"},
		{"Core.sram.ifmap", "4MiB", "{ifmap: 8MiB}", "{ifmap: 4MiB}"},
		{"width", "32GB/s", "{width: 64GB/s}", "{width: 32GB/s}"},
		{"workload.batch", "8", "{model: resnet18}", "{batch: 8, model: resnet18}"},
		{"Core.cols", "32", "    kind: systolic\n", "    cols: 32\n    kind: systolic\n"},
		{"Core.dma.burst", "64B", "    kind: systolic\n", "    dma: {burst: 64B}\n    kind: systolic\n"},
		{"Core.sram.filter", "1MiB", "{ifmap: 8MiB}", "{filter: 1MiB, ifmap: 8MiB}"},
		{"Mem.bandwidth", "1GB/s", "bandwidth: $width", "bandwidth: 1GB/s"},
		{"Mem.preset", "hbm2e", `preset: "ddr4"`, "preset: hbm2e"},
		{"Mem.latency", "3ns", "name: Mem, kind", "name: Mem, latency: 3ns, kind"},
		{"Mem.preset", "a: b", `preset: "ddr4"`, `preset: "a: b"`},
		{"Mem.preset", "{x: [1, 2]}", `preset: "ddr4"`, `preset: {x: [1, 2]}`},
		{"other.more", "2", "  only: 1\n", "  more: 2\n  only: 1\n"},
	} {
		got, err := changed(commented, [][2]string{{c.path, c.value}})
		require.NoError(t, err, c.path)
		require.Contains(t, commented, c.old)
		require.Equal(t, strings.Replace(commented, c.old, c.want, 1), got, c.path)
	}
	for _, path := range []string{"none", "Gone.rows", "Core.rows.x", "Core.sram"} {
		_, err := changed(commented, [][2]string{{path, "1"}})
		require.ErrorIs(t, err, errElsewhere, path)
	}
}
