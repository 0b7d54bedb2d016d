package cxl_test

import (
	"testing"

	"github.com/sarchlab/akita/v3/mem/mem"
	"github.com/sarchlab/akita/v3/sim"
	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/components/engine"
	"github.com/causeway-sim/causeway/memory/cxl"
	"github.com/causeway-sim/causeway/memory/cxl/setting"
	"github.com/causeway-sim/causeway/memory/ideal"
)

// A foreign component's request that ends beyond all addresses, or has more lines than
// can be counted, ends the run with an error.
func TestAbsurdRequests(t *testing.T) {
	for _, c := range [][2]uint64{{^uint64(0) - 10, 64}, {0, 1 << 60}, {64, ^uint64(0)}} {
		e := engine.New()
		memory := ideal.MakeBuilder().WithEngine(e).WithLatency(50).WithSize(4 << 30).Build("Memory")
		root := cxl.MakeBuilder().WithEngine(e).WithSeed(7).WithDevice(setting.DefaultType3(), memory).Build("Root")
		r := &absurd{at: c[0], bytes: c[1], dst: root.GetPortByName("Host")}
		r.TickingComponent = sim.NewTickingComponent("Reader", e, 1*sim.GHz, r)
		r.port = sim.NewLimitNumMsgPort(r, 4, "Reader.Mem")
		wire := sim.NewDirectConnection("Connection", e, 1*sim.GHz)
		wire.PlugIn(r.port, 4)
		wire.PlugIn(r.dst, 4)
		r.TickNow(0)
		require.ErrorContains(t, e.Run(), "cxl: Root: a request of ")
	}
}

// absurd sends one request.
type absurd struct {
	*sim.TickingComponent
	port, dst sim.Port
	at, bytes uint64
	sent      bool
}

func (r *absurd) Tick(now sim.VTimeInSec) bool {
	if r.sent {
		return false
	}
	r.sent = true
	req := mem.ReadReqBuilder{}.WithSrc(r.port).WithDst(r.dst).WithSendTime(now).WithAddress(r.at).WithByteSize(r.bytes).Build()
	return r.port.Send(req) == nil
}
