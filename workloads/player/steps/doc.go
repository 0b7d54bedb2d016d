// Package steps plays programs of steps: node kind steps. A step reads, then computes;
// what it reads may depend on the step before. Programs are those of
// workloads/service: search in a graph of vectors, recommendation, decoding.
//
//	nodes:
//	  - name: GPU
//	    kind: steps
//	    work: {name: rag, queries: 1}
//	    place: [{region: graph, base: [0GiB]}, {region: vectors, base: [64GiB]}]
//	  - {name: Near, kind: memory, fidelity: ideal, latency: 100ns, bandwidth: 3.35TB/s}
//	  - {name: Pool, kind: memory, fidelity: ideal, latency: 500ns, bandwidth: 100GB/s}
//	links:
//	  - GPU -> Near
//	  - GPU -> Pool
//	memory:
//	  - {tier: near, node: Near, base: 0GiB, size: 64GiB}
//	  - {tier: pool, node: Pool, base: 64GiB, size: 128GiB}
//
// # Model
//
// Reads become requests of burst bytes at most. Those of a region follow each other in
// the order of the program, outstanding of them at once; regions do not wait for each
// other. The reads of a step whose addresses are free may begin when
// it is no more than ahead steps before the one that computes; others wait for the end
// of the step before. A step computes when its reads
// are answered and the step before is through: its operations over compute. Waiting is
// the time in which nothing computes.
//
// A region with several bases takes turns: burst by burst, and where reads are random
// row by row. Random rows follow from simulation.seed and the node's name.
//
// # Left out
//
// Writes; compute that begins before all of a step's data are there; caches (a node of
// kind cache may stand between).
package steps
