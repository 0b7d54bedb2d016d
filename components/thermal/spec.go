package thermal

import (
	"fmt"

	"github.com/causeway-sim/causeway/components/units"
	"github.com/causeway-sim/causeway/configs"
)

// A Spec is the section thermal: a floor plan and its package.
type Spec struct {
	Blocks    []Block   `yaml:"blocks" jsonschema:"required,minItems=1" doc:"Blocks of the floor plan; the die is what they span"`
	Die       Plate     `yaml:"die" doc:"The die"`
	Interface Plate     `yaml:"interface" doc:"What joins die and spreader"`
	Spreader  Plate     `yaml:"spreader" doc:"The heat spreader"`
	Sink      Plate     `yaml:"sink" doc:"The base of the heat sink"`
	Air       Air       `yaml:"air" doc:"From the sink to the air"`
	Leakage   *Leakage  `yaml:"leakage,omitempty" doc:"Power that grows with temperature; none if left out: all power is as the run has it"`
	Limit     *float64  `yaml:"limit,omitempty" jsonschema:"exclusiveMinimum=-273,maximum=1000" doc:"Temperature in degrees Celsius that no block may exceed: metric thermal_share says how much of the power beside leakage the package carries"`
	Throttle  []string  `yaml:"throttle,omitempty" doc:"Nodes on the die, or arrays of them, whose power_limit is lowered until no block exceeds limit: they have the same share of their own limits, and the run is repeated to find it"`
	Start     StartName `yaml:"start" jsonschema:"enum=steady,enum=ambient" doc:"steady: the workload repeats until temperatures stay; ambient: it starts cold and lasts as long as the run"`
}

// A StartName says from which state a run begins.
type StartName string

// The states.
const (
	FromSteady  StartName = "steady"
	FromAmbient StartName = "ambient"
)

// A Block is a rectangle of the floor plan.
type Block struct {
	Name   string       `yaml:"name" jsonschema:"required,pattern=^[A-Z][A-Za-z0-9_]*$" doc:"Name in the results"`
	Nodes  []string     `yaml:"nodes" jsonschema:"required,minItems=1" doc:"Nodes whose energy becomes heat here; the name of an array is all of it"`
	X      units.Length `yaml:"x" doc:"Left edge"`
	Y      units.Length `yaml:"y" doc:"Lower edge"`
	Width  units.Length `yaml:"width" jsonschema:"required" doc:"Width"`
	Height units.Length `yaml:"height" jsonschema:"required" doc:"Height"`
}

// A Plate is one layer of the package. Side is that of a square; the die and the interface have the size of the floor plan.
type Plate struct {
	Side         units.Length `yaml:"side" doc:"Side of the square (spreader and sink)"`
	Thickness    units.Length `yaml:"thickness" doc:"Thickness"`
	Conductivity float64      `yaml:"conductivity" jsonschema:"exclusiveMinimum=0,maximum=10000" doc:"Thermal conductivity in W/(m K)"`
	Capacity     float64      `yaml:"capacity" jsonschema:"exclusiveMinimum=0,maximum=1e8" doc:"Heat capacity in J/(m3 K)"`
}

// Air is what takes the heat away.
type Air struct {
	Ambient    float64 `yaml:"ambient" jsonschema:"exclusiveMinimum=-273,maximum=200" doc:"Temperature in degrees Celsius"`
	Resistance float64 `yaml:"resistance" jsonschema:"exclusiveMinimum=0,maximum=1000" doc:"From the whole lower side of the sink to the air in K/W"`
	Capacity   float64 `yaml:"capacity" jsonschema:"minimum=0,maximum=1e6" doc:"Heat capacity of fins in J/K"`
}

// Leakage is power that depends on temperature. It has a Share or a Power.
type Leakage struct {
	Share   float64     `yaml:"share,omitempty" jsonschema:"exclusiveMinimum=0,exclusiveMaximum=1" doc:"Of a block's power in the run; that leaks at temperature at"`
	Power   units.Power `yaml:"power,omitempty" doc:"In place of share: power of all blocks that leaks at temperature at, spread by area, whatever the blocks do"`
	At      float64     `yaml:"at" jsonschema:"required,exclusiveMinimum=-273,maximum=300" doc:"Temperature in degrees Celsius for which the run's power holds"`
	Doubles float64     `yaml:"doubles" jsonschema:"required,exclusiveMinimum=0,maximum=1000" doc:"Kelvin in which leakage doubles"`
}

// DefaultSpec is the package of HotSpot's release (examples/example1): silicon, an interface of 4 W/(m K), a spreader and
// a sink of copper, and 0.1 K/W to air of 45 degrees.
func DefaultSpec() Spec {
	return Spec{
		Die:       Plate{Thickness: 0.15, Conductivity: 130, Capacity: 1.6303e6},
		Interface: Plate{Thickness: 0.02, Conductivity: 4, Capacity: 4e6},
		Spreader:  Plate{Side: 30, Thickness: 1, Conductivity: 400, Capacity: 3.55e6},
		Sink:      Plate{Side: 60, Thickness: 6.9, Conductivity: 400, Capacity: 3.55e6},
		Air:       Air{Ambient: 45, Resistance: 0.1, Capacity: 140.4},
		Start:     FromSteady,
	}
}

