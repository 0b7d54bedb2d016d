package serve

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"github.com/causeway-sim/causeway/accelerators/work"
	"github.com/causeway-sim/causeway/components/units"
	"github.com/causeway-sim/causeway/configs"
	"github.com/causeway-sim/causeway/workloads/parallel"
	"github.com/causeway-sim/causeway/workloads/player/issue"
	"github.com/causeway-sim/causeway/workloads/serving"
)

// InstancesSpec separates prefill and decode on different chips.
type InstancesSpec struct {
	Prefill int `yaml:"prefill" jsonschema:"minimum=0,maximum=1024" doc:"Servers that compute prompts, each on a part of the chips, the first in the order of their names"`
	Decode  int `yaml:"decode" jsonschema:"minimum=0,maximum=1024" doc:"Servers that compute the tokens after the first, on the other chips"`
	// PrefillSequences and DecodeSequences replace key sequences; 0: they do not.
	PrefillSequences int             `yaml:"prefill_sequences" jsonschema:"minimum=0,maximum=16777216" doc:"Sequences that run at once at most on each of the former, or on each of its groups of chips that attend to requests of their own (workload.deployment.data), in place of sequences; 0: as sequences says"`
	DecodeSequences  int             `yaml:"decode_sequences" jsonschema:"minimum=0,maximum=16777216" doc:"The same of the latter"`
	Overhead         units.Time      `yaml:"overhead" doc:"Time of a transfer of keys and values besides its bytes, where no interface (kind nic) is linked"`
	Bandwidth        units.Bandwidth `yaml:"bandwidth" doc:"Of such a transfer from each chip; 0B/s takes no time"`
}

func (s InstancesSpec) some() bool { return s.Prefill+s.Decode > 0 }

// checkInstances reports instances that cannot be, or keys that they make no use of.
func (s *Spec) checkInstances(v configs.Value, errs *configs.Errors) {
	at := v.Get("instances")
	if !at.Exists() {
		return
	}
	x := s.Instances
	for _, k := range []struct {
		key string
		n   int
	}{{"prefill", x.Prefill}, {"decode", x.Decode}} {
		if k.n < 1 || k.n > 1024 {
			errs.Add(at.Place(k.key).Errorf(nil, "%s is %d (want 1 to 1024)", k.key, k.n))
		}
	}
	for _, k := range []struct {
		key string
		n   int
	}{{"prefill_sequences", x.PrefillSequences}, {"decode_sequences", x.DecodeSequences}} {
		if k.n < 0 || k.n > serving.MaxTokens {
			errs.Add(at.Place(k.key).Errorf(nil, "is %d (want 0 to %d)", k.n, serving.MaxTokens))
		}
	}
	if x.Overhead > units.Second {
		errs.Add(at.Place("overhead").Errorf(nil, "is %s (want at most 1s)", x.Overhead))
	}
	for i, t := range s.Tiers { // kv_blocks_peak_prefill is of all tiers
		if t.Tier == "prefill" || t.Tier == "decode" {
			errs.Add(v.Get("kv_tiers").Items()[i].Get("tier").Errorf(nil, "tier %s has the name of what instances do (want another name in the memory section)", t.Tier))
		}
	}
	if s.Replicas > 1 {
		errs.Add(v.Get("replicas").Errorf(nil, "has no effect with instances, which are servers of their own"))
	}
}

// apart is requests between prefill and decode.
type apart struct {
	held      []held        // have their first token, in the order in which they got it
	transfers []transfer    // that take a time
	carried   []*kvTransfer // by interfaces
	free      []units.Time  // by instance: when its last transfer ends
	heir      []int         // by request: the instance that decodes it; -1: none yet
	views     []serving.Sequence
	sent      uint64
	entries   uint64     // of them, over all chips of an instance
	took      units.Time // from the begin of transfers to their end
	waited    units.Time // from the end of prompts to the begin
}

