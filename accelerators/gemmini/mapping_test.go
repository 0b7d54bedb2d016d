package gemmini

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestParseMapping(t *testing.T) {
	m, err := ParseMapping("L3[WIO] Q14 P2 - L2[WI] N1 K16X - L1[O] K4 S3 R3 C4 Q2 P2 C16X - L0[W] Q2 P14")
	require.NoError(t, err)
	require.Equal(t, "1 4 28 64 3 3 64", m.String())
	// Named loops are innermost, as they are named; the others stand outside in the library's order.
	require.Equal(t, [dims]int{dimN, dimK, dimS, dimR, dimC, dimQ, dimP}, m.Order)
	for text, want := range map[string]string{
		"own":                        `mapping "own" has one level`,
		"L3[WIO] K4 - L1[O] X4":      `mapping level L1[O]: "X4" is no loop (want one of N, Q, P, K, S, R, C and a positive number`,
		"L3[WIO] K0 - L1[O] C4":      `mapping level L3[WIO]: "K0" is no loop`,
		"L3[WIO] K16X - L1[O] C4":    "mapping level L3[WIO]: K16X is on the array (the outermost level is the memory)",
		"L3[WIO] K4 - C4 - L0[W] P8": `mapping level "C4" has no name with tensors`,
		"L3[WIO] K - L0[W] P8":       `"K" is no loop`,
	} {
		_, err := ParseMapping(text)
		require.ErrorContains(t, err, want, text)
	}
}

func FuzzParseMapping(f *testing.F) {
	f.Add("L3[WIO] K48 - L2[WI] N1 K16X - L1[O] C48 P16 C16X - L0[W] P8")
	f.Add("L3[] - L2[]")
	f.Fuzz(func(t *testing.T, text string) {
		m, err := ParseMapping(text)
		if err != nil {
			return
		}
		seen := map[int]bool{}
		for _, d := range m.Order {
			seen[d] = true
		}
		require.Len(t, seen, dims)
	})
}