// Check reports what no package can be; v is the section.
func (s *Spec) Check(v configs.Value) error {
	var errs configs.Errors
	names := map[string]bool{}
	for i, at := range v.Get("blocks").Items() {
		b := &s.Blocks[i]
		if names[b.Name] {
			errs.Add(at.Get("name").Errorf(nil, "%s is the name of another block", b.Name))
		}
		names[b.Name] = true
		if b.Width <= 0 || b.Height <= 0 {
			errs.Add(at.Errorf(nil, "%s is %s by %s (want more than 0)", b.Name, b.Width, b.Height))
		}
		for k := range i {
			if o := &s.Blocks[k]; b.overlaps(o) {
				errs.Add(at.Errorf(nil, "%s overlaps %s (want blocks side by side)", b.Name, o.Name))
			}
		}
	}
	for _, key := range []string{"die", "interface"} {
		if x := v.Get(key).Get("side"); x.Exists() {
			errs.Add(x.Errorf(nil, "has no effect: its size is that of the floor plan (used by: spreader, sink)"))
		}
	}
	for key, p := range map[string]*Plate{"die": &s.Die, "interface": &s.Interface, "spreader": &s.Spreader, "sink": &s.Sink} {
		if p.Thickness <= 0 {
			errs.Add(v.Place(key).Place("thickness").Errorf(nil, "thickness is %s (want more than 0)", p.Thickness))
		}
	}
	if err := errs.Err(); err != nil {
		return err
	}
	_, _, w, h := s.bounds()
	if widest := units.Length(max(w, h)); s.Spreader.Side < widest {
		errs.Add(v.Place("spreader").Place("side").Errorf(nil, "side is %s (want the die's %s or more)", s.Spreader.Side, widest))
	}
	if s.Sink.Side < s.Spreader.Side {
		errs.Add(v.Place("sink").Place("side").Errorf(nil, "side is %s (want the spreader's %s or more)", s.Sink.Side, s.Spreader.Side))
	}
	if s.Limit != nil && *s.Limit <= s.Air.Ambient {
		errs.Add(v.Get("limit").Errorf(nil, "limit is %g (want more than air.ambient, %g)", *s.Limit, s.Air.Ambient))
	}
	s.checkLeakage(v, &errs)
	return errs.Err()
}

func (s *Spec) checkLeakage(v configs.Value, errs *configs.Errors) {
	at := v.Get("leakage")
	if l := s.Leakage; l != nil && (l.Share > 0) == (l.Power > 0) {
		errs.Add(at.Errorf(nil, "share is %g and power is %s (want one of the two above 0)", l.Share, l.Power))
	}
	switch {
	case len(s.Throttle) == 0:
	case s.Limit == nil:
		errs.Add(v.Get("throttle").Errorf(nil, "has no effect without limit"))
	case s.Leakage != nil && s.Leakage.Share > 0:
		errs.Add(at.Place("share").Errorf(nil, "falls with the power of a throttled chip, and leakage does not (want power in its place)"))
	}
}

func (b *Block) overlaps(o *Block) bool {
	const same = 1e-6 // mm: edges that are written with rounding
	return b.X+b.Width > o.X+same && o.X+o.Width > b.X+same && b.Y+b.Height > o.Y+same && o.Y+o.Height > b.Y+same
}

// bounds is the rectangle that blocks span, in mm.
func (s *Spec) bounds() (x, y, w, h float64) {
	first := &s.Blocks[0]
	left, low, right, high := first.X, first.Y, first.X+first.Width, first.Y+first.Height
	for i := range s.Blocks {
		b := &s.Blocks[i]
		left, low = min(left, b.X), min(low, b.Y)
		right, high = max(right, b.X+b.Width), max(high, b.Y+b.Height)
	}
	return float64(left), float64(low), float64(right - left), float64(high - low)
}

// Leaking is the power of a block that leaks at temperature Leakage.At, W, where the block has power run in the run.
func (s *Spec) Leaking(b int, run float64) float64 {
	l := s.Leakage
	switch {
	case l == nil:
		return 0
	case l.Share > 0:
		return l.Share * run
	}
	all := units.Length(0)
	for i := range s.Blocks {
		all += s.Blocks[i].Width * s.Blocks[i].Height
	}
	return float64(l.Power) * float64(s.Blocks[b].Width*s.Blocks[b].Height/all)
}

// A Runaway is power that no temperature balances, as leakage grows faster than the package takes heat away, or that
// passes the temperatures which are modelled.
type Runaway struct {
	Above float64 // degrees Celsius
	Leaks bool
}

func (r *Runaway) Error() string {
	if !r.Leaks {
		return fmt.Sprintf("temperatures pass %.0f degrees (want less power, or a better sink)", r.Above)
	}
	return fmt.Sprintf("leakage runs away: temperatures pass %.0f degrees and go on rising (want less power, less leakage, or a better sink)", r.Above)
}
