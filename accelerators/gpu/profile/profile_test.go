package profile

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestTimesBetweenMeasuredOnes(t *testing.T) {
	d, err := Dense("d.csv", []byte("layer,tokens,time_us\no,4,30\no,1,10\no,2,20\nup,8,5\n"))
	require.NoError(t, err)
	for size, us := range map[float64]float64{0.5: 10, 1: 10, 2: 20, 3: 25, 4: 30, 6: 40} {
		require.InEpsilon(t, us*1e-6, d["o"].At(size), 1e-9, "%g", size)
	}
	require.InEpsilon(t, 5e-6, d["up"].At(100), 1e-9, "one size says no more")

	a, err := ReadAttention("a.csv", []byte("prefill_chunk,kv_prefill,n_decode,kv_decode,time_us\n16,0,0,0,10\n16,16,0,0,12\n32,0,0,0,20\n32,16,0,0,24\n0,0,1,16,3\n16,0,1,16,99\n"))
	require.NoError(t, err)
	require.InEpsilon(t, 18e-6-1.5e-6, a.Prefill.At(24, 8), 1e-9)
	require.InEpsilon(t, 3e-6, a.Decode.At(1, 16), 1e-9)
	none, err := ReadAttention("a.csv", []byte("prefill_chunk,kv_prefill,n_decode,kv_decode,time_us\n0,0,1,16,3\n"))
	require.NoError(t, err)
	require.Nil(t, none.Prefill)
}

func TestFaultsOfTables(t *testing.T) {
	for text, want := range map[string]string{
		"":                                   `d.csv:1:1: the columns are "" (want one of: layer,tokens,time_us, layer,sequences,time_us)`,
		"layer,token,time_us\n":              `d.csv:1:1: the columns are "layer,token,time_us"`,
		"layer,tokens,time_us\n":             "the table has no rows",
		"layer,tokens,time_us\no,x,3\n":      `d.csv:2:3: "x" is no size and no time`,
		"layer,tokens,time_us\no,1,0\n":      `d.csv:2:5: "0" is no size and no time`,
		"layer,tokens,time_us\no,1\n":        "wrong number of fields",
		"layer,tokens,time_us\no,1,2\no,1,3": "layer o has two times of 1",
	} {
		_, err := Dense("d.csv", []byte(text))
		require.ErrorContains(t, err, want, "%q", text)
	}
}

// A chunk with decodes has a time of its own, linear along each of four axes.
func TestChunksWithDecodes(t *testing.T) {
	a, err := ReadAttention("a.csv", []byte("prefill_chunk,kv_prefill,n_decode,kv_decode,time_us\n16,0,1,16,10\n16,0,1,32,12\n16,0,3,16,20\n32,0,1,16,30\n32,64,1,16,50\n"))
	require.NoError(t, err)
	for sizes, us := range map[[4]float64]float64{{16, 0, 1, 16}: 10, {16, 0, 1, 24}: 11, {16, 0, 2, 16}: 15, {24, 0, 1, 16}: 20, {32, 32, 1, 16}: 40, {8, 0, 1, 8}: 10} {
		s, ok := a.Both(sizes[0], sizes[1], sizes[2], sizes[3])
		require.True(t, ok)
		require.InEpsilon(t, us*1e-6, s, 1e-9, "%v", sizes)
	}
	require.Nil(t, a.Prefill)
	m, err := ReadMixture("m.csv", []byte("tokens,activated_experts,time_us\n1,8,50\n1,16,90\n2,8,60\n2,16,100\n"))
	require.NoError(t, err)
	require.InEpsilon(t, 75e-6, m.At(1.5, 12), 1e-9)
}
