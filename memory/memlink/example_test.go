package memlink_test

import (
	"fmt"

	"github.com/sarchlab/akita/v3/mem/mem"
	"github.com/sarchlab/akita/v3/sim"

	"github.com/causeway-sim/causeway/memory"
	"github.com/causeway-sim/causeway/memory/ideal"
	"github.com/causeway-sim/causeway/memory/memlink"
)

// A reader is an ordinary Akita component: it reads three lines.
type reader struct {
	*sim.TickingComponent
	port, dst sim.Port
	sent      int
}

func (r *reader) Tick(now sim.VTimeInSec) bool {
	progress := false
	if rsp := r.port.Retrieve(now); rsp != nil {
		fmt.Printf("%.0f ns: %T\n", now*1e9, rsp)
		progress = true
	}
	if r.sent < 3 {
		req := mem.ReadReqBuilder{}.WithSrc(r.port).WithDst(r.dst).WithSendTime(now).
			WithAddress(uint64(4096 * r.sent)).WithByteSize(4096).Build()
		if r.port.Send(req) == nil {
			r.sent++
			progress = true
		}
	}
	return progress
}

// The link works in a plain Akita program, with Akita's engine, port and connection.
func Example() {
	engine := sim.NewSerialEngine()
	link, err := memlink.New("Link", engine, memlink.DefaultSpec())
	if err != nil {
		panic(err)
	}
	far := ideal.MakeBuilder().WithEngine(engine).WithFreq(1 * sim.GHz).WithLatency(50).Build("Far")
	top := far.GetPortByName("Top")
	homes, err := memory.NewMap(memory.Range{Size: 1 << 30, Ports: []sim.Port{top}, Paths: make([]memory.Path, 1)})
	if err == nil {
		err = link.SetMap("bottom", homes)
	}
	if err != nil {
		panic(err)
	}
	r := &reader{dst: link.GetPortByName("Top")}
	r.TickingComponent = sim.NewTickingComponent("Reader", engine, 1*sim.GHz, r)
	r.port = sim.NewLimitNumMsgPort(r, 4, "Reader.Mem")
	for i, ports := range [][]sim.Port{{r.port, r.dst}, {link.GetPortByName("Bottom"), top}} {
		c := sim.NewDirectConnection(fmt.Sprintf("Connection[%d]", i), engine, 1*sim.GHz)
		for _, p := range ports {
			c.PlugIn(p, 64)
		}
	}
	r.TickNow(0)
	if err := engine.Run(); err != nil {
		panic(err)
	}
	fmt.Println(link.Stats().Verify())
	// Output:
	// 295 ns: *mem.DataReadyRsp
	// 339 ns: *mem.DataReadyRsp
	// 382 ns: *mem.DataReadyRsp
	// []
}
