// Package serve is a node that serves requests of a language model: node kind serve.
// Requests arrive, sequences share steps by the rules of package workloads/serving, and
// the operators of each step are issued to the executors that the node is linked to.
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
// A step is a graph: what all its tokens share is one product each, and attention is one
// operator for each chunk of a prompt and one for all sequences that get a token, which
// attend to the mean of their entries. Only sampled tokens get logits.
//
// With times: issued the operators of a step are issued one after the other as kind
// schedule does, and take what the executor, its memory and its network take. With times:
// planned a step takes the sum of what its operators take on an executor that does nothing
// else, and its transfers what their schedules take on a network that does nothing else;
// nothing is issued, and a step costs microseconds to simulate. On nodes whose
// memory is their own both are the same, as long as nothing else uses the network.
//
// A step begins when the one before it has ended. With ahead: 1 its sequences were chosen
// when that one began.
//
// # Tiers
//
// With kv_tiers a policy of memory/tiering/placement sees blocks as pages, and steps as
// intervals. A step reads and writes each entry where its block lies when it begins; blocks
// that move are copied by operators of the step, and have their new place when it ends. The
// latency of a tier is that of all reads of its addresses that executors measured, its share
// of reads that of keys and values.
//
// With instances each has tiers and a policy of its own. Interfaces read keys and values where the
// blocks of a prompt lie and write them to those that Accept took; blocks of a prompt that waits
// for its transfer, or is on its way, do not move, and one that moves already gets there first.
//
// # Instances
//
// With instances engines that prefill have requests of one token and hold their blocks until
// those that decode have reserved blocks and the bytes have come (workloads/serving: Keep,
// Accept, Ready, Release). Each instance steps for itself. With times: issued and interfaces
// transfers are operators of theirs (carry.go); else they take a time: with interfaces that of their
// messages on an idle network. A failure takes all
// memory: what is between two instances is computed again where its prompt was, and sent again.
//
// # Results
//
// Times run from the arrival of a request (latency_from: queued: from when the server took
// it in, between two steps). requests.csv has a row for each. A request that ends in no
// answer has a state: refused, killed.
//
// # Left out
//
// Tokenizer and network of the server; values of tokens.
package serve
