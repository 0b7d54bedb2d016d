package object_test

import (
	"encoding/csv"
	"os"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/memory/object"
	"github.com/causeway-sim/causeway/workloads/synthetic/tracetest"
	"github.com/causeway-sim/causeway/workloads/trace"
)

// sizes gives objects their sizes, as testdata/README.md says.
type sizes struct {
	spread uint64 // sizes are up to 2^(8+spread)
	change uint64 // one access in so many brings another size; 0: none
}

// mixed is the finalizer of MurmurHash3.
func mixed(x uint64) uint64 {
	x = (x ^ x>>33) * 0xff51afd7ed558ccd
	x = (x ^ x>>33) * 0xc4ceb9fe1a85ec53
	return x ^ x>>33
}

func (s sizes) of(object uint64, n int) uint32 {
	h := mixed(object + 1)
	if s.change > 0 && mixed(uint64(n)+1)%s.change == 0 {
		h = mixed(h + uint64(n))
	}
	most := uint64(1) << (8 + h%s.spread)
	return uint32(1 + (h>>8)%most)
}

// objects is a trace of the reference.
func objects(name string) (out []trace.Record) {
	lines := tracetest.Zipf(14, 0.9, 120_000)
	s := sizes{spread: 4}
	switch name {
	case "large":
		s.spread = 12
	case "changing":
		s.change = 40
	case "scans":
		lines = tracetest.ScanReuse(500, 3000, 25)
	}
	n := 0
	for a := range lines.All() {
		out = append(out, trace.Record{Addr: a.Line, Size: s.of(a.Line, n), Time: uint64(n / 100)})
		n++
	}
	return out
}

// Peer: misses and missed bytes of libCacheSim, testdata/README.md.
func TestCountsEqualLibCacheSim(t *testing.T) {
	raw, err := os.Open("testdata/misses_libcachesim.csv")
	require.NoError(t, err)
	defer raw.Close()
	rows, err := csv.NewReader(raw).ReadAll()
	require.NoError(t, err)
	require.Len(t, rows, 1+5*4*4)
	number := func(s string) uint64 {
		n, err := strconv.ParseUint(s, 10, 64)
		require.NoError(t, err)
		return n
	}
	traces := map[string][]trace.Record{}
	for _, r := range rows[1:] {
		if traces[r[2]] == nil {
			traces[r[2]] = objects(r[2])
		}
		c, err := object.New(r[0], number(r[1]))
		require.NoError(t, err)
		misses, bytes := uint64(0), uint64(0)
		for _, x := range traces[r[2]] {
			if !c.Access(x.Addr, x.Size) {
				misses++
				bytes += uint64(x.Size)
			}
		}
		require.EqualValues(t, []uint64{number(r[3]), number(r[4]), number(r[5])}, []uint64{uint64(len(traces[r[2]])), misses, bytes}, "%s of %s bytes, %s", r[0], r[1], r[2])
	}
}
