package flit

import (
	"errors"
	"fmt"
	"hash/fnv"

	"github.com/sarchlab/akita/v3/sim"

	"github.com/causeway-sim/causeway/components/clock/instant"
	"github.com/causeway-sim/causeway/components/engine"
	"github.com/causeway-sim/causeway/components/system"
	"github.com/causeway-sim/causeway/components/task"
	"github.com/causeway-sim/causeway/configs"
	"github.com/causeway-sim/causeway/noc/fabric"
	"github.com/causeway-sim/causeway/noc/fabric/setting"
	"github.com/causeway-sim/causeway/noc/network"
	"github.com/causeway-sim/causeway/noc/peers/fogsim"
	"github.com/causeway-sim/causeway/noc/routing"
	"github.com/causeway-sim/causeway/noc/routing/deadlock"
	"github.com/causeway-sim/causeway/noc/topology"
)

// Comp is a network node of fidelity flit.
type Comp struct {
	*network.Comp
	core   *core
	custom *network.PeerTraffic
}

// PeerTraffic implements network.PeerTrafficUser.
func (c *Comp) PeerTraffic() *network.PeerTraffic { return c.custom }

// Network is the network inside.
func (c *Comp) Network() *fabric.Network { return c.core.Network }

// Config is what the network was made from.
func (c *Comp) Config() setting.Config { return c.core.Config() }

// core moves messages of the shell as packets of a Network.
type core struct {
	*fabric.Network
	shell    *network.Comp
	name     string
	packet   int // most flits, 0 for no limit
	nominal  uint64
	networks int // virtual ones
	held     int // terminals
	moving   []message
	proof    *deadlock.Proof
	flits    *flits            // nil: sampled packets are not asked for
	tasks    map[int32]task.ID // of packets by value that go on, while an observer follows them
	source   network.Source    // by value; nil: by messages
	again    resends
}

// A message is under way; by its number in the shell.
type message struct {
	packets  int32 // that have not come
	lost     bool  // one of them is, for good
	injected int64
}

// NewNode makes a node. The name must be valid for Akita.
func NewNode(name string, e sim.Engine, s setting.Spec, seed uint64) (*Comp, error) {
	var custom *network.PeerTraffic
	note := ""
	if s.Router.Model == "fogsim" {
		var err error
		if note, err = fogsim.Adopt(&s.Spec); err != nil {
			return nil, err
		}
		if note != "" {
			custom = &fogsim.Traffic
		}
	}
	t, a, err := s.Plan()
	if err != nil {
		return nil, err
	}
	cfg, err := s.Config(t, a, seed)
	if err != nil {
		return nil, err
	}
	if cfg.Outages, err = s.Outages(t); err != nil {
		return nil, err
	}
	proof, err := prove(t, a)
	if err != nil {
		return nil, err
	}
	if proof.Cycle != nil && !s.UnsafeVCMap {
		return nil, &cycleError{proof}
	}
	n, err := fabric.New(cfg)
	if err != nil {
		return nil, err
	}
	k := &core{Network: n, name: name, packet: s.Packet, nominal: cfg.Unloaded(), networks: cfg.NetworkCount(), proof: proof}
	if most := cfg.Largest(); cfg.Flow == setting.CutThrough && (k.packet == 0 || k.packet > most) {
		k.packet = most
		if n := s.Most(); n > 0 {
			k.packet = min(n, most)
		}
	}
	n.Delivered, n.Lost = k.delivered, k.lost
	k.again = resends{timeout: int64(s.Timeout.In(s.Clock.Clock)), retries: s.Retries}
	c := &Comp{network.New(name, e, s.Spec, t), k, custom}
	if note != "" {
		c.Assume(fmt.Sprintf("%s: the dragonfly is setting.FOGSim's, where nothing else is said: %s", name, note))
	}
	k.shell = c.Comp
	c.Use(k, n.Declare)
	switch {
	case proof.Cycle != nil:
		c.Assume(fmt.Sprintf("%s: virtual channels may form a cycle, and the network a deadlock: %s", name, proof))
	case !proof.Complete:
		c.Assume(fmt.Sprintf("%s: not checked whether the virtual channels are free of cycles: %s", name, proof))
	}
	return c, nil
}

// budget bounds the decisions that are followed before a run, some seconds' worth.
const budget = 10_000_000

func prove(t topology.Topology, a routing.Algorithm) (*deadlock.Proof, error) {
	return deadlock.Check(t, a, budget)
}

// A cycleError refuses a routing that may block.
type cycleError struct{ proof *deadlock.Proof }

func (e *cycleError) Error() string {
	return "virtual channels form a cycle, and packets may block each other forever: " + e.proof.String() + " (unsafe_vc_map: true runs it nevertheless)"
}

// Room implements network.Core: one message at a time is in a source queue.
func (k *core) Room(terminal int) bool { return !k.Queued(terminal) }