// hold records the requests whose prompts ended with a step, for the first time or after a
// recomputation.
func (c *Comp) hold(s *serving.Step, now units.Time) {
	for k := range s.Parts {
		if q := s.Parts[k].Sequence; q.State == serving.Held {
			c.apart.held = append(c.apart.held, held{q.Index(), now})
		}
	}
}

// held is a request that waits for room on an instance that decodes.
type held struct {
	request int
	since   units.Time
}

// A transfer is keys and values of a prompt on their way.
type transfer struct {
	request             int
	since, begin, until units.Time // the prompt was computed, and it goes
}

// came ends the transfer of a request whose prompt was computed at since.
func (c *Comp) came(request int, since, begin, end units.Time) {
	a := &c.apart
	c.engines[c.owner[request]].Release(request)
	c.engines[a.heir[request]].Ready(request)
	a.sent++
	for chip := range max(c.service.Chips, 1) {
		a.entries += uint64(parallel.Own(c.service.Requests[request].Prompt, c.keys(), chip))
	}
	a.took += end - begin
	a.waited += begin - since
}

func (a *apart) between() (n int) {
	for _, x := range a.carried {
		if !x.lost {
			n++
		}
	}
	return n + len(a.held) + len(a.transfers)
}

// Prefills implements work.Server.
func (c *Comp) Prefills() int { return c.spec.Instances.Prefill }

// Instances implements work.Server.
func (c *Comp) Instances() int {
	if x := c.spec.Instances; x.some() {
		return x.Prefill + x.Decode
	}
	return 1
}

// takers is how many engines take requests in: all but those that decode.
func (c *Comp) takers() int {
	if c.spec.Instances.some() {
		return c.spec.Instances.Prefill
	}
	return len(c.engines)
}

// split makes the engines of instances: those that prefill have requests of one token, whose
// blocks they keep, the others requests whose prompts are there but for that token.
func (c *Comp) split(spec serving.Spec, requests []serving.Request) error {
	first, rest := slices.Clone(requests), slices.Clone(requests)
	for i := range requests {
		first[i].Output, first[i].Keep = 1, requests[i].Output > 1
		if requests[i].Output > 1 {
			rest[i].Prompt, rest[i].Output, rest[i].Cached = requests[i].Prompt+1, requests[i].Output-1, requests[i].Prompt
			if len(rest[i].Tokens) <= requests[i].Prompt {
				rest[i].Tokens = nil
			}
		}
	}
	if len(spec.Blocks) == 0 {
		spec.Blocks = []int{spec.Need(requests)}
	}
	for k := range c.Instances() {
		of, sequences := first, c.spec.Instances.PrefillSequences
		if k >= c.spec.Instances.Prefill {
			of, sequences = rest, c.spec.Instances.DecodeSequences
		}
		groups := c.groups(k)
		spec.Sequences = cmp.Or(sequences*groups, c.spec.Sequences)
		spec.Tokens = c.tokens(groups)
		if err := c.bound(&spec, k, 1); err != nil {
			return err
		}
		if err := c.choosePolicy(&spec); err != nil { // each has one of its own
			return err
		}
		e, err := serving.New(spec, of)
		if err != nil {
			return err
		}
		c.engines, c.lanes = append(c.engines, e), append(c.lanes, lane{first: k, n: 1})
	}
	c.apart.free = make([]units.Time, len(c.engines))
	c.apart.heir = slices.Repeat([]int{-1}, len(requests))
	c.apart.views = make([]serving.Sequence, len(requests))
	return nil
}

// take lets a request come to the engine that it was given to.
func (c *Comp) take(i int) serving.State {
	e := c.engines[c.owner[i]]
	if c.spec.Instances.some() && c.service.Requests[i].Output > 1 && !c.engines[c.takers()].Fits(i) {
		e.Refuse(i)
		return serving.Refused
	}
	return e.Arrive(i)
}

