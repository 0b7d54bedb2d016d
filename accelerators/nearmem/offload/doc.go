// Package offload describes work that a host offloads to compute units near memory, as Programs:
// phases of device tasks, their results, and the host tasks that consume these. It has no time
// and no protocol; accelerators/nearmem runs Programs.
//
//	p, err := offload.New("knn", offload.KNN{Dim: 2048, Rows: 128, Queries: 1}, 0)
//
// All holds programs derived from the published sizes of workloads (arXiv
// 2512.04449, table IV).
//
// # How operations are counted
//
// A unit issues rate operations per cycle, 1 by default. An addition, a multiply-add, a
// comparison and a load of 8 B are one operation each. The counts include the effects of caches,
// branch prediction and issue width. They are assumptions unless marked fitted:
//
//   - KNN: 2.5 per element of a distance (subtraction, multiply-add, half a load of
//     8 B) and 8 per task; 28 host cycles per level of the heap (two dependent
//     loads, a comparison, a branch missed half of the time). Fitted: of the
//     countings from 2 to 3 the first, the 8 and the 28 are those that agree with the
//     published totals of dimension 2048 and 128 rows.
//   - SSB: 22 operations per 8 rows and 24 with a sixth comparison; 19 host
//     cycles per row and 500 per selected row, and 600,572 rows (scale
//     factor 0.1). Fitted: the published parts of Q1_1, 22.24, 0.58 and 75.84.
//   - SSSP: counted, except the host's 54 per vertex (40 if counted), which is fitted to the
//     published back-pressure with an eighth of the slots.
//   - PageRank, LLM, DLRM: counted; nothing is fitted.
//
// # Left out
//
// Values (kernels compute no data), contention for locks, cache misses of the device beyond the
// bytes that a task reads.
//
// # Sources
//
// Sizes: arXiv 2512.04449 table IV. SSSP and PageRank: the graphs have V and E of
// USA-road NY and coAuthorsDBLP; their degrees are not there, so edges are dealt
// to vertices at random. SSB: O'Neil et al., Star Schema Benchmark, revision 3
// (predicates, filter factors 0.019 and 0.00065). OPT-2.7B: Zhang et al.,
// arXiv 2205.01068, table 1 (32 layers, 32 heads, width 2560).
// DLRM: Naumov et al., arXiv 1906.00091; Criteo has 26 categorical features; the
// top MLP of its Criteo run is 512-256-1.
package offload
