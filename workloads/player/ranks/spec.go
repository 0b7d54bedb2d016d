package ranks

import (
	"github.com/causeway-sim/causeway/components/clock"
	"github.com/causeway-sim/causeway/components/units"
	"github.com/causeway-sim/causeway/configs"
	"github.com/causeway-sim/causeway/configs/schema"
	"github.com/causeway-sim/causeway/workloads/comm/motif"
	"github.com/causeway-sim/causeway/workloads/player/ranks/placement"
	"github.com/causeway-sim/causeway/workloads/player/seat"
)

// Spec holds the keys of ranks.
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
	// Collectives has the algorithm of each collective.
	Collectives Collectives `yaml:"collectives" doc:"Algorithm of each collective, by name with its parameters (causeway list collectives)"`
	// Clock of the ranks: times are rounded up to its cycles.
	Clock units.Frequency `yaml:"clock" doc:"Clock of the ranks; times are rounded up to its cycles"`
	NIC   NIC             `yaml:"nic" doc:"Network interface of each rank"`
	// Scale multiplies computation times.
	Scale float64 `yaml:"scale" jsonschema:"minimum=0" doc:"Factor on all times of computation; 0 leaves them out"`
	// Compute and Memory are for operations without a time in the program.
	Compute units.FLOPS     `yaml:"compute" doc:"Rate of computations whose operations the trace counts and whose time it does not know; 0FLOP/s refuses such traces"`
	Memory  units.Bandwidth `yaml:"memory" doc:"Bandwidth of a rank's memory: for loads, stores and computations without a time, and for the sums of collectives; 0B/s takes no time"`
	// Start is the time that a rank needs to begin a collective, by its bytes.
	Start seat.Curve `yaml:"start" doc:"Time that a rank needs to begin a collective, by the collective's bytes: a list of bytes and time, linear between and beyond; those of the library and of a kernel's launch"`
	// Scratch is the time of memory that a library takes for a collective.
	Scratch seat.Curve `yaml:"scratch" doc:"Time that the memory costs which a library takes for a collective and gives back after it (scratch of its algorithm), by its bytes: pages that are touched for the first time and made known to the interface. A list as of start, to which it adds"`
	// Sum is the time of a sum, by its bytes, in place of three passes over Memory.
	Sum seat.Curve `yaml:"sum" doc:"Time in which a collective adds up so many bytes, in place of memory: a list of bytes and time, linear between and beyond"`
	// Copy is the time of a copy, by its bytes, in place of two passes over Memory.
	Copy seat.Curve `yaml:"copy" doc:"Time in which a collective copies so many bytes, in place of memory: a list as of start; copies of an algorithm says how often its library does besides the schedule"`
	// Stragglers are ranks that are slow, late, or fail.
	Stragglers []Straggler `yaml:"stragglers" doc:"Ranks that are slow (scale), late, or that fail: a list of rank with one of these or several"`
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

// DefaultSpec has an interface without limits and overhead.
func DefaultSpec() Spec {
	return Spec{
		Placement: placement.Linear, Clock: units.Frequency{Clock: clock.GHz}, Scale: 1,
		Collectives: seat.DefaultCollectives(),
		Rounding:    Up,
		NIC:         seat.DefaultNIC(),
	}
}

// A Pattern is a name in motif.All and its parameters.
type Pattern struct {
	Name string
	Spec any
}

// String is the name.
func (p Pattern) String() string { return p.Name }

// UnmarshalConfig implements configs.Unmarshaler.
func (p *Pattern) UnmarshalConfig(v configs.Value) error {
	name, err := v.Choice("pattern", motif.All.Names())
	if err != nil {
		return err
	}
	e, _ := motif.All.Entry(name)
	spec, err := v.Parameters(e.Spec)
	*p = Pattern{name, spec}
	return err
}

func init() {
	schema.Register[Pattern](schema.Schema{
		"anyOf": []any{schema.Schema{"type": "object"}, schema.Schema{"type": "string"}},
		"title": "a pattern of communication: its name and parameters", "examples": []any{"halo3d"},
	})
}
