package spatial

import (
	"fmt"

	"github.com/causeway-sim/causeway/configs"
)

// outermost warns of a bandwidth of the outermost level if a memory node replaces that level.
func outermost(s *Spec, v configs.Value) (out []string) {
	if len(s.Levels) == 0 {
		return nil
	}
	l := &s.Levels[0]
	for _, x := range []struct {
		key  string
		none bool
	}{{"bandwidth", l.Shared.IsZero()}, {"read_bandwidth", l.Read.IsZero()}, {"write_bandwidth", l.Write.IsZero()}} {
		if !x.none {
			out = append(out, fmt.Sprintf("%s: levels.%s.%s has no effect: the outermost level is the memory at the port, whose own rate counts", v.Path(), l.Name, x.key))
		}
	}
	return out
}

// unsought warns of keys of search that are given together with a mapping.
func (c *Comp) unsought(v configs.Value) (out []string) {
	if c.in.Mapping == nil || c.spec.Search.Always || c.spec.MappingFile != "" || c.spec.InputFile != "" { // one that was found is given back
		return nil
	}
	for _, key := range []string{"algorithm", "objective", "evaluations"} {
		if v.Get("search").Get(key).Exists() {
			out = append(out, fmt.Sprintf("%s: search.%s has no effect: a mapping is given (search.always searches all the same)", v.Path(), key))
		}
	}
	return out
}

// Warnings implements system.Warner.
func (c *Comp) Warnings() []string { return c.warnings }

// Warnings implements system.Warner.
func (a *Alone) Warnings() []string { return a.counts.warnings }

// NoWorker implements system.Occupied.
func (c *Comp) NoWorker() string { return c.Name() + " has " + c.problem + " of its own" }

// NoWorker implements system.Occupied.
func (a *Alone) NoWorker() string { return a.counts.NoWorker() }
