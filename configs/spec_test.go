package configs

import (
	"errors"
	"strings"

	"github.com/causeway-sim/causeway/components/clock"
	"github.com/causeway-sim/causeway/components/units"
)

// Specs as node kinds have them, for the tests.

type coreSpec struct {
	Rows     int                     `yaml:"rows" jsonschema:"minimum=1,maximum=65536" doc:"rows of processing elements"`
	Cols     int                     `yaml:"cols" jsonschema:"minimum=1,maximum=65536"`
	Dataflow flow                    `yaml:"dataflow"`
	Timing   string                  `yaml:"timing" jsonschema:"enum=physical,enum=scalesim"`
	Clock    units.Frequency         `yaml:"clock"`
	SRAM     sramSpec                `yaml:"sram"`
	Lanes    uint16                  `yaml:"lanes"`
	Load     float64                 `yaml:"load" jsonschema:"minimum=0,maximum=1"`
	Exact    bool                    `yaml:"exact"`
	Tags     []string                `yaml:"tags" jsonschema:"maxItems=3,uniqueItems=true"`
	Energy   map[string]units.Energy `yaml:"energy"`
	Points   []pointSpec             `yaml:"points" jsonschema:"minItems=1"`
	Fixed    [2]int                  `yaml:"fixed"`
	Far      *sramSpec               `yaml:"far"`
	Span     between                 `yaml:"span"`
	Raw      Value                   `yaml:"raw"`
	Free     any                     `yaml:"free"`
	shared   `yaml:",inline"`
	hidden   int //lint:ignore U1000 a field without a tag is no key
}

// shared is embedded: its keys are keys of the node.
type shared struct {
	Seed    int64         `yaml:"seed"`
	Latency units.Latency `yaml:"latency"`
}

type sramSpec struct {
	Ifmap  units.Bytes `yaml:"ifmap"`
	Filter units.Bytes `yaml:"filter"`
}

type pointSpec struct {
	Load    float64    `yaml:"load" jsonschema:"required"`
	Latency units.Time `yaml:"latency" jsonschema:"required"`
}

// flow reads itself from text and says which words it takes.
type flow string

func (f *flow) UnmarshalText(b []byte) error { *f = flow(b); return nil }
func (flow) ConfigValues() []string          { return []string{"os", "ws", "is"} }

// between reads itself from a value: lo..hi.
type between struct{ lo, hi string }

func (b *between) UnmarshalConfig(v Value) error {
	s, err := v.String()
	if err != nil {
		return err
	}
	var ok bool
	if b.lo, b.hi, ok = strings.Cut(s, ".."); !ok {
		return errors.New("lacks its ..")
	}
	return nil
}

func defaultCore() coreSpec {
	return coreSpec{
		Rows: 128, Cols: 128, Dataflow: "ws", Timing: "physical", Clock: units.Frequency{Clock: clock.GHz},
		SRAM: sramSpec{Ifmap: 2 << 20, Filter: 2 << 20}, Tags: []string{"a", "b"},
		Energy: map[string]units.Energy{"mac": 0.2e-12},
		Points: []pointSpec{{Load: 0.5, Latency: 80 * units.Nanosecond}},
	}
}

var nodeKeys = []string{"name", "kind", "fidelity", "count", "elements", "override", "group", "params"}

// decodeAll decodes every node of kind core, as a builder would.
func decodeAll(d *Document) error {
	var errs Errors
	for _, v := range d.Root.Get("nodes").Items() {
		if v.Get("kind").Text() != "core" {
			continue
		}
		s := defaultCore()
		errs.Add(v.Decode(&s, Beside(nodeKeys...)))
	}
	return errs.Err()
}
