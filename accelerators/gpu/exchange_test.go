package gpu

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/accelerators/work"
	"github.com/causeway-sim/causeway/components/engine"
)

const transfers = "name,op,elements,ranks,tokens,hidden,top_k,experts,sms,dtype\n" +
	"sum,all_reduce,1048576,8,,,,,,bf16\nown,custom_all_reduce,32768,8,,,,,,bf16\nto,dispatch,,8,128,4096,8,256,,fp8\nfro,combine,,8,4096,2048,8,256,24,bf16\nback,combine,,8,2048,4096,8,256,24,bf16\n"

// Transfers are kernels of the libraries that were measured, whatever library products have.
func TestTransfersOfAMachine(t *testing.T) {
	s := DefaultSpec()
	s.Architecture, s.Link = "sm90", 8*450e9
	c := run(t, s, work.Share{Graph: list(t, transfers)})
	kernels := map[string]string{}
	for _, l := range c.Rows() {
		kernels[l.name] = l.kernel
	}
	require.Equal(t, map[string]string{"sum": "nccl", "own": "trtllm", "to": "deepep", "fro": "deepep", "back": "deepep"}, kernels)
	require.Contains(t, strings.Join(c.Assumptions(), "\n"), "transfers between chips take kernels fitted on half of 404 collectives")
	at := cycles(c)
	require.Greater(t, at["sum"], 3*at["own"])
	require.NotEqual(t, at["fro"], at["back"], "half the tokens of twice the width")
	s.Kernels.Library = cutlass
	require.Equal(t, at, cycles(run(t, s, work.Share{Graph: list(t, transfers)})))
}

// A chip without links, and one whose kernels were not measured, are errors before the run.
func TestTransfersNeedALink(t *testing.T) {
	s := DefaultSpec()
	s.Architecture = "sm90"
	prepare := func(s Spec) error {
		return New("Chip", engine.New(), s).Prepare(work.Share{Graph: list(t, transfers)})
	}
	require.EqualError(t, prepare(s), "Chip: sum goes over links to other chips, and it has none (key link)")
	s.Link = 8 * 450e9
	require.NoError(t, prepare(s))
	s.Architecture = "sm89"
	require.ErrorContains(t, prepare(s), `no kernels of generation "sm89" were measured for sum`)
	s.Architecture = "sm80"
	require.ErrorContains(t, prepare(s), `no kernels of generation "sm80" were measured for to`)
	s.Kernels.Generation = "sm90"
	require.NoError(t, prepare(s))
}

// Recurrences take the library's kernels where there are some; a scan goes by chunks of tokens on
// the matrix units, and the result names it. Twice the tokens of a long prompt take twice as long.
func TestRecurrencesOfAGPU(t *testing.T) {
	const rows = "name,op,batch,sequence,channels,heads,dtype\nconv,causal_conv1d,4,1024,8192,,bf16\nrule,delta,4,1024,,32,bf16\nscan,mamba2,4,16384,,64,bf16\nlong,mamba2,4,32768,,64,bf16\nfew,mamba2,4,8,,64,bf16\n"
	s := DefaultSpec()
	s.Architecture = "sm90"
	c := run(t, s, work.Share{Graph: list(t, rows)})
	require.Contains(t, strings.Join(c.Assumptions(), "; "), "without a measured kernel here: state_space in bf16")
	named := cycles(c)
	require.InEpsilon(t, 2, float64(named["long"])/float64(named["scan"]), 0.05)
	require.Less(t, named["few"], named["scan"]/10)
	s.Kernels.Library = cutlass
	plain := cycles(run(t, s, work.Share{Graph: list(t, rows)}))
	require.Equal(t, named["scan"], plain["scan"])
	require.NotEqual(t, named["rule"], plain["rule"])
	require.NotEqual(t, named["conv"], plain["conv"])
}
