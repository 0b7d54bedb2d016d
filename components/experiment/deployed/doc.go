// Package deployed prices the steps of a server from a description of its model, from how chips
// share it, and from the kernels of one chip. It reads no measured table of the GPU. It builds the graph
// of one layer of each kind, as one rank has it, and prices a step from these layers.
//
//	fp8 := deployed.Types{Weight: graph.FP8, Attention: graph.FP8, Experts: graph.FP8, Shared: graph.FP8, Token: graph.FP8, KV: graph.FP8}
//	p, err := deployed.New(decoder, deployed.Layout{Tensor: 8, Expert: 8}, fp8, "power_law_1.01", chip)
//	t, err := p.Step(batch)
//
// New fails if attention and experts have unequal numbers of ranks, if ranks do not divide the experts, and
// where a layer of the model cannot be built for a rank. Step fails if the chip cannot carry a kernel out.
//
// # Model
//
// Ranks do equal work. Attention and feed-forward parts without experts are shared by Tensor ranks,
// experts by ExpertTensor x Expert ranks, requests by Data groups of ranks. Products of one input are
// one kernel, as engines pack them (queries, keys and values; gate and up). A norm, an activation or a
// sum after another operator of the vector unit is part of its kernel. Activations are quantised by the
// kernels before products. Experts are one kernel of all. The results of ranks are added by
// TensorRT-LLM's all-reduce, with the residual sum and the norm; groups of requests gather their tokens
// before the experts and scatter the results.
//
// With a pipeline the requests of a step are divided into as many micro-batches as there are stages. All
// stages are busy, so that a step takes the time of one micro-batch in all stages, and the transfers of its
// activations from stage to stage.
//
// Lengths are rounded to 64 tokens, so that equal steps are priced once.
//
// # Left out
//
// Transfers that overlap with products. Stages of a pipeline that wait for each other, since their
// micro-batches are unequal or fewer than stages. Experts of more
// ranks than a machine has take the links of one machine.
package deployed
