// Package inorder is the frame of an executor that carries out operators one after the other and
// knows the cycles of each when it begins. The frame handles issue ahead, during the run and by
// call, arrivals, idle cycles and tasks. The node gives a Model: the cost of an operator and its
// counts.
//
//	type Comp struct { *inorder.Executor[layer]; ... }
//	c.Executor = inorder.New(c, name, e, clock, inorder.Model[layer]{Cost: c.cost, Count: c.count})
//
// Left out: operators that several nodes share, and operators that overlap. Prepare returns an
// error for a share whose jobs wait for other executors.
package inorder
