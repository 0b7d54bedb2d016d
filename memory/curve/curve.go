package curve

import (
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/sarchlab/akita/v3/sim"

	"github.com/causeway-sim/causeway/components/system"
	"github.com/causeway-sim/causeway/components/units"
	"github.com/causeway-sim/causeway/configs"
	"github.com/causeway-sim/causeway/memory/inorder"
)

// Comp is the node of fidelity curve.
type Comp struct{ *inorder.Comp }

// New makes a memory from a Spec with curves of Named or Of. The name must be valid for Akita.
// Errors are unknown or faulty curves, and a window above 1 s.
func New(name string, e sim.Engine, s Spec) (*Comp, error) {
	lines, peak, c := s.Curve.fixed, s.Bandwidth, s.Clock.Clock
	if s.Curve.name != "" {
		shape, ok := findShape(s.Curve.name)
		if !ok {
			return nil, fmt.Errorf("no built-in curves %q (want one of: %s)", s.Curve.name, strings.Join(shapeNames(), ", "))
		}
		lines = shape.Lines
		if peak == 0 {
			peak = units.Bandwidth(shape.Peak * 8e9)
		}
	}
	if len(lines) == 0 {
		return nil, errors.New("no curves")
	}
	for i, l := range lines {
		if err := CheckLine(l); err != nil {
			return nil, err
		}
		if slices.ContainsFunc(lines[:i], func(o Line) bool { return o.Reads == l.Reads }) {
			return nil, fmt.Errorf("two curves for a share of reads of %g", l.Reads)
		}
	}
	switch {
	case peak == 0:
		return nil, errors.New("a memory with curves has a peak bandwidth")
	case s.Window.In(c) > units.InTime(maxWindow).In(c):
		return nil, fmt.Errorf("a window of %s (want at most 1s)", s.Window)
	}
	shift := 0.0
	if s.Latency != nil {
		unloaded := float64(newTable(lines, c, 0).row[shares][0].latency) / fraction * c.Nanoseconds(1)
		shift = c.Nanoseconds(s.Latency.In(c)) - unloaded
	}
	bucket := max(s.Window.In(c)/buckets, 1)
	t := newTiming(newTable(lines, c, shift), peak, c, bucket)
	m := &Comp{inorder.New(name, e, c, uint64(s.Size), t)}
	m.Spend(s.Energy)
	t.declare(m.Stats())
	return m, nil
}

func init() {
	system.Register(system.Kind[Spec]{
		Name: "memory", Fidelity: "curve",
		Doc:     "A memory whose latency follows measured curves over load and share of reads.",
		Source:  "Esmaili-Dokht et al., A Mess of Memory System Benchmarking, Simulation and Application Profiling, MICRO 2024",
		Subject: system.OfMemories, Headlines: headlines, Levers: levers,
		Default: DefaultSpec(),
		New:     fromConfig,
	})
}

// maxWindow bounds the window: beyond it the byte counts could overflow.
const maxWindow = units.Second

func fromConfig(env *system.Env, name string, s Spec, v configs.Value) (system.Node, error) {
	if s.Curve.name == "" {
		lines, peak, err := s.Curve.load(env, s.Bandwidth, v)
		if err != nil {
			return nil, err
		}
		s.Curve, s.Bandwidth = Of(lines...), peak
	}
	if c := s.Clock.Clock; s.Window.In(c) > units.InTime(maxWindow).In(c) {
		return nil, v.Get("window").Errorf(nil, "%s is too long (want at most 1s)", s.Window)
	}
	m, err := New(name, env.Engine, s)
	if err != nil {
		return nil, v.Errorf(nil, "%s", err)
	}
	return m, nil
}

// load gathers the curves, reading files, and settles the peak bandwidth.
func (c Curves) load(env *system.Env, peak units.Bandwidth, v configs.Value) ([]Line, units.Bandwidth, error) {
	var errs configs.Errors
	samples := make([][]Sample, len(c.lines))
	most := 0.0
	for i, l := range c.lines {
		if l.File == "" {
			continue
		}
		var err error
		if samples[i], err = l.read(env); err != nil {
			errs.Add(err)
			continue
		}
		most = max(most, samples[i][len(samples[i])-1].MBps)
	}
	if err := errs.Err(); err != nil {
		return nil, 0, err
	}
	if peak == 0 {
		if peak = units.Bandwidth(most * 8e6); peak == 0 {
			return nil, 0, v.Get("bandwidth").Errorf(nil, "is missing: points are relative to it")
		}
	}
	var lines []Line
	for i, l := range c.lines {
		line := l.line()
		for _, p := range samples[i] {
			line.Points = append(line.Points, Point{p.MBps * 8e6 / float64(peak), p.NS})
		}
		if n := len(line.Points); n > 0 && line.Points[n-1].Load > 1 && line.Points[n-1].Load < 1+1e-9 {
			line.Points[n-1].Load = 1 // rounding of the peak
		}
		if n := len(samples[i]); n > 0 && line.Points[n-1].Load > 1 {
			errs.Add(l.at.Get("file").Errorf(nil, "%s reaches %.6g GB/s, more than the peak of %s", l.File, samples[i][n-1].MBps/1e3, peak))
		} else if err := CheckLine(line); err != nil {
			errs.Add(l.at.Errorf(nil, "%s", err))
		}
		lines = append(lines, line)
	}
	return lines, peak, errs.Err()
}

// read reads the file of a line.
func (l lineSpec) read(env *system.Env) ([]Sample, error) {
	at := l.at.Get("file")
	path, err := env.File(at)
	if err != nil {
		return nil, err
	}
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, at.Errorf(nil, "%s", err)
	}
	s, err := ParseCSV(l.File, string(text))
	if err != nil {
		return nil, at.Errorf(nil, "%s", err)
	}
	return clean(s), nil
}

// Assumptions implements system.Assumer.
func (c *Comp) Assumptions() []string {
	return append(c.Comp.Assumptions(),
		"Loaded latency is that of a measured system at equal load relative to its peak; addresses do not count, and answers leave in the order of arrival (see go doc memory/curve).")
}
