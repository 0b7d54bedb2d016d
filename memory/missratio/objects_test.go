package missratio

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/memory/object"
	"github.com/causeway-sim/causeway/workloads/synthetic/tracetest"
	"github.com/causeway-sim/causeway/workloads/trace"
)

// stored is a trace of objects with sizes from 1 B to 1 KiB, every hundredth of none.
func stored(bits, n int) *list {
	l := &list{head: trace.Header{Fields: trace.Sizes, Objects: true}}
	for a := range tracetest.Zipf(bits, 1.0, n).All() {
		r := trace.Record{Addr: a.Line, Size: uint32(1 + hash(a.Line)%1024)}
		if len(l.recs)%100 == 99 {
			r.Size = 0
		}
		l.recs = append(l.recs, r)
	}
	return l
}

// Each policy and size has the misses, and the missed bytes, of a cache of its own.
func TestObjectsEqualSingleCaches(t *testing.T) {
	s := Spec{Policies: object.All.Names(), Sizes: []uint64{3000, 100_000, 2_000_001}, Line: 64, Share: 1}
	got, err := Run(stored(14, 30_000), s)
	require.NoError(t, err)
	require.True(t, got.Objects)
	require.EqualValues(t, 300, got.Empty)
	require.EqualValues(t, 29_700, got.Accesses)
	i := 0
	for _, name := range s.Policies {
		for _, size := range s.Sizes {
			c, err := object.New(name, size)
			require.NoError(t, err)
			misses, lost, all := uint64(0), uint64(0), uint64(0)
			for _, r := range stored(14, 30_000).recs {
				if r.Size > 0 {
					all += uint64(r.Size)
					if !c.Access(r.Addr, r.Size) {
						misses++
						lost += uint64(r.Size)
					}
				}
			}
			require.Equal(t, Point{Policy: name, Size: size, Misses: misses, Ratio: float64(misses) / 29_700,
				ByteRatio: float64(lost) / float64(all)}, got.Points[i])
			require.Equal(t, all, got.Bytes)
			i++
		}
	}
}

// A sample is off by no more than it says in nine points of ten; bytes are as near. (Of 120
// points of seeds 0 to 19 seven are off by more, six of them with seed 3.)
func TestSampleOfObjects(t *testing.T) {
	s := Spec{Policies: []string{"lru", "sieve"}, Sizes: []uint64{1_000_000, 6_000_000, 20_000_000}, Line: 64, Share: 1}
	exact, err := Run(stored(17, 300_000), s)
	require.NoError(t, err)
	s.Share = 0.2
	points, off := 0, 0
	for seed := range uint64(5) {
		s.Seed = 10 + seed
		got, err := Run(stored(17, 300_000), s)
		require.NoError(t, err)
		require.Zero(t, got.Unfit)
		for i, p := range got.Points {
			points++
			if d := p.Ratio - exact.Points[i].Ratio; d > p.Error || -d > p.Error {
				off++
				t.Logf("seed %d: %+v, exactly %.4f", seed, p, exact.Points[i].Ratio)
			}
			require.InDelta(t, exact.Points[i].ByteRatio, p.ByteRatio, 0.06)
		}
	}
	require.LessOrEqual(t, off, points/10)

	// Objects that the whole cache has room for and the smaller one has not are counted.
	s.Share, s.Sizes = 0.1, []uint64{2000}
	got, err := Run(stored(14, 20_000), s)
	require.NoError(t, err)
	require.NotZero(t, got.Unfit)
}

func TestCheckObjectsTellsAll(t *testing.T) {
	s := Spec{Policies: []string{"lru", "lru", "srrip"}, Sizes: []uint64{7, 7, 0}, Ways: 2, Share: 1}
	_, err := Run(stored(14, 1), s)
	require.EqualError(t, err, "ways: 2: objects that differ in size have no sets (leave it out, or ignore sizes)\nsize 7: sizes want to ascend\nsize 0: want 1 to 2^62 B\npolicy lru is named twice\npolicy srrip knows no sizes of objects (want one of: arc, fifo, fifo_mep, lru, s3fifo, sieve, or ignore sizes)")
}
