package cxl_test

import (
	"fmt"

	"github.com/sarchlab/akita/v3/mem/mem"
	"github.com/sarchlab/akita/v3/sim"

	"github.com/causeway-sim/causeway/components/units"
	"github.com/causeway-sim/causeway/memory/cxl"
	"github.com/causeway-sim/causeway/memory/cxl/setting"
	"github.com/causeway-sim/causeway/memory/ideal"
)

// reader is a component of another program: it reads four lines.
type reader struct {
	*sim.TickingComponent
	port, dst sim.Port
	sent      int
}

func (r *reader) Tick(now sim.VTimeInSec) bool {
	progress := false
	if rsp := r.port.Retrieve(now); rsp != nil {
		fmt.Printf("%3.0f ns: %T\n", now*1e9, rsp)
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

// read has a reader on a connection read from a port until all is answered.
func read(e sim.Engine, from sim.Port) {
	r := &reader{dst: from}
	r.TickingComponent = sim.NewTickingComponent("Reader", e, 1*sim.GHz, r)
	r.port = sim.NewLimitNumMsgPort(r, 4, "Reader.Mem")
	connection := sim.NewDirectConnection("Connection", e, 1*sim.GHz)
	connection.PlugIn(r.port, 4)
	connection.PlugIn(from, 4)
	r.TickNow(0)
	if err := e.Run(); err != nil {
		panic(err)
	}
}

// A memory of 50 ns behind CXL, in plain Akita.
func Example() {
	e := sim.NewSerialEngine()
	memory := ideal.MakeBuilder().WithEngine(e).WithLatency(50).WithSize(4 << 30).Build("Memory")
	root := cxl.MakeBuilder().WithEngine(e).WithDevice(setting.DefaultType3(), memory).Build("Root")

	read(e, root.GetPortByName("Host"))
	// Output:
	// 135 ns: *mem.DataReadyRsp
	// 136 ns: *mem.DataReadyRsp
	// 137 ns: *mem.DataReadyRsp
	// 138 ns: *mem.DataReadyRsp
}

// An accelerator reads four lines of its device's memory, in plain Akita. They are in
// device bias, so that the host is not asked; the first time they come from the memory.
func ExampleBuilder_WithType2() {
	e := sim.NewSerialEngine()
	memory := ideal.MakeBuilder().WithEngine(e).WithLatency(50).WithSize(4 << 30).Build("Memory")
	spec := setting.DefaultType2()
	spec.HDM = "d"
	root := cxl.MakeBuilder().WithEngine(e).WithType2(spec, memory).Build("Root")

	read(e, root.Device(0).GetPortByName("Dev"))
	// Output:
	//  62 ns: *mem.DataReadyRsp
	//  63 ns: *mem.DataReadyRsp
	//  64 ns: *mem.DataReadyRsp
	//  65 ns: *mem.DataReadyRsp
}

// The link to the device is lost while four reads are under way: they are answered with
// poison once the root has waited long enough.
func ExampleBuilder() {
	e := sim.NewSerialEngine()
	memory := ideal.MakeBuilder().WithEngine(e).WithLatency(50).WithSize(4 << 30).Build("Memory")
	spec := setting.DefaultRoot()
	spec.Timeout = units.InTime(500 * units.Nanosecond)
	spec.Lost = []setting.LossSpec{{Down: 0, At: units.InTime(100 * units.Nanosecond)}}
	root := cxl.MakeBuilder().WithEngine(e).WithRoot(spec).WithDevice(setting.DefaultType3(), memory).Build("Root")

	read(e, root.GetPortByName("Host"))
	for _, m := range root.Stats().Metrics() {
		if m.Name == "reads_timed_out" {
			fmt.Println(m.Value, m.Name)
		}
	}
	// Output:
	// 521 ns: *mem.DataReadyRsp
	// 522 ns: *mem.DataReadyRsp
	// 523 ns: *mem.DataReadyRsp
	// 524 ns: *mem.DataReadyRsp
	// 4 reads_timed_out
}
