package hosts

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/causeway-sim/causeway/components/clock"
	"github.com/causeway-sim/causeway/components/system"
	"github.com/causeway-sim/causeway/components/units"
	"github.com/causeway-sim/causeway/configs"
	"github.com/causeway-sim/causeway/memory"
	"github.com/causeway-sim/causeway/workloads/trace"
)

// Spec holds the keys of hosts.
type Spec struct {
	// Trace is the file of requests; %d is the host's number.
	Trace string `yaml:"trace" jsonschema:"required" doc:"Files of requests, with %d in the place of the host's number from 0 on, or one file for all"`
	// Format of the files, a name of trace.All; empty looks at the content.
	Format string `yaml:"format" doc:"Format of the traces (causeway list traces), or chakra or chakra_json: the nodes of memory and computation of each rank; empty looks at the content for traces"`
	// Hosts that play; 0 is one per file.
	Hosts int `yaml:"hosts" jsonschema:"minimum=0,maximum=1024" doc:"Hosts; 0 is one per file, more take the files in turns at other addresses"`
	// Stride moves the addresses of each turn; 0 is the span of the files.
	Stride units.Bytes `yaml:"stride" doc:"By what each turn of files moves the addresses; 0B is the span of all files"`
	// Base is added to all addresses.
	Base units.Bytes `yaml:"base" doc:"Added to the addresses of the traces"`
	// Packet is the size into which requests are cut.
	Packet units.Bytes `yaml:"packet" doc:"Size of the packets that requests are cut into, a multiple of 64B"`
	// Cut is one of Cuts.
	Cut string `yaml:"cut" jsonschema:"enum=line,enum=start" doc:"Where packets begin: line at multiples of 64 B by address, start at multiples of the packet from the request's own start"`
	// Outstanding packets of a host.
	Outstanding int `yaml:"outstanding" jsonschema:"minimum=1,maximum=65536" doc:"Packets of a host under way, posted writes not counted"`
	// Posted writes take no place among the outstanding.
	Posted bool `yaml:"posted" doc:"Writes take no place among the outstanding packets"`
	// Overhead of the host's thread for each packet.
	Overhead units.Latency `yaml:"overhead" doc:"Time of the host's thread for each packet, one after the other"`
	// Sync makes reads wait for the writes of the same packet.
	Sync bool `yaml:"sync" doc:"A read of a packet waits for its write, by whatever host"`
	// Computing plays the times of the trace.
	Computing bool `yaml:"computing" doc:"Play the delta times of the trace; false leaves them out"`
	// Limit is how many requests of each host are played; 0: all.
	Limit int `yaml:"limit" jsonschema:"minimum=0" doc:"Requests of each host that are played; 0 is all"`
}

// Cuts are the values of Cut.
var Cuts = []string{"line", "start"}

// DefaultSpec has packets of 1 KiB.
//
// Source: TSim4CXL's packet size. assumption: 64 packets, 64 KiB, under way.
func DefaultSpec() Spec {
	return Spec{Packet: 1024, Cut: "line", Outstanding: 64, Sync: true, Computing: true}
}

// fine is the clock of the node: picoseconds.
var fine = clock.Hz(1e12)

// check checks what the types do not.
func (s *Spec) check(at func(key string) configs.Value) error {
	var errs configs.Errors
	if s.Trace == "" {
		errs.Add(at("trace").Errorf(nil, "there is no trace"))
	}
	if s.Format != "" {
		if _, ok := trace.All.Entry(s.Format); !ok && !slices.Contains(graphs, s.Format) {
			errs.Add(at("format").Errorf(append(trace.All.Names(), graphs...), "unknown trace format %q", s.Format))
		}
	}
	if s.Packet < line || s.Packet > memory.MaxBurst || s.Packet%line != 0 {
		errs.Add(at("packet").Errorf(nil, "is %s (want a multiple of 64B, at most %s)", s.Packet, units.Bytes(memory.MaxBurst)))
	}
	if s.Stride > 1<<62 {
		errs.Add(at("stride").Errorf(nil, "is %s (want at most %s)", s.Stride, units.Bytes(1<<62)))
	}
	if s.Cut != Cuts[0] && s.Cut != Cuts[1] {
		errs.Add(at("cut").Errorf(Cuts, "unknown cut %q", s.Cut))
	}
	if s.Outstanding < 1 {
		errs.Add(at("outstanding").Errorf(nil, "is %d (want 1 or more)", s.Outstanding))
	}
	if l := s.Overhead; !l.IsZero() && l != units.InTime(units.Time(l.In(fine))*units.Picosecond) {
		errs.Add(at("overhead").Errorf(nil, "latency %s is in cycles, but there is no clock", l))
	}
	return errs.Err()
}

func init() {
	system.Register(system.Kind[Spec]{
		Name:    "hosts",
		Doc:     "Plays traces of hosts that compute, write and read a shared memory, with waits for each other's writes.",
		Source:  "TSim4CXL (Euro-Par 2025), its host process and trace files",
		Subject: system.OfPrograms, Headlines: headlines, Goal: goal, Levers: levers,
		Default: DefaultSpec(),
		New: func(env *system.Env, name string, s Spec, v configs.Value) (system.Node, error) {
			if err := s.check(v.Place); err != nil {
				return nil, err
			}
			path, err := env.File(v.Get("trace"))
			if err != nil {
				return nil, err
			}
			s.Trace = path
			programs, err := Read(s)
			if s, ok := errors.AsType[*strideError](err); ok {
				return nil, v.Place("stride").Errorf(nil, "%s", s.text)
			}
			if err != nil {
				return nil, v.Place("trace").Errorf(nil, "%v", err)
			}
			return New(name, env.Engine, s, programs), nil
		},
	})
}

// path is the file of a number.
func (s *Spec) path(n int) string { return strings.ReplaceAll(s.Trace, "%d", fmt.Sprint(n)) }
