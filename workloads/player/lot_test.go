package player

import (
	"encoding/binary"
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/components/clock"
	"github.com/causeway-sim/causeway/memory/block"
	"github.com/causeway-sim/causeway/workloads/trace"
)

// linesFile writes a trace of format lines.
func linesFile(t *testing.T, n int) string {
	var b []byte
	for i := range n {
		b = binary.LittleEndian.AppendUint64(b, uint64(i))
		b = binary.LittleEndian.AppendUint64(b, uint64(i%7))
	}
	path := filepath.Join(t.TempDir(), "t.lines")
	require.NoError(t, os.WriteFile(path, b, 0o600))
	return path
}

// Requests are handed out one by one or many at a time, up to the limit and from the front
// again, and a fault tells where the request at hand stands, not the last that was read.
func TestFeedHandsOutLots(t *testing.T) {
	s := DefaultSpec()
	s.Trace, s.Format, s.Limit, s.Repeat = linesFile(t, 900), "lines", 700, 2
	f := feed{spec: &s}
	require.NoError(t, f.start(clock.GHz))
	var r block.Reads
	for n, step := uint64(0), 1; n < 1400; step = step%60 + 1 {
		require.True(t, f.ok)
		require.Equal(t, n+1, f.handed)
		at := n % 700
		require.Equal(t, at*64, f.rec.Addr)
		var fault *trace.Error
		require.True(t, errors.As(f.homeless(1), &fault))
		require.Equal(t, int64(at*16), fault.Pos.Offset)

		f.reads(uint64(step), &r)
		require.NotEmpty(t, r.Addr)
		require.LessOrEqual(t, len(r.Addr), step)
		for i, addr := range r.Addr {
			require.Equal(t, (at+uint64(i))*64, addr)
			require.Equal(t, (at+uint64(i))%7, r.PC[i])
		}
		f.skip(len(r.Addr) - 1)
		n += uint64(len(r.Addr))
	}
	require.False(t, f.ok)
	require.Equal(t, uint64(1400), f.handed)
	require.Equal(t, uint64(1400), f.done.Load())
	require.Equal(t, uint64(1400), f.empty)
}
