// Package plan decides which nodes execute a workload, and the program of each node.
//
// An [Assignment] holds the built system, its workers and its workloads; package experiment fills
// in its fields. [Assignment.FindJobs] assigns workloads to schedules and servers,
// [Assignment.CoresOf] finds the nodes and interfaces that a workload names or its placement
// chooses, [Assignment.Shares] maps operators onto nodes, and [Assignment.Schedule] passes them to
// a schedule. Names of nodes have the syntax of links (names.go).
//
// Errors have the place of their key. Left out: placement in memory, running (package experiment),
// and the batches of a server (package served).
package plan
