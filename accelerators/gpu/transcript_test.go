package gpu

import (
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/accelerators/work"
	"github.com/causeway-sim/causeway/workloads/graph"
	"github.com/causeway-sim/causeway/workloads/zoo"
)

var update = flag.Bool("update", false, "write testdata/kernels.txt again")

// operators has a row of each kind of kernel, at sizes that fill the SMs, at one that does not, and at few rows.
const operators = `name,op,m,n,k,batch,rows,cols,vocabulary,heads,kv_heads,head_dim,sequence,context,rope,latent,tokens,hidden,inter,top_k,experts,dtype,weight_dtype,kv_dtype
wide,gemm,4096,4096,4096,,,,,,,,,,,,,,,,,bf16,,
thin,gemm,7,4096,4096,,,,,,,,,,,,,,,,,bf16,,
odd,gemm,129,257,4097,,,,,,,,,,,,,,,,,bf16,,
many,gemm,64,64,64,100,,,,,,,,,,,,,,,,bf16,,
fp8,gemm,300,4096,4096,,,,,,,,,,,,,,,,,fp8,,
int8,gemm,300,4096,4096,,,,,,,,,,,,,,,,,int8,,
blocks,gemm,300,4096,4096,,,,,,,,,,,,,,,,,fp8_block,,
fp4,gemm,300,4096,4096,,,,,,,,,,,,,,,,,nvfp4,,
fp32,gemm,300,512,512,,,,,,,,,,,,,,,,,fp32,,
weights,gemm,5,4096,4096,,,,,,,,,,,,,,,,,bf16,int8,
prompt,prefill,,,,2,,,,32,8,128,700,0,,,,,,,,bf16,,
more,prefill,,,,1,,,,32,8,128,100,3000,,,,,,,,bf16,,fp8
token,decode,,,,16,,,,32,8,128,,3000,,,,,,,,bf16,,
token8,decode,,,,3,,,,32,8,128,,500,,,,,,,,bf16,,fp8
latent,mla_prefill,,,,1,,,,16,,128,600,0,64,,,,,,,bf16,,
absorbed,mla_decode,,,,8,,,,16,,,,4000,64,512,,,,,,bf16,,
mixture,moe,,,,,,,,,,,,,,,33,2048,1024,4,16,bf16,,
soft,softmax,,,,,1000,4000,,,,,,,,,,,,,,bf16,,
layer,layernorm,,,,,1000,4000,,,,,,,,,,,,,,bf16,,
rms,rmsnorm,,,,,17,4096,,,,,,,,,,,,,,bf16,,
residual,residual_rms,,,,,300,4096,,,,,,,,,,,,,,bf16,,
gated,swiglu,,,,,140,4096,,,,,,,,,,,,,,bf16,,
turn,rope,,,,,300,4096,,,,,,,,,,,,,,bf16,,
act,gelu,,,,,4096,4096,,,,,,,,,,,,,,bf16,,
sum,reduce,,,,,5,100000,,,,,,,,,,,,,,bf16,,
gather,embedding,,,,,9,1024,30000,,,,,,,,,,,,,bf16,,
triad,triad,,,,,64,64,,,,,,,,,,,,,,fp32,,
`

// testdata/kernels.txt has the kernels of some workloads on some chips: what library's they are, which operators they
// carry out (those of 0 cycles are carried out by another's), cycles by cause, bytes and tiles. go test
// -update writes it again; the change of the model has to explain its changes.
func TestTranscript(t *testing.T) {
	chip := func(change func(s *Spec)) Spec {
		s := DefaultSpec()
		change(&s)
		return s
	}
	graphOf := func(model string, p zoo.Params, d graph.DType) *graph.Graph {
		g, err := zoo.Build(model, p)
		require.NoError(t, err)
		g.SetDTypes(graph.Uniform(d))
		return g.FuseAttention(g.Chains())
	}
	all := list(t, operators)
	rates := map[string]float64{"bf16": 4096, "fp8": 8192, "int8": 8192, "nvfp4": 16384}
	step := zoo.Params{Groups: []zoo.Group{{Requests: 1, Tokens: 100, Context: 300}, {Requests: 8, Tokens: 1, Context: 2000, Sample: true}}}
	var b strings.Builder
	for _, x := range []struct {
		why  string
		spec Spec
		g    *graph.Graph
	}{
		{"operators on a chip whose library is not known", chip(func(*Spec) {}), all},
		{"operators on Hopper, with kernels of TensorRT-LLM where there are", chip(func(s *Spec) { s.Architecture, s.Kernels.Library, s.Tensor = "sm90", "trtllm", rates }), all},
		{"operators on Blackwell, launched by the host, with cold caches", chip(func(s *Spec) {
			s.Architecture, s.Kernels.Library, s.Caches, s.Launch.Mode = "sm100", "auto", cold, "eager"
			s.Tensor = rates
		}), all},
		{"a step of a server: products and norms are joined, attentions of unlike requests are one kernel", chip(func(s *Spec) { s.Architecture = "sm90" }), graphOf("llama3_8b", step, graph.BF16)},
		{"the same in fp8", chip(func(s *Spec) { s.Architecture = "sm90" }), graphOf("llama3_8b", step, graph.FP8)},
		{"the same, with nothing joined", chip(func(s *Spec) { s.Architecture, s.Kernels.Join = "sm90", false }), graphOf("llama3_8b", step, graph.BF16)},
		{"joins of a layer", chip(func(s *Spec) { s.Architecture, s.Kernels.Library = "sm90", "trtllm" }), block(t)},
		{"convolutions", chip(func(s *Spec) { s.Architecture = "sm80" }), convolutions(t)},
	} {
		fmt.Fprintf(&b, "# %s\n", x.why)
		c := run(t, x.spec, work.Share{Graph: x.g})
		var others []string
		for _, l := range c.Rows() {
			if strings.HasPrefix(l.name, "L") && !strings.HasPrefix(l.name, "L1.") {
				continue // layers are alike
			}
			if l.cycles == 0 {
				others = append(others, l.name)
				continue
			}
			fmt.Fprintf(&b, "%s %s: %d cycles, %d compute %d memory %d latency %d launch", l.name, l.kernel, l.cycles, l.compute, l.memory, l.latency, l.launch)
			fmt.Fprintf(&b, "; %d B, %d L2, %d far; %dx%dx%d, %d rounds, %d kernels, ideal %.6g\n", l.bytes, l.near, l.far, l.tile.M, l.tile.N, l.tile.Split, l.rounds, l.launches, l.ideal)
		}
		fmt.Fprintf(&b, "by kernels of others: %s\n", strings.Join(others, " "))
		for _, line := range append(c.Warnings(), c.Assumptions()...) {
			fmt.Fprintln(&b, line)
		}
		b.WriteString("\n")
	}
	const file = "testdata/kernels.txt"
	if *update {
		require.NoError(t, os.WriteFile(file, []byte(b.String()), 0o644))
	}
	want, err := os.ReadFile(file)
	require.NoError(t, err)
	require.Equal(t, string(want), b.String())
}
