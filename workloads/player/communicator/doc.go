// Package communicator is the node that carries out the transfers of a chip whose peers are not all
// nodes: node kind communicator. It takes the price of each collective from the rules of NCCL
// (accelerators/gpu/library) and simulates no messages.
//
//	workload: {model: llama3_8b, training: {}, parallel: {data: 512, represented: stages}}
//	nodes:
//	  - {name: Schedule, kind: schedule, grain: operator}
//	  - {name: Chip, kind: gpu, preset: h100}
//	  - {name: Links, kind: communicator, architecture: sm90, domain: 8, link: 450GB/s, interface: 50GB/s}
//	links:
//	  - Schedule -> Chip
//	  - Schedule -> Links
//
// # Model
//
// Ranks Domain at a time reach each other over links (a machine, or a rack of NVLink). Each rank has
// an interface to other domains. Collectives of one group of ranks follow each other; those of
// several groups go on at the same time and share the links, or the interfaces, equally. A
// message between nodes begins when it is sent and its receiver is free to take it at any time; both
// sides end with its last byte.
//
// The kernel of a transfer has Blocks thread blocks, each with an SM of the chip while the transfer
// is under way, and moves bytes of the chip's memory. What a kernel of the chip could not do without
// these follows with its next operator.
//
// A rank that is a node stands for all that do the same. Ranks of a group are in step: a collective
// begins when the node's own rank issues it.
//
// # Left out
//
// Other traffic on the fabric between domains, which is taken as free of contention, and stragglers.
package communicator
