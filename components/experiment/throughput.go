package experiment

import (
	"strings"

	"github.com/causeway-sim/causeway/components/experiment/plan"
	"github.com/causeway-sim/causeway/components/stats"
	"github.com/causeway-sim/causeway/workloads/graph"
)

// throughput is how many images or tokens the workloads come to in a second of ns.
func (a *assembly) throughput(ns float64) []stats.Metric {
	if ns <= 0 || a.Serves() {
		return nil
	}
	images, tokens := 0.0, 0.0
	for _, w := range a.Loads {
		if w.Batch > 1 || w.Rows || w.Rank > 0 {
			continue
		}
		i, t := items(w)
		images, tokens = images+i*float64(w.Repeats()), tokens+t*float64(w.Repeats())
	}
	var out []stats.Metric
	if images > 0 {
		out = append(out, ofSystem("images_per_second", stats.Rate, images/ns*1e9, "Images that workloads are given over total_time."))
	}
	if tokens > 0 {
		out = append(out, ofSystem("tokens_per_second", stats.Rate, tokens/ns*1e9, "Tokens that workloads are given over total_time: of prefill those of prompts, of decode one for each request."))
	}
	return out
}

// items are the images or tokens that one request of the workload is of, by the shape of its
// first input: images have channels, height and width, tokens a place in a sequence.
func items(w *plan.Workload) (images, tokens float64) {
	g := w.Graph
	if w.Source != nil {
		g = w.Source
	}
	if g == nil {
		return 0, 0
	}
	for _, t := range g.Tensors {
		switch {
		case t.Role != graph.Input:
			continue
		case len(t.Shape) == 4:
			return float64(t.Shape[0]), 0
		case len(t.Shape) == 2 && strings.HasSuffix(t.Name, "ids"):
			return 0, float64(t.Shape[0] * t.Shape[1])
		}
		return 0, 0
	}
	return 0, 0
}
