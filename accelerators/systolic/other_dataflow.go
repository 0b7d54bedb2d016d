package systolic

import (
	"fmt"

	"github.com/causeway-sim/causeway/accelerators/dataflow"
)

// mostAside is the part of the multiply-accumulates from which on a chosen dataflow says little.
const mostAside = 0.5

// A chooser is a core that knows whether its dataflow was set for the run.
type chooser interface{ choose() }

// choose notes that the dataflow was set for this run.
func (k *core) choose() { k.chosen = true }

// Warnings implements system.Warner: also of a dataflow that was chosen for the run (--set, an axis) and that
// most products do not follow, since the second way of weights into the array is faster for them.
func (k *core) Warnings() []string {
	out := k.keyWarnings.Warnings()
	e, ok := dataflow.All.Entry(string(k.spec.Dataflow))
	if !k.chosen || !ok || k.planner != nil {
		return out
	}
	own := [3]dataflow.Axis{}
	own[0], own[1], own[2] = e.New.Axes()
	aside, all := 0.0, 0.0
	for i := range k.jobs {
		if p := k.jobs[i].Plan; p != nil && p.Matrix {
			all += float64(p.MACs)
			if p.Axes() != own {
				aside += float64(p.MACs)
			}
		}
	}
	if all == 0 || aside/all <= mostAside {
		return out
	}
	return append(out[:len(out):len(out)], fmt.Sprintf("%s.dataflow is %s, but %.0f %% of the multiply-accumulates take weights by the second way into the array, which is faster for them and holds weights (gemv: auto). Set gemv: none to compare dataflows.", k.Name(), k.spec.Dataflow, 100*aside/all))
}
