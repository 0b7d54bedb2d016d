package evaluation

import (
	"errors"
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
	for _, v := range in.At.Get("throttle").Items() {
		found := nodesNamed(v.Text(), in.Nodes)
		if len(found) == 0 {
			return nil, v.Errorf(bases(in.Nodes), "no node %q", v.Text())
		}
		for _, n := range found {
			if taken[n] == "" {
				return nil, v.Errorf(nil, "node %s is on no block", n)
			}
		}
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
		if cold := h.Leaking(b, out[b]); without == nil && cold > out[b] {
			return nil, fmt.Errorf("thermal.leakage.power: of block %s %.4g W leak, and it takes %.4g W (want less)", h.Blocks[b].Name, cold, out[b])
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
	power, p, err := h.solve(r)
	if runaway := (*thermal.Runaway)(nil); err != nil && !errors.As(err, &runaway) {
		return f, err
	} else if err != nil {
		return f, fmt.Errorf("thermal: %w%s", err, h.carried(power, p.Blocks))
	}
	if names := h.Coarse(); len(names) > 0 {
		f.Warnings = append(f.Warnings, fmt.Sprintf("section thermal: of cells, 20 across the die, these blocks are smaller: %s; their peaks, and those of blocks beside them, are of whole cells", strings.Join(names, ", ")))
	}
	h.report(&f, power, &p)
	f.Assumptions = append(f.Assumptions, h.assumption(r.Throttled))
	if t := r.Throttled; t != nil {
		h.slowed(&f, t)
	}
	return f, nil
}

// solve is the powers of blocks and the point at which temperatures agree with them.
func (h *heat) solve(r *Run) (power []float64, p thermal.Point, err error) {
	if power, err = h.powers(r); err != nil {
		return nil, p, err
	}
	if h.network == nil {
		if h.network, err = thermal.New(h.Spec); err != nil {
			return nil, p, err
		}
	}
	if h.Start == thermal.FromAmbient {
		p, err = h.network.Warm(power, r.Time/1e9)
	} else {
		p, err = h.network.Close(power)
	}
	return power, p, err
}

// Cooling implements Cooler.
func (h *heat) Cooling() (limit, ambient float64) { return *h.Limit, h.Air.Ambient }

// Hottest implements Cooler.
func (h *heat) Hottest(r *Run) (float64, error) {
	_, p, err := h.solve(r)
	if errors.As(err, new(*thermal.Runaway)) {
		return math.Inf(1), nil
	}
	top := math.Inf(-1)
	for _, b := range p.Blocks {
		top = max(top, b.Peak)
	}
	return top, err
}

// slowed adds the metrics of throttled chips.
func (h *heat) slowed(f *Found, t *Throttled) {
	f.Metrics = append(f.Metrics,
		stats.Metric{Phase: "all", Name: "thermal_limit_share", Unit: stats.Percent, Value: 100 * t.Share, Text: "Limits of power of the nodes that section thermal throttles, over their own."},
		stats.Metric{Phase: "all", Name: "thermal_slowdown", Unit: stats.Percent, Value: 100 * t.Slower, Text: "Time that the limit of temperature adds, over that without it."})
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

func (h *heat) assumption(t *Throttled) string {
	what := "the workload repeats until temperatures stay"
	if h.Start == thermal.FromAmbient {
		what = "the run starts cold and lasts as long as it does"
	}
	then := "temperatures change neither clocks nor times of the run"
	switch {
	case t != nil && t.Share < 1:
		then = fmt.Sprintf("limits of power of %s are %.4g %% of their own, found in %d runs: the hottest block has %.4g degrees then", strings.Join(h.Throttle, ", "), 100*t.Share, t.Runs, t.Peak)
	case t != nil:
		then = "blocks are cool enough without lower limits of power"
	}
	return fmt.Sprintf("section thermal: power of a block is the mean over the run, spread evenly over its area; %s; %s", what, then)
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
		leaks, all = leaks+p.Leaks[b], all+h.closed(b, power[b], p.Leaks[b])
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
func (h *heat) closed(b int, power, leak float64) float64 {
	return power - h.Leaking(b, power) + leak
}

// Declared implements Evaluator.
func (h *heat) Declared(*Run) []stats.Metric {
	var f Found
	n := len(h.Blocks)
	h.report(&f, make([]float64, n), &thermal.Point{Blocks: make([]thermal.Temperature, n), Leaks: make([]float64, n)})
	if len(h.Throttle) > 0 {
		h.slowed(&f, &Throttled{})
	}
	return f.Metrics
}
