package ranks

import (
	"math/rand/v2"

	"github.com/sarchlab/akita/v3/sim"

	"github.com/causeway-sim/causeway/components/clock"
	"github.com/causeway-sim/causeway/components/registry"
	"github.com/causeway-sim/causeway/components/system"
	"github.com/causeway-sim/causeway/components/units"
	"github.com/causeway-sim/causeway/configs"
	"github.com/causeway-sim/causeway/workloads/comm"
	"github.com/causeway-sim/causeway/workloads/player/seat"
)

// Spec says what ranks do, and what they are like.
type Spec struct {
	// Trace is the file or files of the program; %d stands for the rank.
	Trace string `yaml:"trace" doc:"File of a program, or of its ranks with %d in the place of the number; also a tar archive (causeway list communications)"`
	// Format is a name in comm.All; empty looks at the content.
	Format string `yaml:"format" doc:"Format of the trace; empty looks at the content"`
	// Pattern makes a program instead of reading one.
	Pattern Pattern `yaml:"pattern" doc:"Pattern by name with its parameters, instead of a trace (causeway list motifs)"`
	// Ranks is how many there are; 0 is as many as the trace has.
	Ranks int `yaml:"ranks" jsonschema:"minimum=0" doc:"Number of ranks: of a pattern, and to be checked of a trace; 0 is as many as the trace has"`
	// Placement is one of PlacementNames.
	Placement string `yaml:"placement" jsonschema:"enum=linear,enum=random,enum=router,enum=group,enum=spread" doc:"Terminals of consecutive ranks: linear in order, random any, router and group each with consecutive ranks but in random order, spread over the groups in turn"`
	// Collectives are carried out by these algorithms.
	Collectives Collectives `yaml:"collectives" doc:"Algorithm of each collective, by name with its parameters (causeway list collectives)"`
	// Clock of the ranks: times are rounded up to its cycles.
	Clock units.Frequency `yaml:"clock" doc:"Clock of the ranks; times are rounded up to its cycles"`
	NIC   NIC             `yaml:"nic" doc:"Network interface of each rank"`
	// Scale multiplies computation times.
	Scale float64 `yaml:"scale" jsonschema:"minimum=0" doc:"Factor on all times of computation; 0 leaves them out"`
	// Compute and Memory are for operations whose time the program does not say.
	Compute units.FLOPS     `yaml:"compute" doc:"Rate of computations whose operations the trace counts and whose time it does not know; 0FLOP/s refuses such traces"`
	Memory  units.Bandwidth `yaml:"memory" doc:"Bandwidth of a rank's memory: for loads, stores and computations without a time, and for the sums of collectives; 0B/s takes no time"`
	// Rounding is Up or Down.
	Rounding string `yaml:"rounding" jsonschema:"enum=up,enum=down" doc:"Sums and copies of collectives: up rounds their time over memory up to cycles; down rounds each pass over the data down"`
}

// The values of Rounding. A sum takes three passes over its bytes, a copy two.
const (
	Up   = "up"
	Down = "down" // as ASTRA-sim 2.0 does
)

// What ranks have in common with seats.
type (
	NIC         = seat.NIC
	Collectives = seat.Collectives
	Algorithm   = seat.Algorithm
	Seating     = seat.Seating
)

// DefaultSpec has an interface that costs nothing.
func DefaultSpec() Spec {
	return Spec{
		Placement: Linear, Clock: units.Frequency{Clock: clock.GHz}, Scale: 1,
		Collectives: seat.DefaultCollectives(),
		Rounding:    Up,
		NIC:         seat.DefaultNIC(),
	}
}

// A Pattern is a name in comm.Patterns and its parameters.
type Pattern struct {
	Name string
	Spec any
}

// String is the name.
func (p Pattern) String() string { return p.Name }

// UnmarshalConfig implements configs.Unmarshaler.
func (p *Pattern) UnmarshalConfig(v configs.Value) error {
	name, err := v.Choice("pattern", comm.Patterns.Names())
	if err != nil {
		return err
	}
	e, _ := comm.Patterns.Entry(name)
	spec, err := v.Parameters(e.Spec)
	*p = Pattern{name, spec}
	return err
}

func init() {
	configs.RegisterSchema[Pattern](configs.Schema{
		"anyOf": []any{configs.Schema{"type": "object"}, configs.Schema{"type": "string"}},
		"title": "a pattern of communication: its name and parameters", "examples": []any{"halo3d"},
	})
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
	var p *comm.Program
	var err error
	switch {
	case s.Trace == "" && s.Pattern.Name == "": // it comes as the workload
		if s.Ranks > 0 {
			return nil, at("ranks").Errorf(nil, "has no effect without a trace or a pattern")
		}
	case s.Trace != "":
		path, e := env.File(v.Get("trace"))
		if e != nil {
			return nil, e
		}
		p, _, err = comm.Open(path, comm.Options{Format: s.Format, Ranks: s.Ranks})
		if err != nil {
			return nil, at("trace").Errorf(nil, "%v", err)
		}
	default:
		if p, err = comm.Make(s.Pattern.Name, s.Ranks, s.Pattern.Spec); err != nil {
			return nil, at("pattern").Errorf(nil, "%v", err)
		}
	}
	c, err := New(name, env.Engine, s, p)
	if err != nil {
		return nil, at("trace", "pattern").Errorf(nil, "%v", err)
	}
	c.fail = func(format string, args ...any) error {
		return at("ranks", "trace", "pattern").Errorf(nil, format, args...)
	}
	c.random = func() *rand.Rand { return env.Rand(name) }
	c.own.collectives, c.own.placement = v.Get("collectives").Exists(), v.Get("placement").Exists()
	return c, nil
}
