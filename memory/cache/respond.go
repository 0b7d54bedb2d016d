package cache

import (
	"fmt"

	"github.com/sarchlab/akita/v3/sim"

	"github.com/causeway-sim/causeway/memory"
)

// respond answers a request and forgets it.
func (b *base) respond(i uint32, now sim.VTimeInSec, cycle uint64) error {
	r := b.requests.At(i)
	var rsp sim.Msg
	switch m := r.msg.(type) {
	case *memory.ControlReq:
		if b.isOwn(m) {
			b.flush.ended = cycle
			break
		}
		rsp = controlResponse(m, b.top, now)
	default:
		rsp = b.responses.Respond(m, b.top, now)
		b.giveBytes(r, rsp, cycle)
	}
	if !b.isOwn(r.msg) && b.top.Send(rsp) != nil {
		return fmt.Errorf("cache: %s: the wire refused a message after it had room", b.Name())
	}
	if _, ok := r.msg.(*memory.ControlReq); !ok {
		b.count.answer(cycle-r.at, cycle)
	}
	b.tasks.End(now, r.task)
	if r.drop {
		b.incl.recalls.Push(recall{r.addr >> b.shift, r.msg.Meta().Src})
		b.incl.recalled++
	}
	*r = request{} // the requester may reuse or drop the message
	b.requests.Give(i)
	return nil
}

func controlResponse(m *memory.ControlReq, src sim.Port, now sim.VTimeInSec) sim.Msg {
	rsp := &memory.ControlRsp{RespondTo: m.ID}
	rsp.ID, rsp.Src, rsp.Dst, rsp.SendTime = "r"+m.ID, src, m.Src, now
	return rsp
}
