// Package array pushes real matrices through a systolic array, cycle by cycle and
// register by register: what enters at the edges, what every processing element
// multiplies and adds, and what leaves. It answers two questions about a dataflow:
// whether the product is right, and how many cycles one stationary tile takes.
//
// It is the slow twin of package dataflow, which has the same cycles in closed form. It does not
// import that package; the tests compare the two.
//
//	c, t, err := array.Multiply[int8, int32]("dip", 8, 8, 2, a, b)
//	fmt.Println(t.Cycles, t.Full)
//
// Left out: loading the stationary tile (it lies in the array when the first operand
// enters) and matrices larger than the array.
package array
