package curve

import (
	"github.com/causeway-sim/causeway/components/clock"
	"github.com/causeway-sim/causeway/components/energy"
	"github.com/causeway-sim/causeway/components/units"
	"github.com/causeway-sim/causeway/configs"
	"github.com/causeway-sim/causeway/configs/schema"
)

// Spec is the configuration of a memory with curves. Units are in the values.
type Spec struct {
	// Clock is the clock to whose cycles latencies are rounded up.
	Clock units.Frequency `yaml:"clock" doc:"Clock of the memory; latencies are rounded up to its cycles"`
	// Size is the capacity (16GiB); 0B sets no limit.
	Size units.Bytes `yaml:"size" doc:"Capacity; 0B: any address is accepted"`
	// Energy is per byte; without it the memory has no energy model.
	Energy energy.Memory `yaml:"energy" doc:"Energy per byte read or written; without it the memory has no energy model"`
	// Bandwidth is the peak of the pins, load 1 of the curves; 0B/s is that of a built-in family,
	// or the largest in the files.
	Bandwidth units.Bandwidth `yaml:"bandwidth" doc:"Peak of the pins, which is load 1; 0B/s takes that of the curves"`
	// Latency is the unloaded latency of reads. It shifts all curves by the same amount; nil does
	// not shift them.
	Latency *units.Latency `yaml:"latency" doc:"Unloaded latency; shifts all curves alike; absent leaves them as they are"`
	// Window is the time over which the load is measured.
	Window units.Latency `yaml:"window" doc:"Time over which the load is measured"`
	// Curve is the name of a built-in family, or a list of curves, one per
	// share of reads.
	Curve Curves `yaml:"curve" doc:"A built-in family, or a list of {reads, points: [{load, latency}]} or {reads, file: X.csv}"`
}

// DefaultSpec is the measured DDR5-4800 system, of any size.
func DefaultSpec() Spec {
	return Spec{
		Clock: units.Frequency{Clock: clock.GHz},
		// assumption: several times the loaded latency, so that requests see
		// the load that they make, and short against the phases of a layer
		Window: units.InTime(units.Microsecond),
		Curve:  Curves{name: "ddr5_4800_graviton3"},
	}
}

// Curves is the value of the key curve: a family of lines.
type Curves struct {
	name  string     // built-in
	fixed []Line     // given by a program
	lines []lineSpec // given by a configuration
}

// String is the name of a built-in family, "" for others.
func (c Curves) String() string { return c.name }

// Named returns the built-in family called name.
func Named(name string) Curves { return Curves{name: name} }

// Of returns a family made of lines, of different shares of reads.
func Of(lines ...Line) Curves { return Curves{fixed: lines} }

type lineSpec struct {
	// Reads is the share of bytes that are read.
	Reads float64 `yaml:"reads" jsonschema:"required,minimum=0,maximum=1" doc:"Share of the bytes that are read"`
	// Points of the curve: load rises, latency does not fall.
	Points []pointSpec `yaml:"points" jsonschema:"minItems=2" doc:"Points of the curve, by rising load"`
	// File of bandwidth in MB/s and latency in ns, in place of points.
	File string `yaml:"file" doc:"CSV of bandwidth in MB/s and latency in ns, in place of points"`

	at configs.Value
}

type pointSpec struct {
	// Load over the peak bandwidth.
	Load float64 `yaml:"load" jsonschema:"required,minimum=0,maximum=1" doc:"Bandwidth over the peak"`
	// Latency at this load.
	Latency units.Time `yaml:"latency" jsonschema:"required" doc:"Latency at this load"`
}

func init() {
	words := []any{}
	for _, s := range shapes {
		words = append(words, s.Name)
	}
	schema.Register[Curves](schema.Schema{
		"title": "a family of curves",
		"anyOf": []any{
			schema.Schema{"type": "string", "enum": words},
			schema.Schema{"type": "array", "minItems": 1, "items": schema.Of(lineSpec{})},
		},
	})
}

// UnmarshalConfig implements configs.Unmarshaler.
func (c *Curves) UnmarshalConfig(v configs.Value) error {
	var out Curves
	if v.Kind() == configs.String {
		out.name = v.Text()
		if _, ok := findShape(out.name); !ok {
			return v.Errorf(shapeNames(), "no built-in curves %q", out.name)
		}
		*c = out
		return nil
	}
	if v.Kind() != configs.List || len(v.Items()) == 0 {
		return v.Errorf(shapeNames(), "curves are a name or a list of {reads, points} or {reads, file}")
	}
	var errs configs.Errors
	seen := map[float64]bool{}
	for _, item := range v.Items() {
		l := lineSpec{at: item}
		if err := item.Decode(&l); err != nil {
			errs.Add(err)
			continue
		}
		switch points, file := item.Get("points").Exists(), item.Get("file").Exists(); {
		case points && file:
			errs.Add(item.Get("file").Errorf(nil, "a curve has points or a file, not both"))
		case !points && !file:
			errs.Add(item.Errorf([]string{"points", "file"}, "a curve without points"))
		case seen[l.Reads]:
			errs.Add(item.Get("reads").Errorf(nil, "two curves for a share of reads of %g", l.Reads))
		case points:
			if err := CheckLine(l.line()); err != nil {
				errs.Add(item.Get("points").Errorf(nil, "%s", err))
			}
		}
		seen[l.Reads] = true
		out.lines = append(out.lines, l)
	}
	*c = out
	return errs.Err()
}

func (l lineSpec) line() Line {
	out := Line{Reads: l.Reads}
	for _, p := range l.Points {
		out.Points = append(out.Points, Point{p.Load, float64(p.Latency) / float64(units.Nanosecond)})
	}
	return out
}
