// Package grid holds the points of a sweep: axes with their values, the grid of all combinations,
// and the columns of their settings in tables.
//
//	g, err := grid.Decode(value)
//	for i := range g.Len() {
//		fmt.Println(g.Point(i).Set)
//	}
//
// # Left out
//
// Search methods, conditions on points, and means over axes (package sweep). Decode checks the
// form of axes, not whether their paths exist; its errors have their places.
package grid
