package ranks

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/sarchlab/akita/v3/sim"

	"github.com/causeway-sim/causeway/components/registry"
	"github.com/causeway-sim/causeway/components/system"
	"github.com/causeway-sim/causeway/configs"
	"github.com/causeway-sim/causeway/workloads/comm"
	"github.com/causeway-sim/causeway/workloads/comm/motif"
	"github.com/causeway-sim/causeway/workloads/player/seat"
)

func init() {
	seat.Players.Add(registry.Entry[seat.NewPlayer]{
		Name: "ranks", Doc: "Plays a parallel program on nodes that are ranks themselves.",
		New: func(name string, e sim.Engine, p *comm.Program, s Seating) (seat.Player, error) {
			return Seated(name, e, p, s)
		},
	})
	system.Register(system.Kind[Spec]{
		Name:    "ranks",
		Doc:     "Plays a parallel program: computations, messages and collectives of many ranks, with their dependencies.",
		Source:  "matching, eager and rendezvous: MPI standard 4.0, section 3; times: Alexandrov et al., LogGP, SPAA 1995, without gap per message",
		Subject: system.OfPrograms, Headlines: headlines, Goal: goal, Levers: levers,
		Default: DefaultSpec(),
		Files:   []string{"trace"},
		New: func(env *system.Env, name string, s Spec, v configs.Value) (system.Node, error) {
			return build(env, name, s, v)
		},
	})
}

// build makes a node from its configuration.
func build(env *system.Env, name string, s Spec, v configs.Value) (system.Node, error) {
	at := func(keys ...string) configs.Value {
		for _, k := range keys {
			if x := v.Get(k); x.Exists() {
				return x
			}
		}
		return v
	}
	var errs configs.Errors
	if s.Format != "" {
		if _, ok := comm.All.Entry(s.Format); !ok {
			errs.Add(at("format").Errorf(comm.All.Names(), "unknown format %q", s.Format))
		}
	}
	errs.Add(s.NIC.Check(v.Get("nic")))
	errs.Add(s.Start.Check(v.Get("start")))
	errs.Add(s.Sum.Check(v.Get("sum")))
	errs.Add(s.Copy.Check(v.Get("copy")))
	errs.Add(s.Scratch.Check(v.Get("scratch")))
	if s.Rounding != Up && s.Rounding != Down {
		errs.Add(at("rounding").Errorf([]string{Up, Down}, "unknown rounding %q", s.Rounding))
	}
	switch {
	case s.Trace != "" && s.Pattern.Name != "":
		errs.Add(at("pattern").Errorf(nil, "there is a trace and a pattern; one of them must go"))
	case s.Pattern.Name != "" && s.Format != "":
		errs.Add(at("format").Errorf(nil, "has no effect on a pattern (used by: trace)"))
	}
	if s.Pattern.Name != "" && s.Ranks == 0 {
		errs.Add(at("pattern").Errorf(nil, "a pattern needs ranks: their number"))
	}
	if s.Ranks > comm.MaxRanks {
		errs.Add(at("ranks").Errorf(nil, "is %d (want at most %d)", s.Ranks, comm.MaxRanks))
	}
	if err := errs.Err(); err != nil {
		return nil, err
	}
	p, err := s.program(env, v)
	if err != nil {
		return nil, err
	}
	c, err := create(name, env.Engine, s, p, true)
	if err != nil {
		return nil, at("trace", "pattern").Errorf(nil, "%v", err)
	}
	c.fail = func(format string, args ...any) error {
		return at("ranks", "trace", "pattern").Errorf(nil, format, args...)
	}
	c.random, c.whole = func() *rand.Rand { return env.Rand(name) }, env.Whole
	if s.Pattern.Name != "" {
		c.named = v.Get("collectives").Keys()
	}
	c.own.collectives, c.own.placement = v.Get("collectives").Exists(), v.Get("placement").Exists()
	return c, nil
}

// program reads or makes the program; nil without a trace or a pattern, when it is the workload.
func (s *Spec) program(env *system.Env, v configs.Value) (*comm.Program, error) {
	switch {
	case s.Trace != "":
		path, err := env.File(v.Get("trace"))
		if err != nil {
			return nil, err
		}
		p, _, err := comm.Open(path, comm.Options{Format: s.Format, Ranks: s.Ranks})
		if err != nil {
			return nil, v.Place("trace").Errorf(nil, "%v", err)
		}
		return p, nil
	case s.Pattern.Name != "":
		p, err := motif.Make(s.Pattern.Name, s.Ranks, s.Pattern.Spec)
		if err != nil {
			return nil, v.Place("pattern").Errorf(nil, "%v", err)
		}
		return p, nil
	case s.Ranks > 0:
		return nil, v.Place("ranks").Errorf(nil, "has no effect without a trace or a pattern")
	}
	return nil, nil
}

// Warnings implements system.Warner: algorithms in the key collectives that the pattern does not
// use.
func (c *Comp) Warnings() []string {
	if len(c.named) == 0 || c.program == nil {
		return nil
	}
	var has []comm.Coll
	for i := range c.program.Ranks {
		p := &c.program.Ranks[i]
		for op := range p.Len() {
			switch o := p.Op(op); {
			case o.Kind != comm.Collective || slices.Contains(has, o.Coll):
			case slices.Contains(c.named, o.Coll.String()):
				return nil
			default:
				has = append(has, o.Coll)
			}
		}
	}
	goes := "it has no collectives"
	if len(has) > 0 {
		a, _ := c.spec.Collectives.Of(has[0])
		goes = fmt.Sprintf("its %s goes by %s", has[0], a.Name)
	}
	return []string{fmt.Sprintf("%s: collectives of %s have no effect on pattern %s: %s", c.Name(), strings.Join(c.named, ", "), c.spec.Pattern.Name, goes)}
}
