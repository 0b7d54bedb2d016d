// Package assign decides before a run which executor carries out which operator of a
// workload, from what each operator takes on each of them. A schedule then decides only
// when.
//
// A Problem holds operators in order, what they wait for and their costs; an assignment
// is one executor per operator. Evaluate is what an assignment takes: every operator
// begins when its executor has ended the one before, and when its operands are there,
// those of other executors a Handover later. The searches minimise an objective of that:
//
//	greedy      in order, each operator where it ends first (adds least)
//	dp          dynamic programming along the order; exact for chains
//	exhaustive  the optimum, by branch and bound
//	input_size  by the bytes of the first operand: one limit per class of operators,
//	            fitted to all workloads together
//
//	p := &assign.Problem{Ops: ops, Executors: 2, Handover: 20 * units.Microsecond}
//	on := p.Dynamic()
//	fmt.Println(p.Evaluate(on).Time)
//
// # Deviations
//
// Evaluate keeps the order of the operators on each executor. A schedule may let one go
// first whose operands are there, and a run adds what executors cost each other at a
// shared memory: times of a run differ.
package assign
