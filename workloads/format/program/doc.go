// Package program turns a program of array operations, as a compiler of tensor programs takes it,
// into a graph. Readers of such programs (package stablehlo, package torchexport) add instructions
// to a Program; Program.Graph finds the operators that its instructions are.
//
//	p := program.New("mlp")
//	x := p.Arg("x", program.Type{Shape: []int{8, 64}, Elem: graph.FP32}, program.Data)
//	w := p.Arg("w", program.Type{Shape: []int{64, 16}, Elem: graph.FP32}, program.Parameter)
//	y, err := p.Add(0, "y", program.Dot{LC: []int{1}, RC: []int{0}}, []*program.Value{x, w}, t)
//	p.Return(y...)
//	g, err := p.Graph()
//
// # Rules
//
// A program is finer than a graph: a softmax is seven instructions, and a layer norm twenty. The
// rules are those of fusing compilers, and they give the operators of package zoo:
//
//   - Sums and maxima over rows, and the arithmetic between them, are one softmax or one
//     normalisation (rows.go).
//   - A bias that is added to a product is its operand. Scales and shifts of channels after a
//     convolution are one folded batch norm (product.go).
//   - The arithmetic of an activation (GELU, SiLU, ReLU ...) and of rotary embeddings is one
//     elementwise operator of that name; other arithmetic without a second reader between its parts
//     is one elementwise operator with the sum of their operations (chain.go).
//   - Reshapes, transposes, slices, broadcasts and conversions of types move nothing: the reader
//     undoes them. A transpose or broadcast that is a result of the program is a move.
//   - What does not depend on inputs is computed before the run and is a weight.
//   - Masks that compare positions are the mask of the softmax (mask.go).
//
// An argument without a role is an input if it holds whole numbers, or stands where data stands: as
// the image of a convolution, as indices, or as the first operand of a product with another
// argument. An argument that the program updates in place is a cache. Any other argument is a
// parameter.
//
// # Left out
//
// Values of weights, dynamic shapes, loops and branches (readers unroll or refuse them), complex
// numbers, collectives between devices.
//
// # Deviations
//
//  1. Every transposed layout is free. A compiler sometimes copies, where no layout suits all
//     readers of an array.
//  2. A multiplication of an operand of a product by one number, and one of the scores of an
//     attention, costs no operation: it is a factor of the product. The zoo has none either.
package program
