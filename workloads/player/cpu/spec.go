package cpu

import (
	"fmt"

	"github.com/causeway-sim/causeway/components/clock"
	"github.com/causeway-sim/causeway/components/energy"
	"github.com/causeway-sim/causeway/components/system"
	"github.com/causeway-sim/causeway/components/units"
	"github.com/causeway-sim/causeway/configs"
	"github.com/causeway-sim/causeway/memory"
	"github.com/causeway-sim/causeway/workloads/synthetic"
	"github.com/causeway-sim/causeway/workloads/trace"
)

// Spec holds the keys of a core: its parameters and its program.
type Spec struct {
	// Clock of the core.
	Clock units.Frequency `yaml:"clock" doc:"Clock of the core"`

	// Generate is the loop that the core runs; Trace a file of its loads and stores.
	Generate synthetic.Choice `yaml:"generate" doc:"Pattern by name, with its keys, whose accesses of the core with this node's number are carried out (causeway list generators); this or trace is needed"`
	Trace    string           `yaml:"trace" doc:"File of loads and stores in program order, compressed or not, in place of generate"`
	Format   string           `yaml:"format" doc:"Format of the trace; empty looks at the content (causeway list traces)"`
	// Bytes of a load or store.
	Bytes units.Bytes `yaml:"bytes" doc:"Most bytes of one load or store of generate, and those of an access whose size a trace does not say"`
	// Base is added to all addresses.
	Base units.Bytes `yaml:"base" doc:"Added to all addresses; 0B leaves them"`
	// Limit is the number of accesses that are simulated with time; 0: all.
	Limit uint64 `yaml:"limit" doc:"Accesses that are carried out; 0 is all"`
	// Until is when the core stops.
	Until units.Latency `yaml:"until" doc:"Time from which on no access begins; 0 is never"`
	// Skip is the time that metrics leave out.
	Skip units.Latency `yaml:"skip" doc:"Time at the beginning that the metrics leave out"`
	// Warm is how many accesses are done before the run at most.
	Warm uint64 `yaml:"warm" doc:"Accesses at most that caches and TLBs have seen before the run, in no time, until a pass misses as often as the one before; 0 is none"`

	// Width is how many instructions are dispatched in a cycle.
	Width int `yaml:"width" jsonschema:"minimum=1,maximum=64" doc:"Instructions dispatched per cycle"`
	// Instructions of the program for each access.
	Instructions int `yaml:"instructions" jsonschema:"minimum=1,maximum=65536" doc:"Instructions of the program per load or store, itself included; a trace whose times are instructions tells them itself"`
	// Window is how many instructions may be under way.
	Window int `yaml:"window" jsonschema:"minimum=1,maximum=65536" doc:"Instructions under way, from the oldest that is not done: reorder buffer"`
	// Loads and Stores that may be under way.
	Loads  int `yaml:"loads" jsonschema:"minimum=1,maximum=65536" doc:"Loads under way: load queue"`
	Stores int `yaml:"stores" jsonschema:"minimum=1,maximum=65536" doc:"Stores that are not answered: store buffer. They do not hold the window up"`
	// Ports is how many accesses begin in a cycle.
	Ports int `yaml:"ports" jsonschema:"minimum=1,maximum=64" doc:"Loads and stores that are sent per cycle"`
	// Chains makes accesses wait for each other.
	Chains int `yaml:"chains" jsonschema:"minimum=0,maximum=65536" doc:"Chains of dependent accesses: each waits for the answer of the one so many before it; 1 is a pointer chase, 0 are independent accesses"`
	// Pause is the delay that a load generator injects.
	Pause Pause `yaml:"pause" doc:"Delay between groups of accesses, as a loaded-latency test injects it"`
	// StoreMode is allocate or non_temporal.
	StoreMode string `yaml:"store" jsonschema:"enum=allocate,enum=non_temporal" doc:"Stores bring their line into the caches, or pass those by that do not have it"`

	// Page is the page size; Scatter is the memory over which pages are scattered.
	Page    units.Bytes `yaml:"page" doc:"Bytes of a page, a power of two"`
	Scatter units.Bytes `yaml:"scatter" doc:"Memory, from base on, over which pages are scattered at random; 0B leaves addresses as they are"`
	// TLB translates addresses.
	TLB TLB `yaml:"tlb" doc:"Translation of addresses, in two levels and by walks of a page table in memory"`

	Energy energy.Core `yaml:"energy" doc:"Energy of the core: its instructions, and its power at rest"`

	// Seed of the scattering; in a configuration simulation.seed.
	Seed uint64 `yaml:"-"`
}

