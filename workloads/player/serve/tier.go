package serve

import (
	"fmt"
	"slices"

	"github.com/causeway-sim/causeway/accelerators/work"
	"github.com/causeway-sim/causeway/components/units"
	"github.com/causeway-sim/causeway/configs"
	"github.com/causeway-sim/causeway/workloads/serving"
)

// tiers are the parts of the memory for keys and values, and what was seen of them.
type tiers struct {
	order []int // numbers in kv_tiers, the default one first
	list  []work.Tier
	seen  []seen // by engine
	moved uint64 // blocks that were copied, with those no longer needed
	sizes []int  // entries by tier of the step that begins, those that move besides
}

// seen is what was seen of the tiers of one engine.
type seen struct {
	read   []uint64   // entries that steps have read, or written, by tier
	since  units.Time // when the policy was asked last
	before []serving.Load
	last   []uint64 // read by then
}

// Tiers implements work.Server.
func (c *Comp) Tiers() []work.Tier { return c.tiers.list }

// checkTiers reports keys of tiers that cannot be, or have no effect.
func (s *Spec) checkTiers(v configs.Value, errs *configs.Errors) {
	if len(s.Tiers) == 0 {
		noTiers(v, errs)
		return
	}
	var names []string
	for i, t := range s.Tiers {
		at := v.Get("kv_tiers").Items()[i]
		switch {
		case t.Tier == "":
			errs.Add(at.Errorf(nil, "tier is missing (a range of the memory section)"))
		case slices.Contains(names, t.Tier):
			errs.Add(at.Get("tier").Errorf(nil, "tier %s is there twice", t.Tier))
		case t.Memory > 1<<50:
			errs.Add(at.Get("memory").Errorf(nil, "is %s (want at most 1PiB)", t.Memory))
		}
		names = append(names, t.Tier)
	}
	if len(names) > 8 {
		errs.Add(v.Get("kv_tiers").Errorf(nil, "has %d tiers (want at most 8)", len(names)))
	}
	if s.First != "" && !slices.Contains(names, s.First) {
		errs.Add(v.Get("kv_first").Errorf(names, "no tier %q in kv_tiers", s.First))
	}
	for _, key := range []string{"blocks", "kv_memory"} {
		if k := v.Get(key); k.Exists() && k.Text() != "null" {
			errs.Add(k.Errorf(nil, "has no effect with kv_tiers, which have their own"))
		}
	}
	if s.Times != issued {
		errs.Add(v.Get("kv_tiers").Errorf(nil, "has no effect with times: %s (used by: %s)", s.Times, issued))
	}
	if s.Interval < 1 || s.Interval > 1<<20 {
		errs.Add(v.Place("kv_interval").Errorf(nil, "is %d (want 1 to 1048576)", s.Interval))
	}
	if s.Moves < 0 || s.Moves > 1<<20 {
		errs.Add(v.Place("kv_moves").Errorf(nil, "is %d (want 0 to 1048576)", s.Moves))
	}
}

// noTiers reports keys of tiers where there are none, and an empty list of them.
func noTiers(v configs.Value, errs *configs.Errors) {
	for _, key := range []string{"kv_first", "kv_policy", "kv_interval", "kv_moves"} {
		if k := v.Get(key); k.Exists() {
			errs.Add(k.Errorf(nil, "has no effect without kv_tiers"))
		}
	}
	if k := v.Get("kv_tiers"); k.Exists() && k.Kind() == configs.List {
		errs.Add(k.Errorf(nil, "has no tiers (want one or more, as in [{tier: near, memory: 16GiB}], or no kv_tiers)"))
	}
}

// nameTiers lists the tiers, the default one first.
func (c *Comp) nameTiers(v configs.Value) {
	for i := range c.spec.Tiers {
		if c.tiers.order = append(c.tiers.order, i); c.spec.Tiers[i].Tier == c.spec.First {
			copy(c.tiers.order[1:], c.tiers.order[:i])
			c.tiers.order[0] = i
		}
	}
	for _, i := range c.tiers.order {
		c.tiers.list = append(c.tiers.list, work.Tier{Name: c.spec.Tiers[i].Tier, At: v.Get("kv_tiers").Items()[i]})
	}
	n := len(c.tiers.list)
	for range c.Instances() {
		c.tiers.seen = append(c.tiers.seen, seen{read: make([]uint64, n), last: make([]uint64, n), before: make([]serving.Load, n)})
	}
}

