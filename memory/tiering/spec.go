package tiering

import (
	"math/bits"

	"github.com/causeway-sim/causeway/components/clock"
	"github.com/causeway-sim/causeway/components/system"
	"github.com/causeway-sim/causeway/components/units"
	"github.com/causeway-sim/causeway/configs"
	"github.com/causeway-sim/causeway/memory/tiering/placement"
)

// A Spec is the configuration of kind tiering. Units are in the values.
type Spec struct {
	Clock units.Frequency `yaml:"clock" doc:"Clock of the node"`
	Tiers int             `yaml:"tiers" jsonschema:"minimum=1,maximum=8" doc:"Number of tiers, each with a port bottom[i]; bottom[0] is the default tier"`
	Page  units.Bytes     `yaml:"page" doc:"Size of a page, a power of two"`
	// Capacity is the bytes of frames of each tier; tiers without one use all of their addresses.
	Capacity []units.Bytes    `yaml:"capacity" doc:"Bytes of each tier that pages may use, from its lowest address on; by default all"`
	Policy   placement.Choice `yaml:"policy" doc:"Placement policy by name, with its keys"`
	Interval units.Latency    `yaml:"interval" doc:"Time between two decisions of the policy"`
	Sample   int              `yaml:"sample" jsonschema:"minimum=1" doc:"Every how many accesses one is counted for its page"`
	// Migration configures moves of pages.
	Migration Migration `yaml:"migration" doc:"How pages are moved"`
	// Fault is the time of a hinting fault.
	Fault units.Latency `yaml:"fault" doc:"Time of a hinting fault: the first access in an interval to a page outside the default tier takes it; 0 takes none"`
	TLB   TLB           `yaml:"tlb" doc:"Translations that are at hand, and what others cost"`
	// Outstanding is the most requests accepted and not answered; 0 is no limit.
	Outstanding int           `yaml:"outstanding" jsonschema:"minimum=0" doc:"Requests that may be accepted and not answered, the host's limit; 0 is none"`
	Warmup      units.Latency `yaml:"warmup" doc:"Time from which on the metrics of phase measure count; 0 is the whole run"`
}

// A Migration configures moves of pages.
type Migration struct {
	Bandwidth units.Bandwidth `yaml:"bandwidth" doc:"Bytes of pages that may be moved per second; an exchange moves two pages"`
	Parallel  int             `yaml:"parallel" jsonschema:"minimum=1,maximum=64" doc:"Moves under way at once"`
	Burst     units.Bytes     `yaml:"burst" doc:"Bytes of one request of a move, a power of two up to a page"`
}

// A TLB holds translations in sets of four with LRU replacement.
type TLB struct {
	Entries int           `yaml:"entries" jsonschema:"minimum=0" doc:"Translations that are at hand, a power of two from 4 on; 0 has all"`
	Walk    units.Latency `yaml:"walk" doc:"Time of a walk through the page table, in addition to its reads"`
	// Reads is the page-table levels that a walk reads from memory, one after the other.
	Reads int `yaml:"reads" jsonschema:"minimum=0,maximum=5" doc:"Levels of the page table that a walk reads from memory, one after the other, a line of 64 B each, the leaf last; 0 reads none"`
	Tier  int `yaml:"tier" jsonschema:"minimum=0,maximum=7" doc:"Tier in which the page table lives; it takes frames there"`
}

// DefaultSpec has two tiers and policy hemem.
func DefaultSpec() Spec {
	return Spec{
		Clock: units.Frequency{Clock: clock.GHz}, Tiers: 2, Page: 4 << 10, Policy: placement.Choice{Name: "hemem"},
		// assumption: some thousand accesses. Systems take 10 ms to 1 s for pages of
		// 2 MiB; what counts is the number of accesses and of pages in an interval.
		Interval: units.InTime(10 * units.Microsecond), Sample: 1,
		// assumption: 10 GB/s in steps as a copy by the processor makes, and few pages
		// at a time
		Migration: Migration{Bandwidth: 80e9, Parallel: 4, Burst: 256},
	}
}

