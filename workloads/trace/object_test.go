package trace

import (
	"bytes"
	"testing"

	"github.com/stretchr/testify/require"
)

// Objects and their sizes go from oracle_general to csv, causeway and back; a format of
// accesses alone gets no sizes of objects.
func TestObjectsKeepTheirSizes(t *testing.T) {
	src := "time,obj_id,obj_size\n5,18446744073709551615,3000\n6,7,1\n"
	open1 := func(b []byte) *File { return open(t, "x", b, Options{Line: 1}) }
	f := open1([]byte(src))
	require.True(t, f.Header().Objects)
	require.Equal(t, Times|Sizes, f.Header().Fields)
	want, err := read(f)
	require.NoError(t, err)
	require.Equal(t, []Record{{Time: 5, Addr: 1<<64 - 1, Size: 3000}, {Time: 6, Addr: 7, Size: 1}}, want)

	csv := []byte("cycle,object,size\n5,18446744073709551615,3000\n6,7,1\n")
	for _, format := range []string{"causeway", "csv"} {
		var b bytes.Buffer
		_, dropped, err := Conversion{Format: format}.Convert(&b, open1(csv))
		require.NoError(t, err)
		require.Zero(t, dropped)
		g := open1(b.Bytes())
		require.True(t, g.Header().Objects)
		got, err := read(g)
		require.NoError(t, err)
		require.Equal(t, want, got)
		if format == "csv" {
			require.Equal(t, string(csv), b.String())
		}
	}

	// An object takes a line of addresses.
	got, err := read(open(t, "x", []byte("object,size\n7,1\n"), Options{}))
	require.NoError(t, err)
	require.Equal(t, []Record{{Addr: 7 * 64, Size: 1}}, got)

	var b bytes.Buffer
	_, dropped, err := Conversion{Format: "dramsys"}.Convert(&b, open1(csv))
	require.NoError(t, err)
	require.Equal(t, Sizes, dropped)
	require.NotContains(t, b.String(), "3000")

	s, err := Bytes("f", []byte("addr,object\n1,2\n"))
	require.NoError(t, err)
	_, err = Read(s, Options{Format: "csv"})
	require.EqualError(t, err, `f:1: column "object": there is one of its kind already`)
}