// Take implements network.Core.
func (k *core) Take(cycle uint64, m network.Message) {
	k.CatchUp(int64(cycle))
	if k.flits == nil && k.shell.Watched() {
		k.watch(func(_, tag int32) task.ID { return k.shell.TaskOf(tag) })
	}
	for int(m.ID) >= len(k.moving) {
		k.moving = append(k.moving, message{})
	}
	most := k.packet
	if most == 0 {
		most = m.Flits
	}
	k.moving[m.ID] = message{packets: int32((m.Flits + most - 1) / most), injected: -1}
	for left := m.Flits; left > 0; left -= most {
		k.SendIn(min(m.Class, k.networks-1), int(m.Src), int(m.Dst), min(left, most), m.ID)
	}
}

func (k *core) delivered(d fabric.Delivery) {
	m := &k.moving[d.Tag]
	m.packets--
	if m.injected < 0 || d.Injected < m.injected {
		m.injected = d.Injected
	}
	switch {
	case m.packets > 0:
	case m.lost:
		k.shell.Lose(d.Tag)
	default:
		k.shell.Arrive(d.Tag, uint64(m.injected), d.Hops)
	}
}

// Advance implements network.Core.
func (k *core) Advance(cycle uint64) (uint64, error) {
	n := k.Network
	if n.Quiet() && k.again.next() > cycle {
		return k.again.next(), nil
	}
	k.CatchUp(int64(cycle))
	k.again.due(n, int64(cycle))
	n.Ordered(k.shell.Followed())
	n.Step()
	if n.Quiet() {
		return k.again.next(), nil
	}
	if n.Now()&255 == 0 && n.Frozen() {
		if k.held > 0 || k.again.next() != network.Idle {
			return k.again.next(), nil // until a link takes messages again
		}
		return network.Idle, &engine.Stuck{Time: instant.Of(k.shell.Clock(), cycle), Reason: "no flit moves in " + k.name, Waits: k.Waiting()}
	}
	return cycle + 1, nil
}

// Hold implements network.Core.
func (k *core) Hold(terminal int, on bool) {
	if on {
		k.held++
	} else {
		k.held--
		k.CatchUp(int64(k.shell.Now()))
	}
	k.Network.Hold(terminal, on)
}

// Nominal implements network.Core.
func (k *core) Nominal() uint64 { return k.nominal }

// Waiting implements network.Core: the chain of virtual channels that wait for
// each other, if nothing moves.
func (k *core) Waiting() []engine.Wait {
	s, ok := errors.AsType[*fabric.Stuck](k.Stuck())
	if !ok {
		return []engine.Wait{{Who: k.name, For: k.name, Why: fmt.Sprintf("%d flits are under way", k.Network.Waiting())}}
	}
	var out []engine.Wait
	at := func(l fabric.Lane) string {
		return fmt.Sprintf("%s router %d port %d VC %d", k.name, l.Router, l.Port, l.VC)
	}
	for i := range len(s.Wait) - 1 {
		out = append(out, engine.Wait{Who: at(s.Wait[i]), For: at(s.Wait[i+1]), Why: "its buffer is full or its virtual channel is held"})
	}
	if out == nil {
		out = append(out, engine.Wait{Who: k.name, For: k.name, Why: s.Error()})
	}
	return out
}

// Check implements network.Core.
func (k *core) Check() error { return k.CheckEnd() }

// Limit implements network.Core.
func (k *core) Limit(terminal int, rate float64) bool {
	return k.Network.Limit(terminal, rate/float64(k.shell.Width()))
}

// Stride is the cycles in which parts of the network cannot affect each other, 0 if it is one part.
func (k *core) Stride() int64 { return k.Network.Stride(k.proof) }

func init() {
	system.Register(system.Kind[setting.Spec]{
		Name: "network", Fidelity: "flit",
		Doc:     "A network of input-queued virtual-channel routers, flit by flit.",
		Source:  "Dally and Towles, Principles and Practices of Interconnection Networks, 2004, chapters 16 to 19",
		Subject: system.OfNetworks, Headlines: network.Headlines, Levers: setting.Levers,
		Default: setting.DefaultSpec(),
		New: func(env *system.Env, name string, s setting.Spec, v configs.Value) (system.Node, error) {
			if err := s.CheckKeys(v); err != nil {
				return nil, err
			}
			if err := s.Resolve(v, env.File); err != nil {
				return nil, err
			}
			c, err := NewNode(name, env.Engine, s, seedOf(env.Seed, name))
			if err != nil {
				return nil, locate(v, err)
			}
			return c, nil
		},
	})
}

// seedOf mixes the seed of a simulation with the name of a node.
func seedOf(seed uint64, name string) uint64 {
	h := fnv.New64a()
	_, _ = h.Write([]byte(name)) // never fails, see hash.Hash
	return seed ^ h.Sum64()
}

// locate points an error at the key that it is about.
func locate(v configs.Value, err error) error {
	if configs.PosOf(err) != (configs.Pos{}) {
		return err
	}
	var key *setting.KeyError
	var cycle *cycleError
	at := v
	switch {
	case errors.As(err, &key):
		at = v.Get("router")
		if x := at.Get(key.Key); x.Exists() {
			at = x
		}
		if !at.Exists() {
			at = v
		}
		return at.Errorf(key.Want, "%s", key.Text)
	case errors.As(err, &cycle):
		at = v.Get("routing")
	default:
		at = v.Get("router")
	}
	if !at.Exists() {
		at = v
	}
	return network.Blame(at, err)
}