// MaxPages is the most pages of a node.
const MaxPages = 1 << 24

// check returns errors of all impossible values. at returns the value of a key.
func (s *Spec) check(at func(key string) configs.Value) error {
	var errs configs.Errors
	power := func(b units.Bytes) bool { return bits.OnesCount64(uint64(b)) == 1 }
	if s.Tiers < 1 || s.Tiers > 8 {
		errs.Add(at("tiers").Errorf(nil, "is %d (want 1 to 8)", s.Tiers))
	}
	if !power(s.Page) || s.Page < 64 || s.Page > 1<<30 {
		errs.Add(at("page").Errorf(nil, "is %s (want a power of two from 64B to 1GiB)", s.Page))
	}
	if len(s.Capacity) > s.Tiers {
		errs.Add(at("capacity").Errorf(nil, "has %d sizes for %d tiers", len(s.Capacity), s.Tiers))
	}
	if s.Interval.In(s.Clock.Clock) == 0 {
		errs.Add(at("interval").Errorf(nil, "is no time"))
	}
	if s.Sample < 1 {
		errs.Add(at("sample").Errorf(nil, "is %d (want 1 or more)", s.Sample))
	}
	if s.Outstanding < 0 {
		errs.Add(at("outstanding").Errorf(nil, "is %d (want 0 or more)", s.Outstanding))
	}
	m, mat := s.Migration, at("migration")
	if m.Bandwidth == 0 {
		errs.Add(mat.Errorf(nil, "bandwidth is 0 (policies static and interleave are those that move nothing)"))
	}
	if m.Parallel < 1 || m.Parallel > 64 {
		errs.Add(mat.Errorf(nil, "parallel is %d (want 1 to 64)", m.Parallel))
	}
	if !power(m.Burst) || m.Burst > s.Page {
		errs.Add(mat.Errorf(nil, "burst is %s (want a power of two up to a page, %s)", m.Burst, s.Page))
	}
	s.checkTLB(at("tlb"), &errs)
	return errs.Err()
}

func (s *Spec) checkTLB(at configs.Value, errs *configs.Errors) {
	switch t := s.TLB; {
	case t.Entries == 0:
		if !t.Walk.IsZero() {
			errs.Add(at.Errorf(nil, "walk has no effect without entries"))
		}
		if t.Reads != 0 {
			errs.Add(at.Errorf(nil, "reads has no effect without entries"))
		}
	case t.Entries < 4 || t.Entries > 1<<24 || t.Entries&(t.Entries-1) != 0:
		errs.Add(at.Errorf(nil, "entries is %d (want 0, or a power of two from 4 on)", t.Entries))
	}
	switch t := s.TLB; {
	case t.Reads < 0 || t.Reads > maxLevels:
		errs.Add(at.Errorf(nil, "reads is %d (want 0 to %d)", t.Reads, maxLevels))
	case t.Reads == 0 && t.Tier != 0:
		errs.Add(at.Errorf(nil, "tier has no effect without reads"))
	case t.Tier < 0 || t.Tier >= max(1, s.Tiers):
		errs.Add(at.Errorf(nil, "tier is %d of %d", t.Tier, s.Tiers))
	}
}

func init() {
	system.Register(system.Kind[Spec]{
		Name: "tiering",
		Doc:  "Several memories as one: a page table, a policy that places and moves pages, and what moving costs.",
		Source: "Vuppalapati and Agarwal, Tiered Memory Management: Access Latency is the Key!, SOSP 2024; " +
			"the policies have theirs",
		Subject: system.OfCaches, Headlines: headlines, Levers: levers,
		Default: DefaultSpec(),
		New: func(env *system.Env, name string, s Spec, v configs.Value) (system.Node, error) {
			if err := s.check(v.Place); err != nil {
				return nil, err
			}
			c, err := New(name, env.Engine, s)
			if err != nil {
				return nil, v.Place("policy").Errorf(nil, "%s", err)
			}
			c.at = v.Place
			return c, nil
		},
	})
}
