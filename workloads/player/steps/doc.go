// Package steps executes programs of steps on a device: node kind steps. A step reads, then
// computes; its addresses may depend on the step before. Programs are those of workloads/service:
// vector search, recommendation, decoding. See Example.
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
// Reads become requests of at most burst bytes. Requests to a region are sent in program order,
// with up to outstanding in flight; regions are independent. A free step may begin its reads when
// it is at most ahead steps after the step that computes; the reads of other steps wait for the
// end of the step before. A step computes for operations / compute when its reads are answered and
// the step before has ended. Waiting is the time in which nothing computes.
//
// A region with several bases is interleaved by burst, or for random reads by row. Random rows
// depend on simulation.seed and the node's name.
//
// # Left out
//
// Writes, computing before all data of a step have arrived, and caches (link a node of kind cache
// in between). A region that is unknown or has an address without a home is an error.
package steps
