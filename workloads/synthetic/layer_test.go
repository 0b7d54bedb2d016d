package synthetic_test

import (
	"io"
	"math/bits"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/causeway-sim/causeway/workloads/synthetic"
	"github.com/causeway-sim/causeway/workloads/trace"
)

// walk reads all cores of a layer and checks that its descriptors are true: each
// byte of every tensor that is touched has the accesses and cores it says, and
// requests lie in their tensor. It returns the bytes moved.
func walk(t require.TestingT, l synthetic.Layer, burst uint64, whole bool) (moved uint64) {
	ts := l.Tensors()
	uses := make([][]uint32, len(ts))    // of each byte
	sharers := make([][]uint32, len(ts)) // of each byte, a bit per core
	touched := make([]bool, len(ts))
	end := uint64(0)
	for i, x := range ts {
		require.GreaterOrEqual(t, x.Base, end, "tensors overlap")
		end = x.Base + x.Bytes
		uses[i] = make([]uint32, x.Bytes)
		sharers[i] = make([]uint32, x.Bytes)
	}
	for c := range l.On() {
		r, err := synthetic.NewReader(l, c, burst)
		require.NoError(t, err)
		var rec trace.Record
		for err = r.Next(&rec); err == nil; err = r.Next(&rec) {
			x := ts[rec.Tensor-1]
			require.True(t, rec.Addr >= x.Base && rec.Addr+uint64(rec.Size) <= x.Base+x.Bytes, "%+v is not in %+v", rec, x)
			require.LessOrEqual(t, rec.Addr%burst+uint64(rec.Size), burst)
			require.Equal(t, x.WriteOnce, rec.Write)
			require.EqualValues(t, c, rec.Core)
			for k := range uint64(rec.Size) {
				uses[rec.Tensor-1][rec.Addr-x.Base+k]++
				sharers[rec.Tensor-1][rec.Addr-x.Base+k] |= 1 << c
			}
			touched[rec.Tensor-1] = true
			moved += uint64(rec.Size)
		}
		require.Equal(t, io.EOF, err)
	}
	for i, x := range ts {
		if !whole && !touched[i] {
			continue
		}
		for k := range uses[i] {
			require.Equal(t, x.Accesses, uses[i][k], "byte %d of %s", k, x.Name)
			require.Equal(t, int(x.Sharers), bits.OnesCount32(sharers[i][k]), "byte %d of %s", k, x.Name)
		}
	}
	return moved
}

func TestHeadsAreDescribed(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := func(name string, most int) int { return rapid.IntRange(1, most).Draw(t, name) }
		sharers, groups := n("sharers", 3), n("groups", 2)
		kv := groups * n("rounds", 2)
		h := synthetic.Heads{
			KVHeads: kv, Heads: kv * sharers * n("more", 2), Dim: n("dim", 5), Queries: n("queries", 9), Context: n("context", 9),
			Block: n("block", 4), Tile: n("tile", 4), Element: 2, Cores: groups * sharers, Sharers: sharers,
		}
		blocks := (h.Queries + h.Block - 1) / h.Block
		want := 2 * h.Heads * h.Dim * (h.Queries + blocks*h.Context) * int(h.Element)
		require.EqualValues(t, want, walk(t, &h, uint64(n("burst", 64)), true))
		h.Rounds = 1
		walk(t, &h, 64, false)
	})
}

func TestProductIsDescribed(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := func(name string, most int) int { return rapid.IntRange(1, most).Draw(t, name) }
		p := synthetic.Product{TileM: n("tm", 4), TileK: n("tk", 4), TileN: n("tn", 4), Element: 2, Cores: n("cores", 3)}
		mt, kt, nt := n("m", 3), n("k", 3), n("n", 3)
		p.Split = rapid.SampledFrom([]string{"row", "column"}).Draw(t, "split")
		if p.Split == "row" {
			mt *= p.Cores
		} else {
			nt *= p.Cores
		}
		p.M, p.K, p.N = mt*p.TileM, kt*p.TileK, nt*p.TileN
		want := 2 * (p.M*p.K*nt + p.K*p.N*mt + p.M*p.N)
		require.EqualValues(t, want, walk(t, &p, uint64(n("burst", 64)), true))
	})
}

func TestLayersRefuse(t *testing.T) {
	h := synthetic.DefaultHeads()
	h.KVHeads, h.Sharers, h.Cores, h.Element = 5, 3, 4, 0
	require.EqualError(t, h.Check(), "element is 0B (want 1B to 8B)")
	h.Element = 2
	require.EqualError(t, h.Check(), "32 heads share 5 of keys and values (want a divisor)\n4 cores in groups of 3 (want a divisor)")
	h = synthetic.DefaultHeads()
	h.Sharers, h.Cores, h.Rounds = 4, 16, 3
	require.EqualError(t, h.Check(), "rounds is 3, and each core has 2 heads of keys and values")
	p := synthetic.DefaultProduct()
	p.M, p.Split = 100, "diagonal"
	require.EqualError(t, p.Check(), "m is 100 in tiles of 128 (want a multiple)\nsplit is \"diagonal\" (want one of: column, row)")
	p = synthetic.DefaultProduct()
	p.Cores = 5
	_, err := synthetic.NewReader(&p, 0, 64)
	require.EqualError(t, err, "112 columns of tiles for 5 cores (want a multiple)")
	p.Cores = 4
	_, err = synthetic.NewReader(&p, 4, 64)
	require.EqualError(t, err, "there is no core 4: the layer is on 4 (key cores), numbered from 0; a node plays the core of its own index, Name[3] core 3")
	_, err = synthetic.NewReader(&p, 0, 0)
	require.EqualError(t, err, "burst of 0 B (want 1B to 16MiB)")
}

// Reading allocates nothing.
func TestReadingALayerDoesNotAllocate(t *testing.T) {
	h := synthetic.DefaultHeads()
	r, err := synthetic.NewReader(&h, 0, 4096)
	require.NoError(t, err)
	var rec trace.Record
	require.Zero(t, testing.AllocsPerRun(100, func() { require.NoError(t, r.Next(&rec)) }))
}
