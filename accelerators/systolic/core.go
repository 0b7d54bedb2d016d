package systolic

import (
	"fmt"
	"slices"

	"github.com/sarchlab/akita/v3/sim"

	"github.com/causeway-sim/causeway/accelerators/dataflow"
	"github.com/causeway-sim/causeway/accelerators/energy"
	"github.com/causeway-sim/causeway/accelerators/mapping"
	"github.com/causeway-sim/causeway/accelerators/work"
	"github.com/causeway-sim/causeway/components/clock"
	"github.com/causeway-sim/causeway/components/engine"
	"github.com/causeway-sim/causeway/components/stats"
	"github.com/causeway-sim/causeway/components/system"
	"github.com/causeway-sim/causeway/memory"
	"github.com/causeway-sim/causeway/workloads/graph"
)

// A core is what the fidelities share: ports, the list of jobs, tokens, the
// record of what was done. It has no opinion on how long a job takes.
type core struct {
	*sim.ComponentBase
	spec    Spec
	clock   clock.Clock
	ticker  *engine.Ticker
	timing  dataflow.Timing
	element uint16

	mem    *engine.Port
	sync   *engine.Port
	leader sim.Port // the sequencer's
	routes *routes

	shares  []*share
	jobs    []job
	at      int    // index of the job that is under way or comes next
	free    uint64 // cycle in which the last job ended
	idle    uint64 // cycles before a workload arrived
	running bool   // jobs[at] has begun
	tokens  map[signal]uint64
	sends   []sending // signals to be given, in order of time

	layers []layer
	models map[graph.DType]energy.Model
	sum    totals
	group  *stats.Group
}

// A share is a work.Share in cycles and flat tables.
type share struct {
	work.Share
	arrival uint64
	base    addresses
	roles   []graph.Role // by tensor
	reuse   reuse
}

// addresses is where tensors lie, by tensor; the first two entries are the
// scratch memory and nothing.
type addresses []uint64

const firstTensor = 2

func (a addresses) of(id graph.TensorID) uint64 { return a[id+firstTensor] }

// A job is one entry of a program.
type job struct {
	*mapping.Job
	share *share
	steps func() walker
}

// A signal names a token of one of several workloads.
type signal struct {
	share int32
	token mapping.Token
}

type sending struct {
	at  uint64
	msg *work.Signal
}

func newCore(name string, e sim.Engine, s Spec, h sim.Handler, c sim.Component) *core {
	k := &core{
		ComponentBase: sim.NewComponentBase(name),
		spec:          s, clock: s.Clock.Clock,
		ticker:  engine.NewTicker(e, s.Clock.Clock, h),
		element: elementOf(name),
		tokens:  map[signal]uint64{},
		models:  map[graph.DType]energy.Model{},
		group:   stats.NewGroup(name),
	}
	k.mem = engine.NewPort(c, name+".Mem", s.DMA.Outstanding)
	k.sync = engine.NewPort(c, name+".Sync", syncBuffer)
	k.AddPort("Mem", k.mem)
	k.AddPort("Sync", k.sync)
	if d, ok := dataflow.All.Entry(s.Dataflow); ok {
		k.timing = d.New.Timing(s.Core(graph.DTypes{}).Array)
	}
	k.declare()
	return k
}

// syncBuffer is how many signals a core takes in one cycle; more wait a cycle.
const syncBuffer = 16

// elementOf is the index in a name such as Core[3], 0 without one.
func elementOf(name string) uint16 {
	var i uint16
	for at := len(name) - 1; at > 0; at-- {
		if name[at] == '[' {
			_, _ = fmt.Sscanf(name[at:], "[%d]", &i) // leaves 0 where there is no number
			break
		}
	}
	return i
}

