package trace

import (
	"bufio"
	"bytes"
	"io"
	"testing"

	"github.com/stretchr/testify/require"
)

// newReader is the buffer of a source over b.
func newReader(b []byte) *bufio.Reader { return bufio.NewReaderSize(bytes.NewReader(b), bufferSize) }

// many is a trace of n records in a format.
func many(t require.TestingT, format string, n int) []byte {
	f := mustFormat(format)
	h := Header{Fields: f.Holds, Tick: f.Tick, Line: 64}
	if f.Holds&Times != 0 && h.Tick.Unit == NoTime {
		h.Tick = Tick{Unit: Cycles}
	}
	var b bytes.Buffer
	w, err := f.Create(&b, h)
	require.NoError(t, err)
	for i := range n {
		r := Record{Time: uint64(i), Addr: uint64(i+1) * 64, PC: 0x400000, Size: 64}
		require.NoError(t, w.Write(&r))
	}
	require.NoError(t, w.Close())
	return b.Bytes()
}

// Nothing is allocated per record.
func TestNoAllocations(t *testing.T) {
	for _, name := range All.Names() {
		s := &Source{Name: "f", r: newReader(many(t, name, 5000))}
		f, err := Read(s, Options{Format: name})
		require.NoError(t, err)
		var r Record
		require.NoError(t, f.Next(&r))
		require.Zero(t, testing.AllocsPerRun(3000, func() {
			if err := f.Next(&r); err != nil && err != io.EOF {
				t.Fatal(err)
			}
		}), name)
	}
}

func BenchmarkRead(b *testing.B) {
	for _, name := range All.Names() {
		b.Run(name, func(b *testing.B) {
			text := many(b, name, 100000)
			b.ReportAllocs()
			b.SetBytes(int64(len(text)) / 100000)
			b.ResetTimer()
			var f *File
			var r Record
			for i := range b.N {
				if i%100000 == 0 {
					f, _ = Read(&Source{Name: "f", r: newReader(text)}, Options{Format: name})
				}
				if err := f.Next(&r); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
