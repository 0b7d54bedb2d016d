package layout

import (
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/causeway-sim/causeway/accelerators/mapping/dma"
	"github.com/causeway-sim/causeway/workloads/graph"
)

// at is the place of an element of a tiled matrix, as the package says: row of blocks after row
// of blocks, block after block, elements of a block row by row. The last ones are smaller.
func at(m *Matrix, row, col int64) int64 {
	s := m.Layout.Block
	top, left := row/s*s, col/s*s
	high, wide := min(s, m.Rows-top), min(s, m.Cols-left)
	return top*m.Cols + left*high + (row-top)*wide + col - left
}

// A region is its elements, each once, and no others.
func TestRegionsAreTheirElements(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := func(name string, least, most int64) int64 { return rapid.Int64Range(least, most).Draw(t, name) }
		m := Matrix{Rows: n("rows", 1, 20), Cols: n("cols", 1, 20), Layout: Arrangement{Block: n("block", 1, 7)}, Wide: graph.Unit{Elements: 1, Bytes: n("bytes", 1, 4)}}
		r0, c0 := n("r0", 0, m.Rows-1), n("c0", 0, m.Cols-1)
		r1, c1 := n("r1", r0+1, m.Rows), n("c1", c0+1, m.Cols)
		want, got := map[int64]int{}, map[int64]int{}
		for r := r0; r < r1; r++ {
			for c := c0; c < c1; c++ {
				want[at(&m, r, c)]++
			}
		}
		before := dma.Transfer{Tensor: 9, RowBytes: 1, Rows: 1, Planes: 1}
		all := m.Region([]dma.Transfer{before}, dma.Transfer{Tensor: 3}, r0, r1, c0, c1)
		require.Equal(t, before, all[0], "what was there stays")
		for _, x := range all[1:] {
			require.Equal(t, graph.TensorID(3), x.Tensor)
			for p := range x.Planes {
				for r := range x.Rows {
					o := x.Offset + p*x.PlaneStride + r*x.Stride
					require.Zero(t, o%m.Wide.Bytes)
					for b := o; b < o+x.RowBytes; b += m.Wide.Bytes {
						got[b/m.Wide.Bytes]++
					}
				}
			}
		}
		require.Equal(t, want, got)
		if m.Layout.Block >= max(m.Rows, m.Cols) && c0 == 0 && c1 == m.Cols {
			require.Len(t, all, 2, "rows that touch are one run")
		}
	})
}
