package engine_test

import (
	"fmt"

	"github.com/causeway-sim/causeway/components/clock"
	"github.com/causeway-sim/causeway/components/engine"
	"github.com/sarchlab/akita/v3/sim"
)

// A greeting is a message with a text.
type greeting struct {
	sim.MsgMeta
	text string
}

// Meta is what Akita wants of a message.
func (g *greeting) Meta() *sim.MsgMeta { return &g.MsgMeta }

// A greeter sends what it has to say and prints what it hears.
type greeter struct {
	*sim.ComponentBase
	tick *engine.Ticker
	port *engine.Port
	say  []string
}

func newGreeter(e sim.Engine, name string, c clock.Clock, say ...string) *greeter {
	g := &greeter{ComponentBase: sim.NewComponentBase(name), say: say}
	g.tick = engine.NewTicker(e, c, g)
	g.port = engine.NewPort(g, name+".Port", 4)
	g.AddPort("Port", g.port)
	g.tick.WakeAt(0)
	return g
}

// NotifyRecv and NotifyPortFree only wake the component.
func (g *greeter) NotifyRecv(now sim.VTimeInSec, _ sim.Port)     { g.tick.WakeAfter(now) }
func (g *greeter) NotifyPortFree(now sim.VTimeInSec, _ sim.Port) { g.tick.WakeAfter(now) }

// Handle is one cycle.
func (g *greeter) Handle(ev sim.Event) error {
	now := ev.Time()
	for m := g.port.Retrieve(now); m != nil; m = g.port.Retrieve(now) {
		fmt.Printf("%s hears %q in its cycle %d\n", g.Name(), m.(*greeting).text, g.tick.Cycle(now))
	}
	for len(g.say) > 0 {
		m := &greeting{text: g.say[0]}
		m.Src, m.SendTime = g.port, now
		if g.port.Send(m) != nil {
			break // NotifyPortFree wakes us
		}
		g.say = g.say[1:]
	}
	return nil
}

// Two components with clocks of their own talk over a wire.
func Example() {
	e := engine.New()
	fast, slow := clock.Hz(2e9), clock.Hz(940e6)
	a := newGreeter(e, "Ann", fast, "hello", "are you there?")
	b := newGreeter(e, "Bob", slow, "yes")
	w := engine.NewWire("Wire", e)
	w.Attach(a.port, fast, engine.EndOptions{Latency: 1})
	w.Attach(b.port, slow, engine.EndOptions{Latency: 3})
	if err := e.Run(); err != nil {
		fmt.Println(err)
	}
	// Output:
	// Ann hears "yes" in its cycle 1
	// Bob hears "hello" in its cycle 3
	// Bob hears "are you there?" in its cycle 3
}

// A run that cannot go on says who waits for whom.
func ExampleEngine_Watch() {
	e := engine.New()
	e.Watch(waiting{{Who: "Core", For: "Mem", Why: "3 reads outstanding"}})
	fmt.Println(e.Run())
	// Output:
	// stuck at 0 s: nothing is scheduled any more
	//   Core waits for Mem: 3 reads outstanding
}

type waiting []engine.Wait

// Waiting is the list itself.
func (w waiting) Waiting() []engine.Wait { return w }
