// Package serving is a server of language models without time: requests, where they come
// from, which of them share a step, and the paged blocks of their keys and values. It
// links no simulator; node kind serve gives it its time.
//
//	e, err := serving.New(serving.DefaultSpec(), requests)
//	e.Arrive(0)
//	step, ok := e.Schedule()  // who computes how many tokens
//	done := e.Complete(step)  // who got a token, who has got all
//
// # Batches
//
// The rules are those of vLLM's scheduler (version 1; https://docs.vllm.ai, Kwon et al.,
// SOSP 2023): a step has a budget of tokens and a limit of sequences. Sequences that run
// take their tokens first, in the order in which they began, and a prompt that is longer
// than what is left of the budget is computed in chunks. Then those that wait are
// admitted, as long as there is budget, room for one more sequence, and blocks for the whole
// prompt: an Admission chooses the next (fcfs: in the order of arrival). Where a sequence needs
// a block and none is free, a Preemption chooses which sequence gives its blocks up (the
// one that began last). The preempted sequence goes back to the head of the queue: its entries
// are computed again (recompute), or wait in host memory (swap). A policy is a file of its
// own that adds itself to Admissions or Preemptions.
//
// A step may be scheduled while the one before it is under way (Spec.Ahead): the server
// does not wait for the values of tokens, only for their number. Requests that arrive
// during a step then wait for the step after the next.
//
// # Blocks
//
// Keys and values live in blocks of Spec.Block tokens. With Spec.Prefix a block that is full is
// known by the tokens in it and before it; a prompt that begins with the same tokens shares
// it. Blocks of sequences that have ended are kept until another sequence needs them. Those
// that were freed first go first, and the end of a sequence before its beginning. A request
// whose tokens are not known shares blocks only with itself, after a preemption.
//
// # Tiers
//
// Spec.Blocks are blocks by tier of memory. A block has a frame of a tier; Spec.Policy says of
// which one, and which blocks go to a frame of another tier with a step (Step.Moves). Each
// frame is of one block at any time: a block that moves exchanges its frame with a free one, or with
// that of the block that goes the other way, when the step has ended. A block that was freed meanwhile stays. Blocks of a
// request that is held (another engine fetches them) begin no move.
//
// # Left out
//
// Speculative tokens, several models on one server, beams, priorities.
package serving
