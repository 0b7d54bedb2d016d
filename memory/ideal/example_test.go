package ideal_test

import (
	"fmt"

	"github.com/sarchlab/akita/v3/mem/mem"
	"github.com/sarchlab/akita/v3/sim"

	"github.com/causeway-sim/causeway/components/units"
	"github.com/causeway-sim/causeway/memory/ideal"
)

// A reader is an ordinary Akita component: it reads four lines and prints when
// each has come.
type reader struct {
	*sim.TickingComponent
	port sim.Port
	dst  sim.Port
	sent int
}

func (r *reader) Tick(now sim.VTimeInSec) bool {
	progress := false
	if rsp := r.port.Retrieve(now); rsp != nil {
		fmt.Printf("%2.0f ns: %T\n", now*1e9, rsp)
		progress = true
	}
	if r.sent < 4 {
		req := mem.ReadReqBuilder{}.WithSrc(r.port).WithDst(r.dst).WithSendTime(now).
			WithAddress(uint64(64 * r.sent)).WithByteSize(64).Build()
		if r.port.Send(req) == nil {
			r.sent++
			progress = true
		}
	}
	return progress
}

// The memory works in a plain Akita program, with Akita's engine, port and
// connection.
func Example() {
	engine := sim.NewSerialEngine()
	memory := ideal.MakeBuilder().
		WithEngine(engine).
		WithFreq(1 * sim.GHz).
		WithLatency(10).
		WithBandwidth(units.Bandwidth(8 * 16e9)). // 16 GB/s: 64 B take 4 ns
		Build("Memory")

	r := &reader{dst: memory.GetPortByName("Top")}
	r.TickingComponent = sim.NewTickingComponent("Reader", engine, 1*sim.GHz, r)
	r.port = sim.NewLimitNumMsgPort(r, 4, "Reader.Mem")

	connection := sim.NewDirectConnection("Connection", engine, 1*sim.GHz)
	connection.PlugIn(r.port, 4)
	connection.PlugIn(memory.GetPortByName("Top"), 4)

	r.TickNow(0)
	if err := engine.Run(); err != nil {
		panic(err)
	}
	for _, m := range memory.Stats().Metrics() {
		fmt.Println(m.Name, m.Value, m.Unit)
	}
	// Output:
	// 16 ns: *mem.DataReadyRsp
	// 20 ns: *mem.DataReadyRsp
	// 24 ns: *mem.DataReadyRsp
	// 28 ns: *mem.DataReadyRsp
	// bandwidth 9.846153846153847 GB/s
	// bandwidth_utilization 61.53846153846154 %
	// latency_max 23 ns
	// latency_mean 18.5 ns
	// read_bytes 256 B
	// reads 4 request
	// write_bytes 0 B
	// writes 0 request
}
