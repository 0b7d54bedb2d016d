// Package assign assigns the operators of a workload to executors before a run, by their costs on
// each executor. A schedule then decides only when they run.
//
// A Problem holds operators in order, their dependencies and their costs; an assignment is one
// executor per operator. Evaluate returns time and energy of an assignment: an operator begins
// when its executor has ended the operator before and its operands are ready, those of other
// executors a Handover later. The searches minimise an objective:
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
// Evaluate keeps the order of the operators on each executor. Times of a run differ: a schedule
// may reorder operators, and executors contend for shared memory.
//
// # Left out
//
// Batches, several requests at once, and arrival times. Operators that no executor can run make
// Evaluate panic.
package assign
