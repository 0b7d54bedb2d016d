package gpu

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/accelerators/work"
	"github.com/causeway-sim/causeway/workloads/graph"
)

// Elements without a rate of their own are widened, never narrowed, and a word says to what.
func TestTypesWithoutARateAreWidened(t *testing.T) {
	for _, c := range []struct {
		tensor map[string]float64
		d      graph.DType
		want   float64
	}{
		{map[string]float64{"fp16": 512, "fp8": 1024, "mxfp4": 2048}, graph.MXFP4, 2048},
		{map[string]float64{"fp16": 512, "fp8": 1024, "mxfp4": 2048}, graph.NVFP4, 1024},
		{map[string]float64{"fp16": 512, "fp8": 1024}, graph.MXFP6, 1024},
		{map[string]float64{"fp16": 512, "int8": 1024}, graph.FP8, 512},
		{map[string]float64{"fp16": 512, "int8": 1024}, graph.MXFP8, 512},
		{map[string]float64{"fp16": 512, "int8": 1024}, graph.Int4G128, 1024},
		{map[string]float64{"fp16": 512, "int8": 1024, "int4": 2048}, graph.Q4, 2048},
		{map[string]float64{"bf16": 512}, graph.Int8, 512},
		{map[string]float64{"fp16": 512, "fp8": 1024, "int8": 1024}, graph.FP32, 0},
		{map[string]float64{"fp16": 512, "fp8": 1024, "int8": 1024}, graph.Int32, 0},
		{map[string]float64{"fp8": 1024, "int8": 1024}, graph.BF16, 0},
	} {
		s := Spec{Tensor: c.tensor}
		require.Equal(t, c.want, s.matrix(c.d), "%s of %v", c.d, c.tensor)
	}
	s := DefaultSpec()
	const big = "name,op,m,n,k,dtype\nfc,gemm,4096,4096,4096,"
	fp16, fp8 := run(t, s, work.Share{Graph: list(t, big+"fp16\n")}), run(t, s, work.Share{Graph: list(t, big+"fp8\n")})
	require.Equal(t, []string{"Chip: products of fp8 go at the rate of fp16: the matrix units have no rate for them (key tensor, which has: bf16, fp16, int8)"}, fp8.Warnings())
	require.Empty(t, fp16.Warnings())
	require.LessOrEqual(t, cycles(fp8)["fc"], cycles(fp16)["fc"], "half the bytes, the same rate")
	require.InEpsilon(t, float64(cycles(fp16)["fc"]), float64(cycles(fp8)["fc"]), 0.1)
}
