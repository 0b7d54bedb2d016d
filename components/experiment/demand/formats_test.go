package demand_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	_ "github.com/causeway-sim/causeway/workloads/format/huggingface"
	"github.com/causeway-sim/causeway/workloads/graph"
)

// A deployed model has the element types of its file. The key quantised narrows those of more bits, dtype
// replaces them, and keys of deployment come before both. Tokens that experts read have a type that the
// chip multiplies with theirs.
func TestFormatsOfADeployedModel(t *testing.T) {
	blackwell := func(graph.DType) bool { return true }
	hopper := func(d graph.DType) bool { return d != graph.MXFP8 }
	of := func(model, keys string, multiplies func(graph.DType) bool) (string, error) {
		doc, ws, err := decode(t, "workload: {model: "+model+", requests: {count: 1, prompt: 8, output: 2}"+keys+"}")
		require.NoError(t, err)
		_, said, err := ws[0].Formats(doc, multiplies)
		return said, err
	}
	const gpt, llama, deepseek = "openai/gpt-oss-20b", "meta-llama/Llama-3.1-8B", "deepseek-ai/DeepSeek-R1"
	for _, c := range []struct{ model, keys, want string }{
		{gpt, ", deployment: {tensor: 1}", "attention bf16, experts mxfp4 of tokens in mxfp8, shared experts bf16, other layers bf16, keys and values bf16"},
		{gpt, ", deployment: {quantised: nvfp4}, dtype: {activation: bf16, kv: fp8}", "attention bf16, experts mxfp4 of tokens in mxfp8, shared experts bf16, other layers bf16, keys and values fp8"},
		{gpt, ", deployment: {tokens: fp8, attention: fp8}", "attention fp8, experts mxfp4 of tokens in fp8, shared experts bf16, other layers bf16, keys and values bf16"},
		{gpt, ", deployment: {tensor: 1}, dtype: nvfp4", "attention nvfp4, experts nvfp4 of tokens in nvfp4, shared experts nvfp4, other layers nvfp4, keys and values nvfp4"},
		{llama, ", deployment: {tensor: 1}", "attention bf16, experts bf16 of tokens in bf16, shared experts bf16, other layers bf16, keys and values bf16"},
		{llama, ", deployment: {quantised: nvfp4}", "attention nvfp4, experts nvfp4 of tokens in nvfp4, shared experts nvfp4, other layers nvfp4, keys and values bf16"},
		{deepseek, ", deployment: {quantised: fp8}", "attention fp8_block, experts fp8_block of tokens in fp8_block, shared experts fp8_block, other layers fp8_block, keys and values bf16"},
		{llama, ", deployment: {quantised: fp8}", "attention fp8, experts fp8 of tokens in fp8, shared experts fp8, other layers fp8, keys and values bf16"},
		{"Qwen/Qwen3-32B", ", deployment: {quantised: fp8}", "attention fp8_block, experts fp8_block of tokens in fp8_block, shared experts fp8_block, other layers fp8_block, keys and values bf16"},
		{gpt, ", deployment: {tensor: 1}, dtype: {kv: fp8}", "attention bf16, experts mxfp4 of tokens in mxfp8, shared experts bf16, other layers bf16, keys and values fp8"},
		{"moonshotai/Kimi-K2.5", ", deployment: {quantised: fp8}", "attention fp8, experts q4_0 of tokens in bf16, shared experts fp8, other layers fp8, keys and values bf16"},
		{"moonshotai/Kimi-K2.5", ", deployment: {quantised: nvfp4}", "attention nvfp4, experts nvfp4 of tokens in nvfp4, shared experts nvfp4, other layers nvfp4, keys and values bf16"},
		{"moonshotai/Kimi-K2.5", ", deployment: {tensor: 1}, dtype: file", "attention bf16, experts q4_0 of tokens in bf16, shared experts bf16, other layers bf16, keys and values bf16"},
	} {
		got, err := of(c.model, c.keys, blackwell)
		require.NoError(t, err, c.keys)
		require.Equal(t, c.want, got, c.model+c.keys)
	}
	got, err := of(gpt, ", deployment: {tensor: 1}", hopper)
	require.NoError(t, err)
	require.Contains(t, got, "experts mxfp4 of tokens in bf16")
	got, err = of(gpt, ", deployment: {tensor: 1}", func(d graph.DType) bool { return d == graph.BF16 })
	require.NoError(t, err)
	require.Contains(t, got, "there is mxfp4, which the chip does not multiply")
	require.NotContains(t, got, "there is bf16")
	for keys, want := range map[string]string{
		", deployment: {quantised: fp8}, dtype: bf16":           "workload.deployment.quantised: has no effect with workload.dtype of weights; one of them must go",
		", deployment: {quantised: fp8}, dtype: {weight: bf16}": "one of them must go",
		", deployment: {quantised: fp7}":                        `workload.deployment.quantised: unknown data type "fp7"`,
		", deployment: {experts: fp7}":                          `workload.deployment.experts: unknown data type "fp7"`,
	} {
		_, err := of(gpt, keys, hopper)
		require.ErrorContains(t, err, want, keys)
	}
	_, err = of("nvidia/DeepSeek-R1-NVFP4", ", deployment: {tensor: 1}", hopper)
	require.ErrorContains(t, err, "is quantised in a way that is not known here")
}