// addTiers sets the number of blocks of each tier, from the bytes of a block.
func (c *Comp) addTiers(spec *serving.Spec, each uint64, requests []serving.Request) (err error) {
	need := spec.Need(requests)
	for k, i := range c.tiers.order {
		t := &c.spec.Tiers[i]
		n := need
		if t.Memory > 0 {
			if n = int(uint64(t.Memory) / each); n < 1 || n > serving.MaxBlocks {
				err := fmt.Errorf("kv_tiers of %s has %s in %s, which is %d blocks of %d tokens (want at most %d)", c.Name(), t.Memory, t.Tier, n, c.spec.Block, serving.MaxBlocks)
				if n < 1 {
					err = fmt.Errorf("kv_tiers of %s has %s in %s, and a block of %d tokens takes %s", c.Name(), t.Memory, t.Tier, c.spec.Block, units.Bytes(each))
				}
				if at := c.tiers.list[k].At.Get("memory"); at.Exists() {
					err = at.Errorf(nil, "%v", err)
				}
				return err
			}
		}
		spec.Blocks = append(spec.Blocks, n)
		c.tiers.list[k].Entries = n * c.spec.Block
	}
	spec.Every, spec.Moves, spec.Bytes = c.spec.Interval, c.spec.Moves, each
	return c.choosePolicy(spec)
}

// choosePolicy makes a policy for an engine that has tiers.
func (c *Comp) choosePolicy(spec *serving.Spec) (err error) {
	if len(c.tiers.list) > 0 {
		spec.Policy, err = c.spec.Policy.New()
	}
	return err
}

// locate returns the locations of the entries of a batch of engine i, and the blocks that move
// during it.
func (c *Comp) locate(i int, s *serving.Step, b *work.Batch) {
	if len(c.tiers.list) == 0 {
		return
	}
	e := c.engines[i]
	b.Spans = make([][]serving.Span, len(b.Groups))
	c.tiers.sizes = slices.Repeat([]int{0}, len(c.tiers.list)+1)
	of := groupsOf(s)
	for k, g := range of {
		b.Spans[g] = e.Written(b.Spans[g], &s.Parts[k])
	}
	for k, g := range of {
		b.Spans[g] = e.Read(b.Spans[g], &s.Parts[k])
	}
	for _, spans := range b.Spans {
		for _, x := range spans {
			c.tiers.seen[i].read[x.Tier] += uint64(x.N)
			c.tiers.sizes[x.Tier] += x.N
		}
	}
	for k := range b.Spans { // what pads a step
		if b.Spans[k] == nil {
			b.Spans[k] = []serving.Span{{N: 1}}
		}
	}
	for k := range s.Moves {
		b.From, b.To = e.Paths(b.From, b.To, &s.Moves[k])
	}
	c.tiers.moved += uint64(len(b.From))
	c.tiers.sizes[len(c.tiers.list)] = len(b.From)
}

// observe passes the policy of an engine the load of its tiers since its last call.
func (c *Comp) observe(engine int, now units.Time) {
	if len(c.tiers.list) == 0 || !c.engines[engine].Asks() {
		return
	}
	t := &c.tiers.seen[engine]
	loads := make([]serving.Load, len(c.tiers.list))
	slowest := 0.0
	for k, i := range c.tiers.order {
		n, took := c.service.Reads(engine, k)
		l := &loads[k]
		l.Reads, l.Bytes = t.read[k]-t.last[k], (t.read[k]-t.last[k])*c.service.Entry/uint64(c.keys())
		l.Idle = ns(c.spec.Tiers[i].Latency)
		if was := &t.before[k]; n > was.Reads {
			l.Latency = (ns(took) - was.Latency) / float64(n-was.Reads)
			l.Idle = l.Latency
			*was = serving.Load{Reads: n, Latency: ns(took)}
		}
		slowest = max(slowest, l.Idle)
		t.last[k] = t.read[k]
	}
	for k := range loads {
		if loads[k].Idle == 0 {
			loads[k].Idle = slowest
		}
		if loads[k].Latency == 0 {
			loads[k].Latency = loads[k].Idle
		}
	}
	c.engines[engine].Observe(uint64(ns(now-t.since)), loads)
	t.since = now
}