// A Pause is a delay after each group of accesses.
type Pause struct {
	After int           `yaml:"after" jsonschema:"minimum=1,maximum=65536" doc:"Accesses of a group"`
	Time  units.Latency `yaml:"time" doc:"Time from the last access of a group to the first of the next"`
}

// A TLB holds the keys of address translation.
type TLB struct {
	Entries int         `yaml:"entries" jsonschema:"minimum=0,maximum=1048576" doc:"Pages of the first level, which costs no time; 0: translations cost nothing"`
	Ways    int         `yaml:"ways" jsonschema:"minimum=0,maximum=1048576" doc:"Ways of its sets; 0 is fully associative"`
	Second  SecondLevel `yaml:"second" doc:"The level after it"`
	Walk    Walk        `yaml:"walk" doc:"What is in neither level is read from the page table in memory, by way of the caches"`
}

// A SecondLevel is the second-level TLB.
type SecondLevel struct {
	Entries int           `yaml:"entries" jsonschema:"minimum=0,maximum=1048576" doc:"Pages; 0: there is none"`
	Ways    int           `yaml:"ways" jsonschema:"minimum=0,maximum=1048576" doc:"Ways of its sets; 0 is fully associative"`
	Latency units.Latency `yaml:"latency" doc:"Time that a look into it takes"`
}

// A Walk holds the keys of page-table walks.
type Walk struct {
	Levels  int           `yaml:"levels" jsonschema:"minimum=1,maximum=6" doc:"Levels of the page table, each one dependent read; an entry is 8 bytes, a table 512 of them"`
	Entries int           `yaml:"entries" jsonschema:"minimum=0,maximum=65536" doc:"Entries of each level above the last that a walk finds without a read; 0: none"`
	Latency units.Latency `yaml:"latency" doc:"Time of a walk in addition to its reads"`
	Walkers int           `yaml:"walkers" jsonschema:"minimum=1,maximum=64" doc:"Walks at a time"`
	Table   units.Bytes   `yaml:"table" doc:"Address of the page table; 0B is after all that the pattern touches"`
}

// DefaultSpec is a core of middling size without TLB.
//
// Source: widths and queues of Skylake, Intel 64 and IA-32 Architectures Optimization
// Reference Manual, section 2.5 (allocation 4, reorder buffer 224, 72 loads, 56 stores).
func DefaultSpec() Spec {
	return Spec{
		Clock: units.Frequency{Clock: clock.Hz(2e9)}, Bytes: 8,
		Width: 4, Instructions: 1, Window: 224, Loads: 72, Stores: 56, Ports: 2, StoreMode: "allocate",
		Pause: Pause{After: 1}, Page: 4 << 10,
		TLB:    TLB{Walk: Walk{Levels: 4, Walkers: 1}},
		Energy: energy.Core{Process: energy.DefaultProcess},
	}
}

// StoreModes are the values of StoreMode.
var StoreModes = []string{"allocate", "non_temporal"}

func init() {
	system.Register(system.Kind[Spec]{
		Name:    "cpu",
		Doc:     "The memory side of a processor core: issue width, window, load and store queues, chains of dependent loads, TLB; runs a pattern or a trace through the caches below it.",
		Source:  "Karkhanis and Smith, A first-order superscalar processor model, ISCA 2004 (window); McVoy and Staelin, lmbench, USENIX 1996 (chains); see go doc workloads/player/cpu",
		Subject: system.OfPrograms, Headlines: headlines, Goal: goal, Levers: levers,
		Default: DefaultSpec(),
		Files:   []string{"trace"},
		New: func(env *system.Env, name string, s Spec, v configs.Value) (system.Node, error) {
			var errs configs.Errors
			errs.Add(s.check(v.Place))
			if x := v.Get("format"); x.Exists() && s.Generate.Layer() != nil {
				errs.Add(x.Errorf(nil, "has no effect on what is generated (used by: trace)"))
			}
			s.checkIdle(v, &errs)
			if x := v.Get("trace"); x.Exists() && s.Trace != "" {
				path, err := env.File(x)
				errs.Add(err)
				s.Trace = path
			}
			if err := errs.Err(); err != nil {
				return nil, err
			}
			s.Seed = env.Seed
			c, err := New(name, env.Engine, s)
			if err != nil {
				key := "trace"
				if s.Trace == "" {
					key = "generate"
				}
				return nil, v.Place(key).Errorf(nil, "%v", err)
			}
			return c, c.checkCounted(v)
		},
	})
}

// maxAddress bounds offsets of addresses, so that sums stay below 2^64.
const maxAddress = 1 << 62

