package scalesim

import (
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestStorageEqualsTool(t *testing.T) {
	for _, row := range readTable(t, filepath.Join("testdata", "storage.csv")) {
		at := func(k string) int { return int(number(t, row[k])) }
		a := Array{Rows: at("rows"), Cols: at("cols"), Dataflow: Dataflow(row["dataflow"]), Sparse: true}
		s, err := a.Storage(Layer{H: at("H"), W: at("W"), R: at("R"), S: at("S"), C: at("C"), N: at("N"),
			StrideH: at("stride_h"), StrideW: at("stride_w"), SparseN: at("n"), SparseM: at("m")}, row["representation"])
		require.NoError(t, err)
		require.Equal(t, Storage{uint64(at("original")), number(t, row["stored"]), number(t, row["metadata"]), number(t, row["bandwidth"])}, s, row)
	}
	_, err := Array{Rows: 2, Cols: 2, Dataflow: WS}.Storage(GEMM("", 2, 2, 2), "coo")
	require.ErrorContains(t, err, "want one of: csr, csc, ellpack_block")
}
