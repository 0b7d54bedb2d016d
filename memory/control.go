package memory

import (
	"math"

	"github.com/sarchlab/akita/v3/sim"
)

// A ControlOp is an operation on lines of a cache.
type ControlOp uint8

// The operations of a ControlReq.
const (
	Clean      ControlOp = iota + 1 // write back what is dirty, and keep the lines
	Flush                           // write back what is dirty, and drop the lines
	Invalidate                      // drop the lines, written or not
)

func (o ControlOp) String() string {
	return [...]string{"none", "clean", "flush", "invalidate"}[o]
}

// A ControlReq asks a cache to clean, flush or invalidate the lines that touch a range of
// addresses. The cache carries it out after all earlier requests, and answers with a ControlRsp
// when memory has acknowledged all write-backs.
type ControlReq struct {
	sim.MsgMeta
	Op          ControlOp
	Addr, Bytes uint64 // 0 bytes: everything
}

// Meta implements sim.Msg.
func (r *ControlReq) Meta() *sim.MsgMeta { return &r.MsgMeta }

// Lines returns the first and the last line, of 1<<shift bytes, that the range touches.
func (r *ControlReq) Lines(shift uint) (first, last uint64) {
	if r.Bytes == 0 {
		return 0, math.MaxUint64
	}
	return r.Addr >> shift, (r.Addr + r.Bytes - 1) >> shift
}

// A ControlRsp answers a ControlReq.
type ControlRsp struct {
	sim.MsgMeta
	RespondTo string
}

// Meta implements sim.Msg.
func (r *ControlRsp) Meta() *sim.MsgMeta { return &r.MsgMeta }

// GetRspTo implements sim.Rsp.
func (r *ControlRsp) GetRspTo() string { return r.RespondTo }
