// Package inorder is the frame of a node that carries out operators one after the other
// and knows what each takes before it begins: operators that were issued
// ahead, or are issued while the run goes on, arrivals, idle cycles, tasks. What an operator
// takes, and what is counted of it, belongs to the node.
//
//	type Comp struct { *inorder.Executor[layer]; ... }
//	c.Executor = inorder.New(c, name, e, clock, inorder.Model[layer]{Cost: c.cost, Count: c.count})
//
// Left out: operators that several nodes share (a node of this frame works alone), and
// operators that go on side by side.
package inorder
