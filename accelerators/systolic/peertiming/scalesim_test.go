package peertiming

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/accelerators/peers/scalesim"
	"github.com/causeway-sim/causeway/accelerators/work"
	"github.com/causeway-sim/causeway/components/clock"
	"github.com/causeway-sim/causeway/components/clock/instant"
	"github.com/causeway-sim/causeway/components/engine"
	"github.com/causeway-sim/causeway/workloads/format"
	"github.com/causeway-sim/causeway/workloads/format/table"
	"github.com/causeway-sim/causeway/workloads/zoo"
)

func topologies(t *testing.T) string {
	root := os.Getenv("CAUSEWAY_INPUTS")
	if root == "" {
		root = filepath.Join("..", "..", "..", "..", "shared", "inputs")
	}
	root = filepath.Join(root, "scalesim")
	if _, err := os.Stat(root); err != nil {
		t.Skipf("no input %s", root)
	}
	return root
}

func newScaleSim(rows, cols int, dataflow string, dram bool) *ScaleSim {
	return NewScaleSim("Core", engine.New(), Core{Timing: "scalesim", Rows: rows, Cols: cols, Clock: clock.GHz},
		scalesim.Array{Rows: rows, Cols: cols, Dataflow: scalesim.Dataflow(dataflow), IfmapSRAM: 64 << 10, FilterSRAM: 64 << 10, OfmapSRAM: 64 << 10}, dram)
}

// Reference: reference/scalesim/NOTES.md, full-tool runs of SCALE-Sim v3.
func TestPublishedTotals(t *testing.T) {
	root := topologies(t)
	for _, c := range []struct {
		file       string
		rows, cols int
		dataflow   string
		cycles     uint64
	}{
		{"conv_nets/alexnet.csv", 128, 128, "os", 67567},
		{"mlperf/Resnet50.csv", 32, 32, "os", 4434168},
		{"mlperf/Resnet50.csv", 32, 32, "ws", 5753486},
		{"mlperf/Resnet50.csv", 32, 32, "is", 5608356},
	} {
		g, _, err := format.Open(filepath.Join(root, c.file), format.Options{})
		require.NoError(t, err)
		k := newScaleSim(c.rows, c.cols, c.dataflow, false)
		require.NoError(t, work.IssueAll(k, work.Share{Graph: g}))
		require.Equal(t, c.cycles, k.end, "%s %s", c.file, c.dataflow)
	}
}

// What a reader makes of a topology file gives the tool's own rows back: same
// figures in every column as from the numbers of the file.
func TestGraphsGiveTheRowsBack(t *testing.T) {
	root := topologies(t)
	files, rows := 0, 0
	require.NoError(t, filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(path, ".csv") {
			return err
		}
		raw, err := table.ScaleSimLayers(path, format.Options{})
		if err != nil {
			return nil // refused; the reader's tests say why
		}
		g, _, err := format.Open(path, format.Options{})
		require.NoError(t, err, path)
		k := newScaleSim(16, 24, "ws", false)
		if err := work.IssueAll(k, work.Share{Graph: g}); err != nil {
			t.Logf("%s: %v", path, err)
			return nil
		}
		require.Len(t, k.rows, len(raw), path)
		for i, l := range raw {
			want := scalesim.Layer{Name: k.rows[i].layer.Name, H: l.H, W: l.W, R: l.R, S: l.S, C: l.C, N: l.Filters, StrideH: l.StrideH, StrideW: l.StrideW}
			got := k.rows[i].layer
			require.Equal(t, want, got, "%s %s", path, l.Name)
			rows++
		}
		files++
		return nil
	}))
	t.Logf("%d files, %d rows", files, rows)
	require.Greater(t, files, 100)
}

// A run of timing scalesim ends with the sum of its layers, and the table has
// the columns that scripts read, in order.
func TestScaleSimRuns(t *testing.T) {
	g, err := zoo.Build("mobilenet_v1", zoo.Params{})
	require.NoError(t, err)
	k := newScaleSim(32, 32, "ws", true)
	require.NoError(t, work.IssueAll(k, work.Share{Graph: g}))
	require.NoError(t, k.Start())
	e := k.engine.(*engine.Engine)
	require.NoError(t, e.Run())
	require.Equal(t, instant.Of(k.core.Clock, k.end), e.CurrentTime())
	tb := k.Layers()
	var names []string
	for _, c := range tb.Columns {
		names = append(names, c.Name)
	}
	require.Equal(t, strings.Split("layer,cycles,utilization,mapping_efficiency,compute_utilization,ifmap_sram_reads,filter_sram_reads,ofmap_sram_writes,"+
		"ifmap_sram_bandwidth,filter_sram_bandwidth,ofmap_sram_bandwidth,macs,workload,compute_cycles,useful_cycles,mapping_loss_cycles,fill_cycles,drain_cycles,cycles_with_prefetch,stall_cycles,"+
		"ifmap_dram_start,ifmap_dram_stop,ifmap_dram_reads,ifmap_dram_bandwidth,filter_dram_start,filter_dram_stop,filter_dram_reads,filter_dram_bandwidth,"+
		"ofmap_dram_start,ofmap_dram_stop,ofmap_dram_writes,ofmap_dram_bandwidth", ","), names)
	var sum uint64
	for _, r := range tb.Rows {
		sum += r[1].(uint64)
	}
	require.Equal(t, k.end, sum)
	require.Equal(t, uint64(g.MACs()), k.macs)
}