// PortSpecs implements system.Node.
func (k *core) PortSpecs() []system.PortSpec {
	return []system.PortSpec{
		{Name: "mem", Protocol: system.Mem, Role: system.Requests, Ports: []sim.Port{k.mem}, Clock: k.clock,
			Optional: k.spec.Timing == ScaleSim, Buffer: max(k.spec.DMA.Outstanding, system.DefaultBuffer)},
		{Name: "sync", Protocol: "sync", Role: system.Peers, Ports: []sim.Port{k.sync}, Clock: k.clock, Optional: true},
	}
}

// Stats implements system.Node.
func (k *core) Stats() *stats.Group { return k.group }

// Spec is what the core was made of.
func (k *core) Spec() Spec { return k.spec }

// Sync implements work.Worker.
func (k *core) Sync() sim.Port { return k.sync }

// Follow implements work.Worker.
func (k *core) Follow(sequencer sim.Port) { k.leader = sequencer }

// SetMap implements system.Requester.
func (k *core) SetMap(port string, m *memory.Map) error {
	if port != "mem" {
		return fmt.Errorf("%s has no requesting port %q (want one of: mem)", k.Name(), port)
	}
	k.routes = newRoutes(m)
	return nil
}

// NotifyRecv implements sim.Component.
func (k *core) NotifyRecv(now sim.VTimeInSec, _ sim.Port) { k.ticker.WakeAfter(now) }

// NotifyPortFree implements sim.Component.
func (k *core) NotifyPortFree(now sim.VTimeInSec, _ sim.Port) { k.ticker.WakeAfter(now) }

// Load implements work.Worker.
func (k *core) Load(w work.Share) error {
	s := &share{Share: w, arrival: k.clock.Cycles(uint64(w.Arrival), 1e15)}
	for i := range w.Program.Jobs {
		j := &w.Program.Jobs[i]
		if j.Op < 0 || j.Op >= len(w.Graph.Ops) {
			return fmt.Errorf("%s: job %d is operator %d of %d", k.Name(), i, j.Op, len(w.Graph.Ops))
		}
		if j.Plan == nil {
			return fmt.Errorf("%s: layer %s has no mapping", k.Name(), w.Graph.Ops[j.Op].Name)
		}
		if len(j.Waits)+len(j.Signals) > 0 && k.leader == nil {
			return fmt.Errorf("%s: layer %s is shared with other cores, and no sequencer is linked", k.Name(), w.Graph.Ops[j.Op].Name)
		}
	}
	if err := k.place(s); err != nil {
		return err
	}
	at := len(k.shares)
	for at > 0 && k.shares[at-1].arrival > s.arrival {
		at--
	}
	k.shares = slices.Insert(k.shares, at, s)
	k.jobs = k.jobs[:0]
	for _, s := range k.shares {
		for i := range s.Program.Jobs {
			j := &s.Program.Jobs[i]
			k.jobs = append(k.jobs, job{j, s, func() walker { return j.Plan.Walk() }})
		}
	}
	return nil
}

// place looks up the addresses of everything the program may move and checks
// that they have a home.
func (k *core) place(s *share) error {
	s.base = make(addresses, firstTensor+len(s.Graph.Tensors))
	s.roles = make([]graph.Role, len(s.Graph.Tensors))
	for i := range s.roles {
		s.roles[i] = s.Graph.Tensors[i].Role
	}
	s.reuse = foresee(s)
	if k.routes == nil {
		return fmt.Errorf("%s has no memory", k.Name())
	}
	home := func(what string, addr, size uint64) error {
		for size > 0 {
			r, _, _, ok := k.routes.m.Find(addr)
			if !ok {
				return fmt.Errorf("%s: %s reaches address %#x, which has no home", k.Name(), what, addr)
			}
			run := min(r.Size-(addr-r.Base), size)
			addr, size = addr+run, size-run
		}
		return nil
	}
	if n := s.Program.Scratch; n > 0 {
		s.base[0] = s.Base(mapping.Scratch)
		if err := home("scratch memory", s.base[0], uint64(n)); err != nil {
			return err
		}
	}
	used := make([]bool, len(s.Graph.Tensors))
	for _, j := range s.Program.Jobs {
		for _, op := range append([]int{j.Op}, j.Fused...) {
			for _, ids := range [][]graph.TensorID{s.Graph.Ops[op].In, s.Graph.Ops[op].Out} {
				for _, id := range ids {
					if id != graph.None {
						used[id] = true
					}
				}
			}
		}
	}
	for id, u := range used {
		if !u {
			continue
		}
		t := &s.Graph.Tensors[id]
		at := s.Base(graph.TensorID(id))
		s.base[firstTensor+id] = at
		if err := home("tensor "+t.Name, at, uint64(t.Bytes())); err != nil {
			return err
		}
	}
	return nil
}

