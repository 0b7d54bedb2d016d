package nvdla

import (
	"bufio"
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// sheet is AlexNet as the sheet has it: layers, and figures by column.
func sheet(t testing.TB) (layers []Layer, figures []map[string]float64) {
	f, err := os.Open("testdata/alexnet.csv")
	require.NoError(t, err)
	defer f.Close()
	var head []string
	for s := bufio.NewScanner(f); s.Scan(); {
		if strings.HasPrefix(s.Text(), "#") {
			continue
		}
		cells := strings.Split(s.Text(), ",")
		if head == nil {
			head = cells
			continue
		}
		row := map[string]float64{}
		for i, c := range cells[2:] {
			row[head[i+2]], err = strconv.ParseFloat(c, 64)
			require.NoError(t, err)
		}
		n := func(k string) int { return int(row[k]) }
		layers = append(layers, Layer{C: n("c"), H: n("h"), W: n("w"), K: n("k"), R: n("r"), S: n("s"), PadH: n("pad") > 0, PadW: n("pad") > 0, StrideH: n("stride"), StrideW: n("stride"), Feature: 1, Weight: 1,
			OutH: n("out_h"), OutW: n("out_w"), FullyConnected: cells[1] == "fc"})
		figures = append(figures, row)
	}
	require.Len(t, layers, 11)
	return layers, figures
}

// Every figure of the sheet's table of AlexNet, with a second memory of 4 MB. Row 1 is
// the deviation of the package's doc.
func TestAlexNetWithSRAM(t *testing.T) {
	layers, want := sheet(t)
	c := Large()
	require.Equal(t, 18, c.Batch(layers))
	total := 0.0
	for i, x := range c.Network(layers) {
		require.InEpsilon(t, want[i]["mac"], x.MAC, 1e-9, "row %d", i)
		require.Equal(t, want[i]["sram_read"], x.SRAMRead, "row %d", i)
		require.Equal(t, want[i]["sram_write"], x.SRAMWrite, "row %d", i)
		require.InEpsilon(t, want[i]["cycles"], x.Cycles, 1e-9, "row %d", i)
		if i != 1 {
			require.Equal(t, want[i]["dram"], x.DRAM, "row %d", i)
		} else {
			require.Equal(t, 834.0, x.DRAM)
		}
		total += x.Cycles
	}
	require.InDelta(t, 591475.5625, total, 1e-6)
}

// The same without a second memory: everything goes to DRAM.
func TestAlexNetWithoutSRAM(t *testing.T) {
	layers, want := sheet(t)
	c := Large()
	c.SRAM, c.SRAMRead, c.SRAMWrite = 0, 0, 0
	require.Equal(t, 1, c.Batch(layers))
	total := 0.0
	for i, x := range c.Network(layers) {
		require.InEpsilon(t, want[i]["mac_without"], x.MAC, 1e-9, "row %d", i)
		require.Equal(t, want[i]["dram_without"], x.DRAM, "row %d", i)
		require.InEpsilon(t, want[i]["cycles_without"], x.Cycles, 1e-9, "row %d", i)
		total += x.Cycles
	}
	require.InDelta(t, 895443.5625, total, 1e-6)
}

// What the sheet's formulas give for other settings, by hand. Layer 1 folds 3 x 4 x 4
// channels of 56 x 56 pixels; 54 x 54 windows of 96 kernels of 11 x 11 / 16.
func TestSettings(t *testing.T) {
	layers, _ := sheet(t)
	c := Large()
	c.SRAM, c.Compression, c.DRAM = 0, 0.5, 20
	for i := range layers {
		layers[i].Feature, layers[i].Weight = 2, 1
	}
	x := c.Network(layers)
	require.InEpsilon(t, 48*54*54*96*7.5625/2048, x[0].MAC, 1e-12)
	require.Equal(t, 22547.0, x[0].DRAM, "2 x 147 + 2 x 68.34375 + 40.5 / 2 KB at 20 GB/s")
	c.FullyConnectedSize = 1
	require.InEpsilon(t, 4096.0*1008/2048, c.Network(layers)[10].MAC, 1e-12, "1,000 kernels are 63 x 16 for one image")
	c.Winograd = false
	require.InEpsilon(t, 2.25*x[3].MAC, c.Network(layers)[3].MAC, 1e-12)
	layers[3].Repeat = 2
	require.InEpsilon(t, 4.5*x[3].MAC, c.Network(layers)[3].MAC, 1e-12)
}

// Refetch, by hand: weights of 1,536 KB, the larger operand, do not fit besides 4 rows of 13
// of 256 channels, 13 KB: 4 pieces of 499 KB, and the input of 42.25 KB stays; it is the
// smaller one, and so weights pass once.
func TestRefetch(t *testing.T) {
	layers, _ := sheet(t)
	c := Large()
	c.SRAM, c.Refetch = 0, true
	require.Equal(t, 164163.0, c.Network(layers)[3].DRAM)
	require.Equal(t, 3686400.0+1300, c.Network(layers)[8].DRAM, "weights of one image")
	// 784 KB of input of 1 x 1 against 512 of weights that have 2 rows of 14 KB besides them.
	l := Layer{C: 256, H: 56, W: 56, K: 2048, R: 1, S: 1, StrideH: 1, StrideW: 1, OutH: 56, OutW: 56, Feature: 1, Weight: 1}
	require.Equal(t, 2*784.0+512+6272, c.alone(&l))
	l.Elementwise = true
	require.Equal(t, 2*784.0+512+2*6272, c.alone(&l))
	c.Buffer = 16 // no room besides the rows: all goes through once
	require.Equal(t, 784.0+512+2*6272, c.alone(&l))
}
