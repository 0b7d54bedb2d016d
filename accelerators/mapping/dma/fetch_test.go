package dma

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// runs yields the ranges of bytes of a transfer.
func runs(x *Transfer, f func(from, to int64)) {
	for p := range x.Planes {
		for r := range x.Rows {
			o := x.Offset + p*x.PlaneStride + r*x.Stride
			f(o, o+x.RowBytes)
		}
	}
}

// Parts of a transfer are all of it, each byte once, and equally large up to a row, or to a byte
// where there are more parts than rows; the last one is the largest. Parts were a byte of each row
// for some cores and nothing for others.
func TestPartsOfATransferAreEqual(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := func(name string, most int64) int64 { return rapid.Int64Range(1, most).Draw(t, name) }
		x := Transfer{Offset: n("offset", 9), RowBytes: n("bytes", 40), Rows: n("rows", 12), Planes: n("planes", 5)}
		x.Stride = x.RowBytes + n("gap", 3) - 1
		x.PlaneStride = x.Stride*x.Rows + n("plane gap", 3) - 1
		of, seen, each := n("parts", 100)+1, map[int64]int{}, []int64{}
		for at := range of {
			part := int64(0)
			cut := Fetch{At: at, Of: of}.Cut([]Transfer{{}, x}, 1)
			require.LessOrEqual(t, len(cut), 4)
			for i := range cut[1:] {
				part += cut[i+1].Bytes()
				runs(&cut[i+1], func(a, b int64) {
					for ; a < b; a++ {
						seen[a]++
					}
				})
			}
			each = append(each, part)
		}
		runs(&x, func(a, b int64) {
			for ; a < b; a++ {
				require.Equal(t, 1, seen[a])
			}
		})
		require.Len(t, seen, int(x.Bytes()))
		c, unit := x.Contiguous(), int64(1)
		if c.Rows*c.Planes >= of {
			unit = c.RowBytes
		}
		require.LessOrEqual(t, slices.Max(each)-slices.Min(each), unit)
		require.Equal(t, slices.Max(each), each[of-1])
	})
}

// Contiguous moves the same bytes in runs as long as they can be.
func TestContiguousMovesTheSame(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := func(name string, most int64) int64 { return rapid.Int64Range(1, most).Draw(t, name) }
		x := Transfer{Offset: n("offset", 9), RowBytes: n("bytes", 9), Rows: n("rows", 5), Planes: n("planes", 4)}
		x.Stride = x.RowBytes + n("gap", 3) - 1
		x.PlaneStride = x.Stride*x.Rows + n("plane gap", 3) - 1
		list := func(x Transfer) (out []int64) {
			runs(&x, func(a, b int64) {
				for ; a < b; a++ {
					out = append(out, a)
				}
			})
			return out
		}
		all, c := list(x), x.Contiguous()
		require.Equal(t, all, list(c))
		require.Equal(t, x.Bytes(), c.Bytes())
		if all[len(all)-1]-all[0]+1 == x.Bytes() {
			require.EqualValues(t, 1, c.Rows*c.Planes, "one run")
		}
	})
}

// By hand: of 10 results, three cores add the parts of two others to a third each.
func TestAddsOfAPartOfASum(t *testing.T) {
	require.EqualValues(t, 7, Fetch{At: 1, Of: 3}.Adds(10))
	require.Zero(t, Fetch{}.Adds(10))
	require.Equal(t, Fetch{At: 2, Of: 3}, Fetch{At: 0, Of: 3}.Last())
	require.Equal(t, "ifmap filter ofmap", Ifmap.String()+" "+Filter.String()+" "+Ofmap.String())
	require.EqualValues(t, 15, Traffic{Ifmap: 1, Filter: 2, Psum: 3, Spill: 4, Output: 5}.Total())
}
