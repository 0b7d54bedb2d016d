// Package grid holds the points of a sweep: axes with their values, the grid of all
// combinations, and the columns in which a table names their settings.
//
//	g, err := grid.Decode(value)
//	for i := range g.Len() {
//		fmt.Println(g.Point(i).Set)
//	}
//
// # Left out
//
// Which points a search tries, conditions on points, and means over axes (package sweep).
package grid