// Start implements work.Worker.
func (k *core) Start() error {
	k.ticker.WakeAt(0)
	return nil
}

// open is the cycle from which on the next job is only held up by other cores.
func (k *core) open() uint64 { return max(k.free, k.jobs[k.at].share.arrival) }

// awaited is when the last token of the next job came; ok is false while one
// is missing.
func (k *core) awaited() (at uint64, ok bool) {
	j := &k.jobs[k.at]
	for _, t := range j.Waits {
		c, ok := k.tokens[signal{j.share.ID, t}]
		if !ok {
			return 0, false
		}
		at = max(at, c)
	}
	return at, true
}

// begin opens the record of the next job, which begins at cycle now.
func (k *core) begin(now uint64) *layer {
	j, open := &k.jobs[k.at], k.open()
	k.idle += open - k.free
	k.layers = append(k.layers, layer{job: j, start: open})
	l := &k.layers[len(k.layers)-1]
	l.book[dependency] = now - open
	k.running = true
	return l
}

// end closes the record of the job under way.
func (k *core) end(now uint64) {
	l := &k.layers[len(k.layers)-1]
	l.end = now
	l.energy = k.spend(l)
	k.sum.add(l)
	for _, t := range l.job.Signals {
		k.tokens[signal{l.job.share.ID, t}] = now
		k.sends = append(k.sends, sending{now, &work.Signal{Share: l.job.share.ID, Token: t}})
	}
	k.free = now
	k.running = false
	k.at++
}

// listen takes in the signals of other cores.
func (k *core) listen(now sim.VTimeInSec, cycle uint64) error {
	for {
		switch m := k.sync.Retrieve(now).(type) {
		case nil:
			return nil
		case *work.Signal:
			k.tokens[signal{m.Share, m.Token}] = cycle
		default:
			return fmt.Errorf("%s got a %T at its sync port", k.Name(), m)
		}
	}
}

// speak gives the signals that are due, and wakes the core for the next one.
// A full link is tried again when it frees.
func (k *core) speak(now sim.VTimeInSec, cycle uint64) {
	n := 0
	for ; n < len(k.sends) && k.sends[n].at <= cycle; n++ {
		m := k.sends[n].msg
		m.Src, m.Dst, m.SendTime = k.sync, k.leader, now
		if k.sync.Send(m) != nil {
			break
		}
	}
	k.sends = slices.Delete(k.sends, 0, n)
	if len(k.sends) > 0 && k.sends[0].at > cycle {
		k.ticker.WakeAt(k.sends[0].at)
	}
}

// waitsForTokens says what the next job is waiting for.
func (k *core) waitsForTokens() (out []engine.Wait) {
	j := &k.jobs[k.at]
	for _, t := range j.Waits {
		if _, ok := k.tokens[signal{j.share.ID, t}]; !ok {
			ops := j.share.Graph.Ops
			out = append(out, engine.Wait{
				Who: k.Name(), For: k.leader.Name(),
				Why: fmt.Sprintf("layer %s needs layer %s of core %d", ops[j.Op].Name, ops[t.Op].Name, t.Core),
			})
		}
	}
	return out
}

// Core is what the mapper may know of the core, with partial sums as the data
// types of a workload ask for.
func (k *core) Core(d graph.DTypes) mapping.Core { return k.spec.Core(d) }
