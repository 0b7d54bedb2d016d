// Package serve models a server of a language model: node kind serve. Requests arrive, sequences
// share steps by the rules of package workloads/serving, and the operators of each step are issued
// to the linked executors.
//
//	workload:
//	  model: llama3_8b
//	  dtype: bf16
//	  requests: {count: 64, prompt: 128..2048, output: 64..256, arrivals: {name: poisson, mean: 200ms}}
//	nodes:
//	  - {name: Serve, kind: serve, tokens: 2048, sequences: 64, kv_memory: 16GiB}
//	  - {name: Chip, kind: gpu, preset: h100}
//	links:
//	  - Serve -> Chip
//
// # Model
//
// A step is a graph. Each product with weights is one operator for all tokens of the step.
// Attention is one operator for each chunk of a prompt, and one for all sequences that get a
// token, with the mean number of their entries. Only sampled tokens get logits.
//
// With times: issued the operators of a step are issued in order as by kind schedule, with the
// times of the executor, its memory and its network. With times: planned a step takes the sum of
// its operators' times on an idle executor, and of its transfers' times on an idle network.
// Nothing is issued, and a step costs microseconds to simulate. Both are equal on nodes with
// private memory if nothing else uses the network.
//
// A step begins when the step before it has ended. With ahead: 1 its sequences are chosen when
// that step begins.
//
// # Tiers
//
// With kv_tiers a policy of memory/tiering/placement manages blocks as pages, and steps as
// intervals. A step reads and writes each entry where its block lies at the begin of the step.
// Operators of the step copy moving blocks, which have their new place at its end. The latency of
// a tier is measured over all reads of its addresses by executors; its share of reads counts keys
// and values.
//
// With instances each has separate tiers and a separate policy. Interfaces read keys and values
// from the blocks of a prompt and write them to the blocks that Accept reserved. Blocks of a
// prompt in transfer, or waiting for it, begin no move; a move in progress ends first.
//
// # Instances
//
// With instances, prefill engines compute the first token of a request and hold its blocks until a
// decode engine has reserved blocks and received the bytes (workloads/serving: Keep, Accept,
// Ready, Release). Each instance has its own steps. With times: issued and interfaces, transfers
// are operators of the interfaces (carry.go). Otherwise they take a computed time, with interfaces
// that of their messages on an idle network. A failure loses all memory: entries in transfer are
// recomputed at the prefill engine and sent again.
//
// # Results
//
// Latencies count from the arrival of a request, or with latency_from: queued from when the server
// accepts it between two steps. requests.csv has a row for each request. A request without an
// answer has state refused or killed.
//
// # Left out
//
// Tokenizer, client network, and values of tokens. Wrong keys are errors of the configuration; New
// does not check the Spec.
package serve
