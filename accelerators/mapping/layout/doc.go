// Package layout says in which order the elements of an activation lie in memory: in rows, in blocks (Tiled)
// or with the channels last, and which bytes a part of a tiled matrix is.
//
//	l := layout.Layouts{"*.attention": layout.Tiled}
//	lie, left, errs := l.Arrange(g, 64) // an Arrangement for each tensor of g; blocks of 64 x 64 elements
//	m := layout.Matrix{Rows: 512, Cols: 768, Layout: lie[id], Wide: g.Tensor(id).Unit()}
//	loads = m.Region(loads, transfer, 0, 64, 0, 128) // rows 0 to 63, columns 0 to 127
//
// Sizes and ranges count elements; transfers count bytes. Arrange returns an error for a pattern that
// matches no tensor, and for a tensor that cannot lie as its pattern says. Region checks nothing.
//
// Left out: weights, which lie in the order in which the plan reads them, and padding.
package layout
