package bottleneck

import (
	"fmt"
	"slices"

	"github.com/causeway-sim/causeway/components/cause"
	"github.com/causeway-sim/causeway/components/stats"
)

// bubbleName is the name of the time that a chip of a pipeline has no work.
const bubbleName = "bubble"

// bubble joins the time in which the chip of a stage has no work: until its first layer, between
// layers, and from its last one to the end of the run, all in nanoseconds.
func bubble(t *cause.Tree, ns, total, end float64, layers *stats.Table) {
	idle := 0.0
	t.Parts = slices.DeleteFunc(t.Parts, func(p *cause.Tree) bool {
		if p.Name != cause.Idle && p.Name != "network" {
			return false
		}
		idle += p.Time
		return true
	})
	fill := min(firstStart(layers)*ns, idle)
	b := &cause.Tree{Name: bubbleName, Words: "in the pipeline bubble"}
	b.Add("fill", "before the first layer", fill)
	b.Add("between", "waiting for other stages or collectives between layers", idle-fill)
	b.Add("drain", "after the last layer", max(0, total-end))
	if b.Time = b.Used(); b.Time > 0 {
		t.Parts = append(t.Parts, b)
	}
}

// firstStart is the cycle in which the first layer of a table begins.
func firstStart(layers *stats.Table) float64 {
	if layers == nil {
		return 0
	}
	start := layers.Index("start")
	first, some := 0.0, false
	for _, row := range layers.Each() {
		if start < 0 || row[start] == nil {
			continue
		}
		if v := stats.Number(row[start]); !some || v < first {
			first, some = v, true
		}
	}
	return first
}

// bubbleSentence is a sentence about the share of the pipeline bubble in the time of the stages;
// "" without a bubble.
func bubbleSentence(run *cause.Tree) string {
	if run == nil {
		return ""
	}
	for _, n := range run.Parts {
		b := n.Part(bubbleName)
		if b == nil || b.Share < told {
			continue
		}
		of := func(name string) float64 {
			if p := b.Part(name); p != nil {
				return 100 * p.Time / n.Time
			}
			return 0
		}
		return fmt.Sprintf("The pipeline bubble takes %.1f %% of the time of %s: filling %.1f %%, waiting between layers %.1f %%, draining %.1f %%.", 100*b.Share, n.Name, of("fill"), of("between"), of("drain"))
	}
	return ""
}
