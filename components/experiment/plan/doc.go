// Package plan decides who carries out what: which nodes a workload is given to, and the program
// of each of them.
//
// An [Assignment] holds the built system, its workers and its workloads. [Assignment.FindJobs]
// gives workloads to schedules and servers, [Assignment.CoresOf] finds the nodes and interfaces
// that a workload names or its placement chooses, [Assignment.Shares] maps operators onto nodes,
// and [Assignment.Schedule] hands them to a schedule. Names of nodes are read as links read them
// (names.go).
//
// Errors point at the key that they are about. The package places nothing in memory and runs
// nothing; batches of a server are in package served.
package plan
