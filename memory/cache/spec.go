package cache

import (
	"math/bits"

	"github.com/causeway-sim/causeway/components/clock"
	"github.com/causeway-sim/causeway/components/energy"
	"github.com/causeway-sim/causeway/components/units"
	"github.com/causeway-sim/causeway/configs"
	"github.com/causeway-sim/causeway/memory/cache/flush"
	"github.com/causeway-sim/causeway/memory/cache/prefetch"
	"github.com/causeway-sim/causeway/memory/cache/region"
	"github.com/causeway-sim/causeway/memory/cache/tagstore"
	"github.com/causeway-sim/causeway/memory/policy"
)

// What parts of a Spec say is described in their packages.
type (
	Flush    = flush.Spec
	Prefetch = prefetch.Choice
	Region   = region.Region
)

// A Spec says which lines a cache can hold, and which it does: what both
// fidelities have in common.
type Spec struct {
	// Size is the capacity.
	Size units.Bytes `yaml:"size" doc:"Capacity"`
	// Ways of every set.
	Ways int `yaml:"ways" jsonschema:"minimum=1,maximum=65535" doc:"Lines of a set"`
	// Line is the bytes of a line, a power of two.
	Line units.Bytes `yaml:"line" doc:"Bytes of a line, a power of two"`
	// Sectors of a line, which are brought and written back one by one.
	Sectors int `yaml:"sectors" jsonschema:"enum=1,enum=2,enum=4,enum=8" doc:"Parts of a line that are brought and written back one by one"`
	// Slices share the sets.
	Slices int `yaml:"slices" jsonschema:"minimum=1,maximum=1024" doc:"Slices that the sets are divided over; lines go to them by hash"`
	// Hash chooses the slice of a line.
	Hash string `yaml:"hash" jsonschema:"enum=linear,enum=xor,enum=ipoly" doc:"How a line finds its slice: its lowest bits, all bits folded, or by an irreducible polynomial"`
	// Clock of the cache.
	Clock units.Frequency `yaml:"clock" doc:"Clock of the cache"`
	// Policy decides which line goes.
	Policy Choice `yaml:"policy" doc:"Replacement policy by name, with its keys (causeway list policies)"`
	// Seed of policies that draw; in a configuration simulation.seed.
	Seed uint64 `yaml:"-"`
	// Write says what writes do.
	Write string `yaml:"write" jsonschema:"enum=back,enum=through,enum=around" doc:"Writes stay until their line is evicted, or go below at once as well, or go below and leave no new line"`
	// Inclusion says what the cache holds of what caches above it hold.
	Inclusion string `yaml:"inclusion" jsonschema:"enum=none,enum=inclusive,enum=exclusive" doc:"What it holds of what caches above it hold: anything; all, so that they lose what it gives up; or none, so that lines move up when they hit and come back when they go above"`
	// Burst is the most bytes that one request below has.
	Burst units.Bytes `yaml:"burst" doc:"Most bytes of one request below; lines that miss side by side share one"`
	// Regions treat some accesses apart.
	Regions []Region `yaml:"regions" doc:"Accesses that are treated apart; the first region that fits counts"`
	// Prefetch brings lines before they are asked for.
	Prefetch Prefetch `yaml:"prefetch" doc:"Lines brought before they are asked for: a prefetcher by name, with its keys (causeway list prefetchers)"`
	// Flush cleans or empties the cache.
	Flush Flush `yaml:"flush" doc:"Lines written back, or dropped, at the end of the run or at a time"`
	// ReuseDistance measures how many lines come between two accesses to one.
	ReuseDistance bool `yaml:"reuse_distance" doc:"Measure how many other lines are accessed between two accesses to a line"`
	// Hindsight counts the misses of LRU and OPT.
	Hindsight bool `yaml:"hindsight" doc:"Count what LRU, and OPT that knows the future, would have missed of the same accesses; 8 bytes of memory for each"`
	// Functional caches carry the bytes of their lines.
	Functional bool `yaml:"functional" doc:"Carry the bytes of requests, for programs that need them; the memories below have to as well"`
	// Energy of the data array.
	Energy Energy `yaml:"energy" doc:"Energy of the data array per byte, by the figures of a process"`
	// Detail counts accesses apart.
	Detail []string `yaml:"detail" jsonschema:"enum=kind,enum=tensor,enum=core,enum=slice" doc:"Count accesses apart by the kind of their tensor, by tensor, core or slice"`
}

// DefaultSpec is 1 MiB of 16 ways with LRU.
func DefaultSpec() Spec {
	return Spec{
		Size: 1 << 20, Ways: 16, Line: 64, Sectors: 1, Slices: 1, Hash: "linear",
		Clock: units.Frequency{Clock: clock.GHz}, Policy: Choice{Name: "lru"}, Write: "back", Inclusion: "none", Burst: 4 << 10,
		Prefetch: prefetch.Named("none", nil), Flush: Flush{Op: "none"},
		Energy: Energy{Process: energy.DefaultProcess},
	}
}

