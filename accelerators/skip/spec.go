package skip

import (
	"fmt"

	"github.com/causeway-sim/causeway/configs"
	"github.com/causeway-sim/causeway/configs/schema"
)

// Sync is the point at which lanes wait for the slowest.
type Sync uint8

// The values of Sync.
const (
	Position Sync = iota // the sums of a position leave together
	Turn                 // every cycle: a turn is left out when all its operands are skipped
	Never                // only the end of an operator
)

var syncs = []string{"position", "turn", "operator"}

func (s Sync) String() string { return syncs[s] }

// UnmarshalText implements encoding.TextUnmarshaler.
func (s *Sync) UnmarshalText(b []byte) error {
	for i, n := range syncs {
		if n == string(b) {
			*s = Sync(i)
			return nil
		}
	}
	return fmt.Errorf("unknown point %q", b)
}

// MarshalText implements encoding.TextMarshaler.
func (s Sync) MarshalText() ([]byte, error) { return []byte(s.String()), nil }

// ConfigValues lists the names, for schemas and messages.
func (Sync) ConfigValues() []string { return syncs }

// Spec selects the operand that an engine skips: inputs or weights.
type Spec struct {
	Inputs  Distribution  `yaml:"inputs" doc:"Skip inputs: how their values lie by name (half_normal, laplace, histogram), with zeros and threshold; left out: none is skipped"`
	Weights Distribution  `yaml:"weights" doc:"Skip weights, as inputs"`
	Sync    Sync          `yaml:"sync" doc:"When lanes wait for the slowest: every turn; when a position is done; at the end of an operator alone"`
	Layers  configs.Value `yaml:"layers" doc:"CSV table of the skipped operand: columns layer, zeros and, where they differ by layer, scale (factor of the magnitudes), threshold, workload"`
}

// A Distribution is an entry of Distributions with its parameters. The zero value skips nothing.
type Distribution struct {
	Name string
	Operand
	values Values
}

// String is the name.
func (d Distribution) String() string { return d.Name }

// UnmarshalConfig implements configs.Unmarshaler.
func (d *Distribution) UnmarshalConfig(v configs.Value) error {
	name, err := v.Choice("distribution", Distributions.Names())
	if err != nil {
		return err
	}
	e, _ := Distributions.Entry(name)
	spec, err := v.Parameters(e.Spec)
	if err != nil {
		return err
	}
	*d = Distribution{Name: name}
	switch s := spec.(type) {
	case Scaled:
		d.Operand = s.Operand
	case Histogram:
		d.Operand = s.Operand
	}
	var errs configs.Errors
	if !(d.Zeros >= 0 && d.Zeros <= 1) {
		errs.Add(v.Place("zeros").Errorf(nil, "is %g (want 0 to 1)", d.Zeros))
	}
	if !(d.Threshold >= 0 && d.Threshold < 1e18) {
		errs.Add(v.Place("threshold").Errorf(nil, "is %g (want 0 or more)", d.Threshold))
	}
	if d.values, err = e.New(spec); err != nil {
		errs.Add(v.Errorf(nil, "%v", err))
	}
	return errs.Err()
}

// Make returns the distribution called name. spec has the type of its entry's Spec. Errors are an
// unknown name and impossible parameters.
func Make(name string, spec any, o Operand) (d Distribution, err error) {
	e, ok := Distributions.Entry(name)
	if !ok {
		return d, fmt.Errorf("unknown distribution %q", name)
	}
	d = Distribution{Name: name, Operand: o}
	d.values, err = e.New(spec)
	return d, err
}

// share is how often values are skipped whose magnitudes are scale times as large.
func (d Distribution) share(o Operand, scale float64) Share {
	s := Share{Zero: o.Zeros}
	if o.Threshold > 0 {
		s.Small = (1 - o.Zeros) * d.values.Below(o.Threshold/scale)
	}
	return s
}

// On reports whether an operand is skipped.
func (s *Spec) On() bool { return s.Inputs.Name != "" || s.Weights.Name != "" }

// Operand returns the distribution of the skipped operand.
func (s *Spec) Operand() *Distribution {
	if s.Weights.Name != "" {
		return &s.Weights
	}
	return &s.Inputs
}

// Check returns errors at their places in v, the configuration of the Spec.
func (s *Spec) Check(v configs.Value) error {
	var errs configs.Errors
	if s.Inputs.Name != "" && s.Weights.Name != "" {
		errs.Add(v.Place("weights").Errorf(nil, "lanes that skip both operands are not built (want one of: inputs, weights)"))
	}
	if s.On() {
		return errs.Err()
	}
	for _, key := range []string{"sync", "layers"} {
		if x := v.Get(key); x.Exists() {
			errs.Add(x.Errorf(nil, "has no effect: nothing is skipped (want inputs or weights too)"))
		}
	}
	return errs.Err()
}

func init() {
	schema.RegisterFunc[Distribution](func() schema.Schema {
		return schema.Schema{
			"title": "how the values of an operand lie: a name and its parameters",
			"anyOf": []any{
				schema.Schema{"type": "string", "enum": Distributions.Names()},
				schema.Schema{"type": "object", "required": []any{"name"}},
			},
		}
	})
}
