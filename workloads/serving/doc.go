// Package serving is the scheduler of a language-model server: requests, continuous batching, and
// paged blocks of keys and values. It has no clock and links no simulator; node kind serve calls
// it with the time. Sizes are in tokens and blocks.
//
//	e, err := serving.New(serving.DefaultSpec(), requests)
//	e.Arrive(0)
//	step, ok := e.Schedule()  // who computes how many tokens
//	done := e.Complete(step)  // who got a token, who has got all
//
// # Batches
//
// Spec.Rules are those of an engine, a file each (vllm.go, sglang.go, trtllm.go), which add
// themselves to AllRules. The default is vLLM's scheduler (version 1; https://docs.vllm.ai, Kwon et
// al., SOSP 2023). A step has a budget of tokens and a limit of sequences. Running sequences take their
// tokens first, in the order in which they began; a prompt longer than the rest of the budget is
// computed in chunks. Then waiting sequences are admitted while there is budget, a free sequence
// slot, and blocks for the whole prompt; an Admission chooses the next (fcfs: in the order of
// arrival). If a sequence needs a block and none is free, a Preemption chooses a victim (the one
// that began last). The victim returns to the head of the queue; its entries are recomputed, or
// wait in host memory (swap). Each policy is one file that adds itself to Admissions or
// Preemptions.
//
// A step may be scheduled while the step before it runs (Spec.Ahead), because the server needs the
// number of tokens and not their values. Requests that arrive during a step then wait for the step
// after the next.
//
// # Blocks
//
// Keys and values are stored in blocks of Spec.Block tokens. With Spec.Prefix a full block is
// identified by the tokens in it and before it; a prompt that begins with the same tokens shares
// it. Blocks of ended sequences are kept until another sequence needs them; the one freed first is
// evicted first, the end of a sequence before its beginning. A request with unknown tokens shares
// blocks only with itself, after a preemption.
//
// # Tiers
//
// Spec.Blocks is the number of blocks by tier of memory. A block has a frame of a tier.
// Spec.Policy chooses the tier, and which blocks move to another tier during a step (Step.Moves).
// At the end of the step a moved block exchanges its frame with a free frame, or with the frame of
// a block that moves the other way. A block that was freed in the meantime does not move. Blocks
// of a held request (another engine fetches them) begin no move.
//
// # Left out
//
// SGLang's estimate of tokens to come, by which it admits fewer requests, its radix tree (prefixes
// are shared by blocks) and chunks of prompts mixed with tokens. TensorRT-LLM's chunks by context
// policy and its balance of attention ranks. Speculative decoding, several models on one server, beam search, priorities. Errors of request
// files have their place; a request that never fits is refused (State).
package serving