// check reports every value that makes no sense. at finds what a key says.
func (s *Spec) check(at func(key string) configs.Value) error {
	var errs configs.Errors
	power := func(key string, b, least, most units.Bytes) bool {
		if b < least || b > most || bits.OnesCount64(uint64(b)) != 1 {
			errs.Add(at(key).Errorf(nil, "is %s (want a power of two from %s to %s)", b, least, most))
			return false
		}
		return true
	}
	atLeastOne(at, &errs, count{"ways", s.Ways}, count{"slices", s.Slices}, count{"sectors", s.Sectors})
	if s.Sectors > 8 || bits.OnesCount(uint(s.Sectors)) != 1 {
		errs.Add(at("sectors").Errorf(nil, "is %d (want 1, 2, 4 or 8)", s.Sectors))
	}
	if len(errs) == 0 && power("line", s.Line, 1, 64<<10) {
		row := uint64(s.Line) * uint64(s.Ways) * uint64(s.Slices)
		if s.Size == 0 || uint64(s.Size)%row != 0 {
			errs.Add(at("size").Errorf(nil, "is %s: no whole number of sets (%d ways of %s in %d slices want a multiple of %s)", s.Size, s.Ways, s.Line, s.Slices, units.Bytes(row)))
		} else if uint64(s.Size)/uint64(s.Line) > maxLines {
			errs.Add(at("size").Errorf(nil, "is %s: %d lines (want at most %d)", s.Size, s.Size/s.Line, maxLines))
		}
		if s.Sectors > int(s.Line) {
			errs.Add(at("sectors").Errorf(nil, "%d sectors in a line of %s", s.Sectors, s.Line))
		}
		power("burst", s.Burst, s.Line, 1<<20)
	}
	s.checkInclusion(at, &errs)
	s.checkHindsight(at, &errs)
	errs.Add(s.Flush.Check(at("flush")))
	if _, _, err := s.Energy.perByte(0); err != nil {
		errs.Add(at("energy").Errorf(nil, "%s", err))
	}
	region.List(s.Regions).Check(s.Ways, at("regions"), &errs)
	return errs.Err()
}

// checkHindsight reports what the policies that hindsight plays know nothing of.
func (s *Spec) checkHindsight(at func(key string) configs.Value, errs *configs.Errors) {
	if !s.Hindsight {
		return
	}
	for _, x := range []struct {
		key, want string
		bad       bool
	}{
		{"sectors", "lines of one sector", s.Sectors > 1},
		{"write", "write: back", s.Write != "back"},
		{"prefetch", "no prefetch", s.Prefetch.On()},
		{"regions", "no regions", len(s.Regions) > 0},
		{"inclusion", "inclusion: none", s.Inclusion != "none" && s.Inclusion != ""},
	} {
		if x.bad {
			errs.Add(at(x.key).Errorf(nil, "hindsight plays the accesses of a cache with %s", x.want))
		}
	}
}

// A count is a number under a key.
type count struct {
	key string
	n   int
}

// atLeastOne reports numbers below 1. Configurations are checked by their schema;
// programs are not.
func atLeastOne(at func(key string) configs.Value, errs *configs.Errors, counts ...count) {
	for _, c := range counts {
		if c.n < 1 {
			errs.Add(at(c.key).Errorf(nil, "%s is %d (want 1 or more)", c.key, c.n))
		}
	}
}

// maxLines bounds the memory that a cache takes in the simulator: some 20 B per
// line.
const maxLines = 1 << 28

// newCore makes the state of the cache.
func (s *Spec) newCore(at func(key string) configs.Value) (*tagstore.Store, error) {
	sets := int(uint64(s.Size) / uint64(s.Line) / uint64(s.Ways) / uint64(s.Slices))
	index, err := tagstore.NewIndex(sets, s.Slices, s.Hash)
	if err != nil {
		return nil, at("hash").Errorf(nil, "%s", err)
	}
	p, err := s.newPolicy(index.Sets(), s.Ways)
	if err != nil {
		return nil, at("policy").Errorf(nil, "%s", err)
	}
	c := tagstore.New(index, s.Ways, p)
	c.Sectors(s.Sectors)
	c.CountUnused()
	if err := region.List(s.Regions).Partition(c, func(n int) (policy.Policy, error) { return s.newPolicy(c.Sets(), n) }); err != nil {
		return nil, at("policy").Errorf(nil, "%s", err)
	}
	if s.Prefetch.On() {
		if _, ok := p.(policy.NextUsePolicy); ok {
			return nil, at("prefetch").Errorf(nil, "policy %s has no use for lines whose next use is not known", s.Policy.Name)
		}
		c.Prefetches()
	}
	return c, nil
}

func (s *Spec) newPolicy(sets, ways int) (policy.Policy, error) {
	return s.Policy.make(policy.Geometry{Sets: sets, Ways: ways, Slices: s.Slices, Line: int(s.Line), Seed: s.Seed})
}
