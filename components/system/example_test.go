package system_test

import (
	"fmt"

	"github.com/sarchlab/akita/v3/mem/mem"
	"github.com/sarchlab/akita/v3/sim"

	"github.com/causeway-sim/causeway/components/engine"
	"github.com/causeway-sim/causeway/components/stats"
	"github.com/causeway-sim/causeway/components/system"
	"github.com/causeway-sim/causeway/components/units"
	"github.com/causeway-sim/causeway/configs"
	"github.com/causeway-sim/causeway/memory"
)

// A prober is the smallest node that sends requests: it reads one address.
type prober struct {
	*sim.ComponentBase
	port   *engine.Port
	ticker *engine.Ticker
	spec   proberSpec
	home   sim.Port
	group  *stats.Group
	sent   bool
	took   uint64 // cycles
}

// A proberSpec has the keys that the kind accepts, with their defaults below.
type proberSpec struct {
	Clock   units.Frequency `yaml:"clock" doc:"Clock of the prober"`
	Address units.Bytes     `yaml:"address" doc:"Address that is read"`
}

func newProber(env *system.Env, name string, s proberSpec, _ configs.Value) (system.Node, error) {
	p := &prober{ComponentBase: sim.NewComponentBase(name), spec: s, group: stats.NewGroup(name)}
	p.port = engine.NewPort(p, name+".Mem", 1)
	p.AddPort("Mem", p.port)
	p.ticker = engine.NewTicker(env.Engine, s.Clock.Clock, p)
	p.ticker.WakeAt(0)
	p.group.Count("took", stats.Cycle, "Cycles until the answer came.", &p.took)
	return p, nil
}

func (p *prober) PortSpecs() []system.PortSpec {
	return []system.PortSpec{{Name: "mem", Protocol: system.Mem, Role: system.Requests, Ports: []sim.Port{p.port}, Clock: p.spec.Clock.Clock}}
}

func (p *prober) Stats() *stats.Group { return p.group }

func (p *prober) SetMap(_ string, m *memory.Map) error {
	r, i, _, ok := m.Find(uint64(p.spec.Address))
	if !ok {
		return fmt.Errorf("address %s has no home", p.spec.Address)
	}
	p.home = r.Ports[i]
	return nil
}

func (p *prober) Handle(e sim.Event) error {
	if p.port.Retrieve(e.Time()) != nil {
		p.took = p.ticker.Cycle(e.Time())
	}
	if !p.sent {
		p.sent = true
		p.port.Send(mem.ReadReqBuilder{}.WithSrc(p.port).WithDst(p.home).WithSendTime(e.Time()).
			WithAddress(uint64(p.spec.Address)).WithByteSize(64).Build())
	}
	return nil
}

func (p *prober) NotifyRecv(now sim.VTimeInSec, _ sim.Port)     { p.ticker.WakeAfter(now) }
func (p *prober) NotifyPortFree(now sim.VTimeInSec, _ sim.Port) { p.ticker.WakeAfter(now) }

func init() {
	system.Register(system.Kind[proberSpec]{
		Name: "prober", Doc: "Reads one address.", Default: proberSpec{Clock: ghz()}, New: newProber,
	})
}

// An importer's own node kind stands in a configuration beside the built-in
// ones.
func Example() {
	doc, err := configs.Parse("example.yaml", []byte(`
schema: causeway/1
nodes:
  - {name: Probe, kind: prober, count: 2, elements: [{index: 1, address: 1GiB}]}
  - {name: Near, kind: memory, fidelity: ideal, latency: 20ns, size: 1GiB}
  - {name: Far, kind: memory, fidelity: ideal, latency: 150ns, size: 8GiB}
links:
  - Probe[0] -> Near
  - Probe[1] -> Far
memory:
  - {tier: near, node: Near, base: 0GiB}
  - {tier: far, node: Far, base: 1GiB}
`), configs.Options{})
	if err != nil {
		panic(err)
	}
	e := engine.New()
	s, err := system.Build(doc, &system.Env{Engine: e})
	if err != nil {
		panic(err)
	}
	if err := e.Run(); err != nil {
		panic(err)
	}
	for _, n := range s.Array("Probe") {
		for _, m := range n.Stats().Metrics() {
			fmt.Println(m.Where, m.Name, m.Value, m.Unit)
		}
	}
	// Output:
	// Probe[0] took 22 cycle
	// Probe[1] took 152 cycle
}
