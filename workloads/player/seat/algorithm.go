package seat

import (
	"slices"

	"github.com/causeway-sim/causeway/components/clock"
	"github.com/causeway-sim/causeway/components/units"
	"github.com/causeway-sim/causeway/configs"
	"github.com/causeway-sim/causeway/configs/schema"
	"github.com/causeway-sim/causeway/noc/collective"
	"github.com/causeway-sim/causeway/workloads/comm"
)

func init() {
	one := []any{schema.Schema{"type": "object"}, schema.Schema{"type": "string"}}
	schema.Register[Algorithm](schema.Schema{
		"anyOf": append(slices.Clone(one), schema.Schema{"type": "array", "items": schema.Schema{"anyOf": one}}),
		"title": "a collective algorithm: its name and parameters, start, the time to begin it by bytes, and copies, how often the library copies its bytes besides; or a list of them, each but the last with the bytes (upto) or ranks (ranks) that it is for", "examples": []any{"ring"},
	})
}

// An Algorithm is a name in collective.All with its parameters, or a choice among several by the
// bytes and ranks of a collective, as libraries have.
type Algorithm struct {
	Name string // of the last one, if there is a choice
	Spec any
	// Start is the time to begin it, by bytes, in addition to that of any collective.
	Start Curve
	// Copies is the number of copies of a collective's bytes by the library in addition to those
	// of the schedule: of a result in memory of the library.
	Copies  int
	choices []choice
}

// A choice is an algorithm and the largest collectives that it is for.
type choice struct {
	Algorithm
	limits
}

// limits are the largest collectives of a choice; 0 is any.
type limits struct {
	upto  units.Bytes // bytes, as the operation counts them
	ranks int
}

// take reads the limits of a choice, and leaves the algorithm.
func (l *limits) take(v configs.Value, errs *configs.Errors) configs.Value {
	if x := v.Get("upto"); x.Exists() {
		if errs.Add(x.Decode(&l.upto)); l.upto == 0 {
			errs.Add(x.Errorf(nil, "is 0B (want 1B at least)"))
		}
	}
	if x := v.Get("ranks"); x.Exists() {
		n, err := x.Int()
		if err == nil && n < 1 {
			err = x.Errorf(nil, "is %d (want 1 at least)", n)
		}
		errs.Add(err)
		l.ranks = int(n)
	}
	return v.Without("upto").Without("ranks")
}

// fit reports whether a collective is within the limits.
func (l *limits) fit(ranks int, bytes uint64) bool {
	return (l.upto == 0 || bytes <= uint64(l.upto)) && (l.ranks == 0 || ranks <= l.ranks)
}

// String is the name.
func (a Algorithm) String() string { return a.Name }

// UnmarshalConfig implements configs.Unmarshaler.
func (a *Algorithm) UnmarshalConfig(v configs.Value) error {
	if v.Kind() != configs.List {
		return a.single(v)
	}
	*a = Algorithm{}
	var errs configs.Errors
	items := v.Items()
	if len(items) == 0 {
		return v.Errorf(nil, "is empty (want an algorithm)")
	}
	for i, item := range items {
		c := choice{}
		if item.Kind() == configs.Map {
			item = c.limits.take(item, &errs)
		}
		err := c.single(item)
		errs.Add(err)
		if last := i == len(items)-1; last && c.limits != (limits{}) {
			errs.Add(items[i].Errorf(nil, "the last of a list is for all that is left, without upto and ranks"))
		} else if !last && c.limits == (limits{}) {
			errs.Add(items[i].Errorf(nil, "has neither upto nor ranks: what follows is never chosen"))
		}
		a.choices = append(a.choices, c)
		a.Name, a.Spec, a.Start, a.Copies = c.Name, c.Spec, c.Start, c.Copies
	}
	return errs.Err()
}

// single reads an algorithm that stands alone.
func (a *Algorithm) single(v configs.Value) error {
	name, err := v.Choice("collective algorithm", collective.All.Names())
	if err != nil {
		return err
	}
	*a = Algorithm{Name: name}
	var errs configs.Errors
	if x := v.Get("start"); x.Exists() {
		errs.Add(x.Decode(&a.Start))
		errs.Add(a.Start.Check(x))
		v = v.Without("start")
	}
	if x := v.Get("copies"); x.Exists() {
		a.Copies, err = copies(x)
		errs.Add(err)
		v = v.Without("copies")
	}
	e, _ := collective.All.Entry(name)
	a.Spec, err = v.Parameters(e.Spec)
	errs.Add(err)
	return errs.Err()
}

// maxCopies bounds how often a library copies a collective's bytes.
const maxCopies = 1 << 10

// copies reads how often a library copies a collective's bytes.
func copies(v configs.Value) (int, error) {
	n, err := v.Int()
	if err == nil && (n < 0 || n > maxCopies) {
		err = v.Errorf(nil, "is %d (want 0 to %d)", n, maxCopies)
	}
	return int(n), err
}

// Copies returns the number of copies of a collective's bytes by the library, in addition to its
// schedule.
func (s *Collectives) Copies(c comm.Coll, ranks int, bytes uint64) int {
	a, _ := s.Of(c)
	return a.pick(ranks, bytes).Copies
}

// Begin returns the cycles to begin a collective with its algorithm.
func (s *Collectives) Begin(k clock.Clock, c comm.Coll, ranks int, bytes uint64) uint64 {
	a, _ := s.Of(c)
	return a.pick(ranks, bytes).Start.In(k, bytes)
}

// Pick returns the algorithm of a collective; with choices, the one for these ranks and bytes.
func (s *Collectives) Pick(c comm.Coll, ranks int, bytes uint64) *Algorithm {
	a, _ := s.Of(c)
	return a.pick(ranks, bytes)
}

// pick is the algorithm for a collective: the first of a choice whose limits it is within.
func (a *Algorithm) pick(ranks int, bytes uint64) *Algorithm {
	for i := range a.choices {
		if c := &a.choices[i]; c.fit(ranks, bytes) {
			return &c.Algorithm
		}
	}
	return a
}

// Scratch is the temporary memory of the algorithm, at most, as a multiple of a collective's
// bytes.
func (a *Algorithm) Scratch() float64 {
	n := collective.Scratch(a.Spec)
	for i := range a.choices {
		n = max(n, collective.Scratch(a.choices[i].Spec))
	}
	return n
}
