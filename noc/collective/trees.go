package collective

// Trees returns the edges {root, parent, child} of multitree on a mesh of w x h, by step.
func Trees(w, h int, search string) (steps [][][3]int) {
	for _, s := range growTrees(neighbours(w, h, false, search), turns(w, h, false, search), search == SearchLast) {
		var out [][3]int
		for _, e := range s {
			out = append(out, [3]int{e.root, e.parent, e.child})
		}
		steps = append(steps, out)
	}
	return steps
}
