package trace

import (
	"bytes"
	"io"
	"testing"

	"github.com/stretchr/testify/require"
)

// Members follow one another; what is none is named as such, a piece of one as a
// file that was cut off.
func TestGzipMembers(t *testing.T) {
	pack := func(text string) []byte {
		var b bytes.Buffer
		w, err := Compress(&b, "gz")
		require.NoError(t, err)
		_, err = io.WriteString(w, text)
		require.NoError(t, err)
		require.NoError(t, w.Close())
		return b.Bytes()
	}
	two := append(pack("R 100\n"), pack("W 200\n")...)
	for _, c := range []struct {
		name string
		file []byte
		want string // "": both records and the end
	}{
		{"two members", two, ""},
		{"an empty third", append(bytes.Clone(two), pack("")...), ""},
		{"a byte", append(bytes.Clone(two), 'x'), "f:3: cannot decompress: the compressed data end, and what follows them is no gzip"},
		{"text", append(bytes.Clone(two), "R 300\n"...), "f:3: cannot decompress: the compressed data end, and what follows them is no gzip"},
		{"a piece of a header", append(bytes.Clone(two), 0x1f, 0x8b, 8), "f:3: cannot decompress: the file is cut off"},
		{"the first byte of one", append(bytes.Clone(two), 0x1f), "f:3: cannot decompress: the file is cut off"},
		{"the second cut off", two[:len(two)-3], "f:3: cannot decompress: the file is cut off"},
	} {
		s, err := Bytes("f", c.file)
		require.NoError(t, err)
		f, err := Read(s, Options{Format: "harness"})
		require.NoError(t, err)
		var r Record
		for _, addr := range []uint64{0x100, 0x200} {
			require.NoError(t, f.Next(&r), c.name)
			require.Equal(t, addr, r.Addr, c.name)
		}
		err = f.Next(&r)
		if c.want == "" {
			require.Equal(t, io.EOF, err, c.name)
		} else {
			require.EqualError(t, err, c.want, c.name)
		}
	}
}
