package cache_test

import (
	"fmt"

	"github.com/sarchlab/akita/v3/mem/mem"
	"github.com/sarchlab/akita/v3/sim"

	"github.com/causeway-sim/causeway/memory"
	"github.com/causeway-sim/causeway/memory/cache"
	"github.com/causeway-sim/causeway/memory/dram"
)

// A scribe is an ordinary Akita component that needs bytes: it writes, reads back and
// prints what it got.
type scribe struct {
	*sim.TickingComponent
	port, dst sim.Port
	list      []sim.Msg
	waits     bool
}

func (s *scribe) Tick(now sim.VTimeInSec) bool {
	if rsp := s.port.Retrieve(now); rsp != nil {
		if d, ok := rsp.(*mem.DataReadyRsp); ok {
			fmt.Printf("read %q\n", d.Data)
		}
		s.waits = false
	}
	if s.waits || len(s.list) == 0 {
		return false
	}
	m := s.list[0]
	m.Meta().Src, m.Meta().Dst, m.Meta().SendTime = s.port, s.dst, now
	if s.port.Send(m) == nil {
		s.list, s.waits = s.list[1:], true
	}
	return true
}

func write(addr uint64, data string, mask []bool) sim.Msg {
	m := mem.WriteReqBuilder{}.WithAddress(addr).WithData([]byte(data)).WithDirtyMask(mask).Build()
	return m
}

func read(addr, bytes uint64) sim.Msg {
	return mem.ReadReqBuilder{}.WithAddress(addr).WithByteSize(bytes).Build()
}

// The cache and a DDR4 device below it carry bytes in a plain Akita program, with
// Akita's engine and connections: a write with a mask, lines that displace each other,
// and what the device holds at the end.
func ExampleMakeBuilder() {
	engine := sim.NewSerialEngine()
	llc := cache.MakeBuilder().WithEngine(engine).WithFreq(2 * sim.GHz).
		With(func(s *cache.TimedSpec) { s.Functional, s.Size, s.Ways = true, 128, 1 }). // two lines
		Build("LLC")
	device := dram.MakeBuilder().WithEngine(engine).
		With(func(s *dram.Spec) { s.Functional = true }).
		Build("DRAM")
	homes, err := memory.NewMap(memory.Range{Size: 1 << 30, Ports: []sim.Port{device.GetPortByName("Top")}, Paths: make([]memory.Path, 1)})
	if err == nil {
		err = llc.SetMap("bottom", homes)
	}
	if err != nil {
		panic(err)
	}
	s := &scribe{dst: llc.GetPortByName("Top"), list: []sim.Msg{
		write(0, "causeway", nil),
		write(0, "CXXXXXXX", []bool{true, false, false, false, false, false, false, false}),
		read(0, 8),
		write(128, "another line of the same set", nil), // displaces the first
		read(128, 12),
		read(0, 8), // and is displaced
	}}
	s.TickingComponent = sim.NewTickingComponent("Scribe", engine, 1*sim.GHz, s)
	s.port = sim.NewLimitNumMsgPort(s, 4, "Scribe.Mem")
	for i, ports := range [][]sim.Port{{s.port, s.dst}, {llc.GetPortByName("Bottom"), device.GetPortByName("Top")}} {
		c := sim.NewDirectConnection(fmt.Sprintf("Connection[%d]", i), engine, 1*sim.GHz)
		for _, p := range ports {
			c.PlugIn(p, 4)
		}
	}
	s.TickNow(0)
	if err := engine.Run(); err != nil {
		panic(err)
	}
	held, _ := device.Storage().Read(128, 12)
	fmt.Printf("held %q\n", held)
	// Output:
	// read "Causeway"
	// read "another line"
	// read "Causeway"
	// held "another line"
}