// handOver ends transfers whose time has come, and begins others, in the order of first
// tokens, as long as there is room where they go.
func (c *Comp) handOver(now units.Time) error {
	a := &c.apart
	a.transfers = slices.DeleteFunc(a.transfers, func(x transfer) bool {
		if x.until > now {
			return false
		}
		c.came(x.request, x.since, x.begin, x.until)
		return true
	})
	for now >= c.down && len(a.held) > 0 {
		x := a.held[0]
		to := c.roomiest(x.request)
		if to < 0 {
			return nil
		}
		a.held = a.held[1:]
		a.heir[x.request] = to
		from, entries := c.owner[x.request], c.service.Requests[x.request].Prompt
		if c.carries() {
			a.carried = append(a.carried, &kvTransfer{request: x.request, from: from, to: to, since: x.since})
			continue
		}
		begin := max(now, a.free[from], a.free[to])
		t, err := c.sends(work.Move{From: from, To: to, Entries: entries})
		if err != nil {
			return err
		}
		until := begin + t
		a.free[from], a.free[to] = until, until
		a.transfers = append(a.transfers, transfer{x.request, x.since, begin, until})
		if until <= now {
			return c.handOver(now)
		}
	}
	return nil
}

// roomiest is the instance that accepts a request and has the fewest to decode; -1: none has
// room.
func (c *Comp) roomiest(i int) int {
	order := make([]int, 0, c.spec.Instances.Decode)
	for k := c.takers(); k < len(c.engines); k++ {
		order = append(order, k)
	}
	load := func(k int) int {
		used, _, _ := c.engines[k].Blocks()
		return used
	}
	slices.SortStableFunc(order, func(a, b int) int { return load(a) - load(b) })
	for _, k := range order {
		if c.engines[k].Accept(i) {
			return k
		}
	}
	return -1
}

// sends is the time of a transfer.
func (c *Comp) sends(m work.Move) (units.Time, error) {
	if c.service.Send != nil {
		return c.service.Send(m)
	}
	x := c.spec.Instances
	t := x.Overhead
	if x.Bandwidth > 0 {
		bytes := uint64(c.kept(m.Entries)) * c.service.Entry
		t += units.Time(math.Round(float64(bytes) * 8 / float64(x.Bandwidth) / float64(max(c.service.Senders, 1)) * float64(units.Second)))
	}
	return t, nil
}

// free is a warning if transfers between instances take no time for their bytes; otherwise "".
func (c *Comp) free() string {
	if c.service.Send != nil || !c.spec.Instances.some() || c.spec.Instances.Bandwidth > 0 {
		return ""
	}
	return fmt.Sprintf("%s: keys and values go from prefill to decode in %s, however many there are (instances.bandwidth is 0, and no network interface is linked).", c.Name(), c.spec.Instances.Overhead)
}

// loseTransfers lets all memory be lost: prompts of requests between prefill and decode are
// computed again where they were, and sent again.
func (c *Comp) loseTransfers() {
	a := &c.apart
	lost := c.loseCarried()
	for _, x := range a.transfers {
		lost = append(lost, x.request)
	}
	for _, x := range a.held {
		lost = append(lost, x.request)
	}
	for _, i := range slices.Backward(lost) { // each goes before those that wait
		if to := a.heir[i]; to >= 0 {
			c.engines[to].Decline(i)
			a.heir[i] = -1
		}
		c.engines[c.owner[i]].Again(i)
	}
	a.transfers, a.held = nil, nil
	clear(a.free)
}

// wakeTransfers sets the next event of transfers.
func (c *Comp) wakeTransfers() {
	for _, x := range c.apart.transfers {
		c.Ticker.WakeAt(issue.Cycle(c.Clock(), x.until))
	}
}

// joined is a request as its client sees it.
func (c *Comp) joined(i int) *serving.Sequence {
	q := &c.apart.views[i]
	*q = *c.engines[c.owner[i]].Sequence(i)
	q.Request = &c.service.Requests[i]
	heir := c.apart.heir[i]
	if heir < 0 {
		return q
	}
	rest := c.engines[heir].Sequence(i)
	if q.State = rest.State; rest.Got > 0 {
		q.Got, q.Last = q.Got+rest.Got, rest.Last
	}
	q.Preempted += rest.Preempted
	return q
}
