package evaluation

import (
	"fmt"
	"math"
	"strings"

	"github.com/causeway-sim/causeway/components/registry"
	"github.com/causeway-sim/causeway/components/stats"
	"github.com/causeway-sim/causeway/components/thermal"
)

func init() {
	Sections.Add(registry.Entry[Reader]{Name: "thermal", Doc: "Temperatures of the blocks of a die in its package, from the energies of nodes, with leakage that depends on them.", Source: "Skadron et al., Temperature-Aware Microarchitecture, ISCA 2003", Spec: thermal.DefaultSpec(), New: readThermal})
}

// heat is the section thermal.
type heat struct {
	thermal.Spec
	nodes   [][]string // of each block
	network *thermal.Network
}

func readThermal(in Input) (Evaluator, error) {
	h := &heat{Spec: thermal.DefaultSpec()}
	if err := in.At.Decode(&h.Spec); err != nil {
		return nil, err
	}
	if err := h.Check(in.At); err != nil {
		return nil, err
	}
	taken := map[string]string{}
	for i, v := range in.At.Get("blocks").Items() {
		b := &h.Blocks[i]
		found, err := named(v.Get("nodes"), in.Nodes, b.Name, taken)
		if err != nil {
			return nil, err
		}
		if len(nodesNamed(b.Name, in.Nodes)) > 0 && (len(b.Nodes) != 1 || b.Nodes[0] != b.Name) {
			return nil, v.Get("name").Errorf(nil, "%s is the name of a node that is not alone on it, whose metrics it would share (want another name)", b.Name)
		}
		h.nodes = append(h.nodes, found)
	}
	return h, nil
}

// powers are those of blocks in a run, in W.
func (h *heat) powers(r *Run) ([]float64, error) {
	out := make([]float64, len(h.Blocks))
	for b, nodes := range h.nodes {
		var without []string
		for _, n := range nodes {
			pj, ok := r.Value(n, "energy")
			if !ok {
				without = append(without, n)
			}
			out[b] += pj / r.Time / 1e3
		}
		if without != nil {
			return nil, fmt.Errorf("thermal.blocks.%s: no energy of %s is known (want nodes with an energy model)", h.Blocks[b].Name, strings.Join(without, ", "))
		}
	}
	return out, nil
}

// Evaluate implements Evaluator.
func (h *heat) Evaluate(r *Run) (f Found, err error) {
	if r.Time <= 0 {
		return f, fmt.Errorf("thermal: the run has no time, and so no power")
	}
	power, err := h.powers(r)
	if err != nil {
		return f, err
	}
	if h.network, err = thermal.New(h.Spec); err != nil {
		return f, err
	}
	var p thermal.Point
	if h.Start == thermal.FromAmbient {
		p, err = h.network.Warm(power, r.Time/1e9)
	} else {
		p, err = h.network.Close(power)
	}
	if err != nil {
		return f, fmt.Errorf("thermal: %w%s", err, h.carried(power, p.Blocks))
	}
	if names := h.Coarse(); len(names) > 0 {
		f.Warnings = append(f.Warnings, fmt.Sprintf("section thermal: of cells, 20 across the die, these blocks are smaller: %s; their peaks, and those of blocks beside them, are of whole cells", strings.Join(names, ", ")))
	}
	h.report(&f, power, &p)
	f.Assumptions = append(f.Assumptions, h.assumption())
	return f, nil
}

// carried says, after an error, which block is the hottest, and what the package carries within the limit.
func (h *heat) carried(power []float64, blocks []thermal.Temperature) string {
	if len(blocks) == 0 {
		return ""
	}
	top := 0
	for b := range blocks {
		if blocks[b].Peak > blocks[top].Peak {
			top = b
		}
	}
	out := "; the hottest block is " + h.Blocks[top].Name
	if h.Limit != nil {
		out += fmt.Sprintf("; the package carries %.3g %% of the power beside leakage within thermal.limit", 100*h.network.Throttle(power, *h.Limit))
	}
	return out
}

func (h *heat) assumption() string {
	what := "the workload repeats until temperatures stay"
	if h.Start == thermal.FromAmbient {
		what = "the run starts cold and lasts as long as it does"
	}
	return fmt.Sprintf("section thermal: power of a block is the mean over the run, spread evenly over its area; %s; temperatures change neither clocks nor times of the run", what)
}

// report adds metrics.
func (h *heat) report(f *Found, power []float64, p *thermal.Point) {
	add := func(where, name string, unit stats.Unit, v float64, text string) {
		f.Metrics = append(f.Metrics, stats.Metric{Phase: "all", Where: where, Name: name, Unit: unit, Value: v, Text: text})
	}
	peak, mean, area, leaks, all := math.Inf(-1), 0.0, 0.0, 0.0, 0.0
	for b, x := range p.Blocks {
		block := &h.Blocks[b]
		a := float64(block.Width) * float64(block.Height)
		peak, mean, area = max(peak, x.Peak), mean+a*x.Mean, area+a
		leaks, all = leaks+p.Leaks[b], all+h.closed(power[b], p.Leaks[b])
		if h.Leakage != nil {
			add(block.Name, "power_leakage", stats.Watt, p.Leaks[b], "Power that leaks at the block's temperature.")
		}
		add(block.Name, "temperature_mean", stats.Celsius, x.Mean, "Mean temperature of the block.")
		add(block.Name, "temperature_peak", stats.Celsius, x.Peak, "Highest temperature of the block.")
	}
	add("", "temperature_mean", stats.Celsius, mean/area, "Mean temperature of the blocks of section thermal.")
	add("", "temperature_peak", stats.Celsius, peak, "Highest temperature of the blocks of section thermal.")
	if h.Leakage != nil {
		add("", "power_leakage", stats.Watt, leaks, "Power that leaks at the temperatures of section thermal.")
		add("", "power_closed", stats.Watt, all, "Power of the blocks with the leakage of their temperatures.")
	}
	if h.Limit != nil {
		share := 1.0
		if h.network != nil { // else metrics are declared
			share = h.network.Throttle(power, *h.Limit)
		}
		add("", "thermal_share", stats.Percent, 100*share, "Share of the power beside leakage that the package carries within thermal.limit.")
		if share < 1 {
			f.Warnings = append(f.Warnings, fmt.Sprintf("section thermal: blocks exceed %g degrees; the package carries %.3g %% of the power beside leakage", *h.Limit, 100*share))
		}
	}
}

// closed is the power of a block with the leakage of its temperature.
func (h *heat) closed(power, leak float64) float64 {
	if h.Leakage == nil {
		return power
	}
	return (1-h.Leakage.Share)*power + leak
}

// Declared implements Evaluator.
func (h *heat) Declared(*Run) []stats.Metric {
	var f Found
	n := len(h.Blocks)
	h.report(&f, make([]float64, n), &thermal.Point{Blocks: make([]thermal.Temperature, n), Leaks: make([]float64, n)})
	return f.Metrics
}