// check reports every value that makes no sense.
func (s *Spec) check(at func(key string) configs.Value) error {
	var errs configs.Errors
	s.checkProgram(at, &errs)
	s.checkCore(at, &errs)
	return errs.Err()
}

// checkProgram returns errors of the keys of the program and its addresses.
func (s *Spec) checkProgram(at func(key string) configs.Value, errs *configs.Errors) {
	bad := func(key, format string, args ...any) { errs.Add(at(key).Errorf(nil, format, args...)) }
	switch {
	case s.Trace == "" && s.Generate.Layer() == nil:
		bad("generate", "there is nothing to run (want generate or trace)")
	case s.Trace != "" && s.Generate.Layer() != nil:
		bad("generate", "there is a trace and a pattern; one of them must go (null takes a key away)")
	}
	if s.Format != "" {
		if _, ok := trace.All.Entry(s.Format); !ok {
			errs.Add(at("format").Errorf(trace.All.Names(), "unknown trace format %q", s.Format))
		}
	}
	if s.Bytes < 1 || s.Bytes > memory.MaxBurst {
		bad("bytes", "is %s (want 1B to %s)", s.Bytes, units.Bytes(memory.MaxBurst))
	}
	if s.Base > maxAddress {
		bad("base", "is %s (want at most %s)", s.Base, units.Bytes(maxAddress))
	}
	if !s.Until.IsZero() && s.Skip.In(s.Clock.Clock) >= s.Until.In(s.Clock.Clock) {
		bad("skip", "is %s, and the core stops at %s: nothing is left to measure", s.Skip, s.Until)
	}
}

// checkCore returns errors of the keys of the core and its translation.
func (s *Spec) checkCore(at func(key string) configs.Value, errs *configs.Errors) {
	bad := func(key, format string, args ...any) { errs.Add(at(key).Errorf(nil, format, args...)) }
	if s.TLB.Walk.Table > maxAddress {
		bad("tlb", "walk: table is %s (want at most %s)", s.TLB.Walk.Table, units.Bytes(maxAddress))
	}
	if s.TLB.Walk.Table%entryBytes != 0 {
		bad("tlb", "walk: table is %s (want a multiple of %s, the size of an entry)", s.TLB.Walk.Table, units.Bytes(entryBytes))
	}
	if s.StoreMode != StoreModes[0] && s.StoreMode != StoreModes[1] {
		errs.Add(at("store").Errorf(StoreModes, "unknown mode %q", s.StoreMode))
	}
	if s.Page < 512 || s.Page > 1<<40 || s.Page&(s.Page-1) != 0 {
		bad("page", "is %s (want a power of two from 512B to 1TiB)", s.Page)
	} else if s.Scatter%s.Page != 0 || s.Scatter/s.Page > maxFrames {
		bad("scatter", "is %s in pages of %s (want a multiple, at most %d pages)", s.Scatter, s.Page, uint64(maxFrames))
	}
	for _, n := range []struct {
		key string
		n   int
	}{{"width", s.Width}, {"instructions", s.Instructions}, {"window", s.Window}, {"loads", s.Loads}, {"stores", s.Stores}, {"ports", s.Ports}, {"pause", s.Pause.After}} {
		if n.n < 1 {
			bad(n.key, "is %d (want 1 or more)", n.n)
		}
	}
	s.TLB.check(func(format string, args ...any) { bad("tlb", format, args...) })
}

// check reports a number of sets that is not whole, a second level without a first, and
// walks without levels or walkers.
func (t *TLB) check(bad func(format string, args ...any)) {
	for _, l := range []struct {
		what          string
		entries, ways int
	}{{"entries", t.Entries, t.Ways}, {"second: entries", t.Second.Entries, t.Second.Ways}} {
		if l.ways > 0 && l.entries%l.ways != 0 {
			bad("%s is %d, no whole number of sets of %d ways", l.what, l.entries, l.ways)
		}
	}
	if t.Entries == 0 && t.Second.Entries > 0 {
		bad("a second level without a first (want entries of the first)")
	}
	if t.Walk.Levels < 1 || t.Walk.Walkers < 1 {
		bad("%d levels, %d walkers (want 1 or more of each)", t.Walk.Levels, t.Walk.Walkers)
	}
}

// covers reports whether everything in [base, base+size) has a home.
func covers(m *memory.Map, base, size uint64) error {
	for at := base; at-base < size; {
		_, _, run, ok := m.Find(at)
		if !ok {
			return fmt.Errorf("address %#x has no home", at)
		}
		if at += run; at == 0 { // the end of all addresses
			break
		}
	}
	return nil
}
