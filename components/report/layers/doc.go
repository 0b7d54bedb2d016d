// Package layers reads the layer table of a run: where the cycles of each layer went
// (Stack), how layers stand under the roofs of their nodes (Roofline), and the few
// columns and rows that people read (Digest).
//
//	s, err := layers.StackOf(res.Layers) // the table of layers.csv
//	for _, bar := range s.Readable().Bars {
//		fmt.Println(bar.Label(), bar.Total) // cycles
//	}
//
// Bars are in cycles of each node's own clock, rooflines in multiply-accumulates per byte and per cycle.
// A table that is nil or empty is an error ("the result has no layers"), and so is one without the columns
// that a figure needs: stall columns for a Stack; macs, cycles and bytes of memory for a Roofline.
//
// Left out: drawing (components/report/panel and components/report/draw), and the division of the time of
// whole nodes by causes (components/cause).
package layers
