package tiering_test

import (
	"fmt"

	"github.com/sarchlab/akita/v3/mem/mem"
	"github.com/sarchlab/akita/v3/sim"

	"github.com/causeway-sim/causeway/components/clock"
	"github.com/causeway-sim/causeway/components/units"
	"github.com/causeway-sim/causeway/memory"
	"github.com/causeway-sim/causeway/memory/inorder"
	"github.com/causeway-sim/causeway/memory/tiering"
	"github.com/causeway-sim/causeway/memory/tiering/placement"
)

// A reader is an ordinary Akita component: it reads a page once and another one
// again and again.
type reader struct {
	*sim.TickingComponent
	port, dst sim.Port
	at        sim.VTimeInSec
	sent      int
	addr      uint64
	waits     bool
}

func (r *reader) Tick(now sim.VTimeInSec) bool {
	if rsp := r.port.Retrieve(now); rsp != nil {
		if r.sent == 2 || r.sent == 40 {
			fmt.Printf("read %d: %.0f ns\n", r.sent, (now-r.at)*1e9)
		}
		r.waits = false
	}
	if r.waits || r.sent == 40 {
		return false
	}
	req := mem.ReadReqBuilder{}.WithSrc(r.port).WithDst(r.dst).WithSendTime(now).WithAddress(r.addr).WithByteSize(64).Build()
	if r.port.Send(req) == nil {
		r.at, r.waits, r.addr = now, true, 0x1000 // another page
		r.sent++
	}
	return true
}

// The node works in a plain Akita program, with Akita's engine and connections. A
// page that starts far away and is hot comes near.
func ExampleNew() {
	e := sim.NewSerialEngine()
	spec := tiering.DefaultSpec()
	spec.Page, spec.Interval = 256, units.InTime(500*units.Nanosecond)
	spec.Policy = placement.Choose("hemem", nil)
	spec.Capacity = []units.Bytes{256} // one page is near
	tier, err := tiering.New("Tier", e, spec)
	if err != nil {
		panic(err)
	}
	pairs := [][]sim.Port{}
	for i, latency := range []uint64{50, 200} {
		m := inorder.New(fmt.Sprintf("Memory[%d]", i), e, clock.GHz, 0, &flat{latency: latency})
		top := m.GetPortByName("Top")
		homes, err := memory.NewMap(memory.Range{
			Base: uint64(i) * 1 << 20, Size: 1 << 20, Ports: []sim.Port{top}, Paths: []memory.Path{{Clock: clock.GHz, Latency: latency}},
		})
		if err == nil {
			err = tier.SetMap(fmt.Sprintf("bottom[%d]", i), homes)
		}
		if err != nil {
			panic(err)
		}
		pairs = append(pairs, []sim.Port{tier.GetPortByName(fmt.Sprintf("Bottom[%d]", i)), top})
	}
	r := &reader{dst: tier.GetPortByName("Top")}
	r.TickingComponent = sim.NewTickingComponent("Reader", e, 1*sim.GHz, r)
	r.port = sim.NewLimitNumMsgPort(r, 4, "Reader.Mem")
	for i, ports := range append(pairs, []sim.Port{r.port, r.dst}) {
		c := sim.NewDirectConnection(fmt.Sprintf("Connection[%d]", i), e, 1*sim.GHz)
		for _, p := range ports {
			c.PlugIn(p, 4)
		}
	}
	r.TickNow(0)
	if err := e.Run(); err != nil {
		panic(err)
	}
	for _, m := range tier.Stats().Metrics() {
		if m.Name == "moves" || m.Name == "tier0_reads" {
			fmt.Println(m.Name, m.Value)
		}
	}
	// Output:
	// read 2: 204 ns
	// read 40: 54 ns
	// moves 1
	// tier0_reads 32
}
