package trace

import (
	"encoding/binary"
	"testing"

	"github.com/stretchr/testify/require"
)

// Lots hold what Next reads, as far as the records are good; where each stands is known, and
// Next reports the bad one.
func TestLotsAreWhatNextReads(t *testing.T) {
	var b []byte
	for i := range 700 {
		b = binary.LittleEndian.AppendUint64(b, uint64(i*i))
		b = binary.LittleEndian.AppendUint32(b, uint32(i))
		b = binary.LittleEndian.AppendUint32(b, uint32(i%5))
	}
	for _, end := range []string{"", "core", "cut"} {
		b := b
		switch end {
		case "core":
			b = append(append([]byte{}, b...), 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0)
		case "cut":
			b = append(append([]byte{}, b...), 1, 2, 3)
		}
		open := func() *File {
			s, err := Bytes("t.lines", b)
			require.NoError(t, err)
			f, err := Read(s, Options{Format: "lines", Line: 32})
			require.NoError(t, err)
			return f
		}
		one, many := open(), open()
		l, n, r := &AddressBatch{}, 0, Record{}
		for most := uint64(1); ; most = most*3 + 1 {
			if n == 300 { // one in between
				require.NoError(t, many.Next(&r))
				require.NoError(t, one.Next(&r))
				n++
			}
			batch := many.Reader.(Batcher)
			if batch.Batch(l, min(most, max(uint64(300-n), 1))); l.N == 0 {
				break
			}
			require.LessOrEqual(t, uint64(l.N), most)
			for i := range l.N {
				require.NoError(t, one.Next(&r))
				require.Equal(t, Record{Addr: l.Addr[i], PC: l.PC[i], Core: l.Core[i]}, r)
				require.Equal(t, one.Pos(), batch.Before(l.N-1-i))
				require.True(t, l.Least <= r.Addr && r.Addr <= l.Greatest)
			}
			n += l.N
		}
		require.Equal(t, 700, n, end)
		require.Equal(t, one.Next(&r), many.Next(&r))
		require.Equal(t, one.Pos(), many.Pos())
	}
}
