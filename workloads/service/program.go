package service

import (
	"fmt"

	"github.com/causeway-sim/causeway/components/registry"
)

// A Region is a named range of data.
type Region struct {
	Name string
	Size uint64 // bytes
}

// A Read reads one region: Count times Bytes, consecutively from offset At, or with Random each at
// a random multiple of Bytes.
type Read struct {
	Region int
	Count  int
	Bytes  uint64
	At     uint64
	Random bool
}

// A Step reads, then computes.
type Step struct {
	Name    string
	Reads   []Read
	Compute float64 // operations
	Free    bool    // the addresses do not depend on the step before
}

// A Program is a sequence of steps, executed once.
type Program struct {
	Regions []Region
	Steps   []Step
	Items   int // queries, samples or tokens that come out
}

// Bytes returns the bytes read from each region.
func (p *Program) Bytes() []uint64 {
	out := make([]uint64, len(p.Regions))
	for i := range p.Steps {
		for _, r := range p.Steps[i].Reads {
			out[r.Region] += uint64(r.Count) * r.Bytes
		}
	}
	return out
}

// check finds reads that leave their region.
func (p *Program) check() error {
	for i := range p.Steps {
		for _, r := range p.Steps[i].Reads {
			size := p.Regions[r.Region].Size
			if r.Bytes == 0 || r.Count < 1 || r.Bytes > size || !r.Random && (r.At > size || uint64(r.Count) > (size-r.At)/r.Bytes) {
				return fmt.Errorf("step %d (%s) reads %d times %d bytes of region %s, which has %d", i, p.Steps[i].Name, r.Count, r.Bytes, p.Regions[r.Region].Name, size)
			}
		}
	}
	return nil
}

// steps refuses programs that are too long to write down.
func steps(n float64) error {
	if n > MaxSteps {
		return fmt.Errorf("%.0f steps (at most %d)", n, MaxSteps)
	}
	return nil
}

// MaxSteps bounds a program.
const MaxSteps = 1 << 20

// A Make makes a program from a value of its entry's Spec.
type Make func(spec any) (*Program, error)

// All holds the programs by name.
var All = registry.New[Make]("service")

// New makes the program called name; a nil spec takes the defaults of its entry.
func New(name string, spec any) (*Program, error) {
	e, ok := All.Entry(name)
	if !ok {
		return nil, fmt.Errorf("service: no program %q (want one of: %v)", name, All.Names())
	}
	if spec == nil {
		spec = e.Spec
	}
	return e.New(spec)
}

// register adds a program whose Spec is of type S.
func register[S any](name, doc, source string, def S, f func(s S) (*Program, error)) {
	All.Add(registry.Entry[Make]{Name: name, Doc: doc, Source: source, Spec: def, New: func(spec any) (*Program, error) {
		s, ok := spec.(S)
		if !ok {
			return nil, fmt.Errorf("service: %s takes a %T, not a %T", name, def, spec)
		}
		p, err := f(s)
		if err == nil {
			err = p.check()
		}
		return p, err
	}})
}

// positive refuses sizes below 1.
func positive(names []string, values ...int) error {
	for i, v := range values {
		if v < 1 || v > 1<<40 {
			return fmt.Errorf("%s is %d (want 1 or more)", names[i], v)
		}
	}
	return nil
}
