package parallel

import (
	"fmt"

	"github.com/causeway-sim/causeway/workloads/graph"
)

// stagesOfLayers is the stage of each operator of a model that begins stages with layers
// alone, of about equal multiply-accumulates. A model without numbered layers is cut between
// any operators.
func stagesOfLayers(g *graph.Graph, n int) ([]int, error) {
	var first []int // operators of each piece: before the first layer and with it, the others
	layer := -1
	for i := range g.Ops {
		k, ok := graph.LayerOf(g.Ops[i].Name)
		if ok && k != layer {
			if layer = k; len(first) > 0 {
				first = append(first, i)
			} else {
				first = append(first, 0)
			}
		}
	}
	if len(first) == 0 {
		return stagesOf(g, n)
	}
	if n > len(first) {
		return nil, fmt.Errorf("%s: %d stages of %d layers", g.Name, n, len(first))
	}
	work, total := make([]float64, len(first)), 0.0
	piece := make([]int, len(g.Ops))
	for i, k := 0, 0; i < len(g.Ops); i++ {
		if k+1 < len(first) && first[k+1] == i {
			k++
		}
		piece[i] = k
		work[k] += float64(g.Ops[i].MACs())
		total += float64(g.Ops[i].MACs())
	}
	stage, done, had := make([]int, len(first)), 0.0, 0
	at := 0
	for k := range work {
		left := len(first) - k
		if at < n-1 && had > 0 && (done+work[k]/2 >= total*float64(at+1)/float64(n) || left <= n-1-at) {
			at, had = at+1, 0
		}
		stage[k] = at
		done, had = done+work[k], had+1
	}
	of := make([]int, len(g.Ops))
	for i := range of {
		of[i] = stage[piece[i]]
	}
	return of, nil
}
