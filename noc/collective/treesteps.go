package collective

// treeSteps are the steps of two trees over the same ranks, in turns: an edge goes in
// even or in odd steps, by its colour, so that in a step a rank sends to one and receives
// from one.
type treeSteps struct {
	up, down [2][]int // by child
	first    int      // of those down, after all of those up
}

// turnsOf finds the steps. An edge up follows those of the child's own children, an edge down
// that to the parent.
//
// Source: Sanders, Speck, Träff, Parallel Computing 2009, section 3: edges in two colours.
// There a formula gives the colour; here edges that may not meet are followed from one to
// the next, which gives the same up to which of the two comes first.
func turnsOf(trees [2]tree) (s treeSteps) {
	colour := colours(trees)
	after := func(step, colour int) int { // the first step from one on that has the colour
		if step%2 != colour {
			step++
		}
		return step
	}
	for k, t := range trees {
		s.up[k], s.down[k] = make([]int, len(t.parent)), make([]int, len(t.parent))
		ready := make([]int, len(t.parent)) // the first step after those of the children
		for i := len(t.order) - 1; i > 0; i-- {
			v := t.order[i]
			at := after(ready[v], colour[k][v])
			p := t.parent[v]
			s.up[k][v], ready[p] = at, max(ready[p], at+1)
			s.first = max(s.first, at+1)
		}
		for _, v := range t.order[1:] {
			from := 0
			if p := t.parent[v]; p != t.order[0] {
				from = s.down[k][p] + 1
			}
			s.down[k][v] = after(from, colour[k][v])
		}
	}
	s.first = after(s.first, 0)
	return s
}

// colours gives each edge, by tree and child, one of two colours. The two edges from a
// rank up differ, and so do those of its two children.
func colours(trees [2]tree) (out [2][]int) {
	type edge struct{ tree, child int }
	into := make([][]edge, len(trees[0].parent))
	for k, t := range trees {
		out[k] = make([]int, len(t.parent))
		for _, v := range t.order[1:] {
			out[k][v] = -1
			into[t.parent[v]] = append(into[t.parent[v]], edge{k, v})
		}
	}
	for v := range into {
		for k, t := range trees {
			if v == t.order[0] || out[k][v] >= 0 {
				continue
			}
			out[k][v] = 0
			for open := []edge{{k, v}}; len(open) > 0; {
				e := open[len(open)-1]
				open = open[:len(open)-1]
				meets := append([]edge{{1 - e.tree, e.child}}, into[trees[e.tree].parent[e.child]]...)
				for _, m := range meets {
					if m != e && m.child != trees[m.tree].order[0] && out[m.tree][m.child] < 0 {
						out[m.tree][m.child] = 1 - out[e.tree][e.child]
						open = append(open, m)
					}
				}
			}
		}
	}
	return out
}
