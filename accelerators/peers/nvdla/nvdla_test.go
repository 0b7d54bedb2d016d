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
		layers = append(layers, Layer{C: n("c"), H: n("h"), W: n("w"), K: n("k"), R: n("r"), S: n("s"), Pad: n("pad"), Stride: n("stride"),
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
