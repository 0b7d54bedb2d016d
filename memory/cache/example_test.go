package cache_test

import (
	"fmt"

	"github.com/sarchlab/akita/v3/mem/mem"
	"github.com/sarchlab/akita/v3/sim"

	"github.com/causeway-sim/causeway/components/clock"
	"github.com/causeway-sim/causeway/components/units"
	"github.com/causeway-sim/causeway/memory"
	"github.com/causeway-sim/causeway/memory/cache"
	"github.com/causeway-sim/causeway/memory/inorder"
)

// A reader is an ordinary Akita component: it reads a line three times and prints
// when each has come.
type reader struct {
	*sim.TickingComponent
	port, dst sim.Port
	sent      int
	waits     bool
}

func (r *reader) Tick(now sim.VTimeInSec) bool {
	if rsp := r.port.Retrieve(now); rsp != nil {
		fmt.Printf("%3.0f ns: %T\n", now*1e9, rsp)
		r.waits = false
	}
	if r.waits || r.sent == 3 {
		return false
	}
	req := mem.ReadReqBuilder{}.WithSrc(r.port).WithDst(r.dst).WithSendTime(now).
		WithAddress(0x40).WithByteSize(64).Build()
	if r.port.Send(req) == nil {
		r.sent++
		r.waits = true
	}
	return true
}

// The cache works in a plain Akita program, with Akita's engine and connections.
// Its address map says where the memories below are.
func ExampleNewTimed() {
	engine := sim.NewSerialEngine()
	spec := cache.DefaultTimedSpec()
	spec.Latency, spec.TagLatency = units.InCycles(20), units.InCycles(5)
	llc, err := cache.NewTimed("LLC", engine, spec)
	if err != nil {
		panic(err)
	}
	below := inorder.New("Memory", engine, clock.GHz, 0, flat(50))
	homes, err := memory.NewMap(memory.Range{Size: 1 << 30, Ports: []sim.Port{below.GetPortByName("Top")}, Paths: make([]memory.Path, 1)})
	if err == nil {
		err = llc.SetMap("bottom", homes)
	}
	if err != nil {
		panic(err)
	}
	r := &reader{dst: llc.GetPortByName("Top")}
	r.TickingComponent = sim.NewTickingComponent("Reader", engine, 1*sim.GHz, r)
	r.port = sim.NewLimitNumMsgPort(r, 4, "Reader.Mem")
	for i, ports := range [][]sim.Port{{r.port, r.dst}, {llc.GetPortByName("Bottom"), below.GetPortByName("Top")}} {
		c := sim.NewDirectConnection(fmt.Sprintf("Connection[%d]", i), engine, 1*sim.GHz)
		for _, p := range ports {
			c.PlugIn(p, 4)
		}
	}
	r.TickNow(0)
	if err := engine.Run(); err != nil {
		panic(err)
	}
	for _, m := range llc.Stats().Metrics() {
		if m.Name == "hits" || m.Name == "misses" {
			fmt.Println(m.Name, m.Value)
		}
	}
	// Output:
	//  74 ns: *mem.DataReadyRsp
	//  96 ns: *mem.DataReadyRsp
	// 118 ns: *mem.DataReadyRsp
	// hits 2
	// misses 1
}
