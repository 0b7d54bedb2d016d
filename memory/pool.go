package memory

import (
	"fmt"

	"github.com/sarchlab/akita/v3/mem/mem"
	"github.com/sarchlab/akita/v3/sim"
)

// A Responses pool makes the response messages of a responder without allocating.
//
// A requester with a *Hint reuses a request only after it has handled the response, so the
// response is reused with the request. A request without a Hint gets a new response.
type Responses struct {
	reads  map[*mem.ReadReq]*mem.DataReadyRsp
	writes map[*mem.WriteReq]*mem.WriteDoneRsp
}

// Respond returns the response to a read or a write, sent from src at now.
func (p *Responses) Respond(req sim.Msg, src sim.Port, now sim.VTimeInSec) sim.Msg {
	switch m := req.(type) {
	case *mem.ReadReq:
		return p.Read(m, src, now)
	case *mem.WriteReq:
		return p.Write(m, src, now)
	}
	panic(fmt.Sprintf("memory: %T is no request", req))
}

// Read returns the response to req, sent from src at now. Its ID is that of
// the request after an 'r', which is as unique in flight as the request's.
func (p *Responses) Read(req *mem.ReadReq, src sim.Port, now sim.VTimeInSec) *mem.DataReadyRsp {
	var rsp *mem.DataReadyRsp
	if HintOf(req.Info) != nil {
		rsp = p.reads[req]
	}
	if rsp == nil {
		rsp = &mem.DataReadyRsp{}
		if HintOf(req.Info) != nil {
			if p.reads == nil {
				p.reads = map[*mem.ReadReq]*mem.DataReadyRsp{}
			}
			p.reads[req] = rsp
		}
	}
	if rsp.RespondTo != req.ID {
		rsp.ID, rsp.RespondTo = "r"+req.ID, req.ID
	}
	rsp.Src, rsp.Dst, rsp.SendTime = src, req.Src, now
	rsp.TrafficBytes = int(req.AccessByteSize)
	return rsp
}

// Write returns the response to req, sent from src at now.
func (p *Responses) Write(req *mem.WriteReq, src sim.Port, now sim.VTimeInSec) *mem.WriteDoneRsp {
	var rsp *mem.WriteDoneRsp
	if HintOf(req.Info) != nil {
		rsp = p.writes[req]
	}
	if rsp == nil {
		rsp = &mem.WriteDoneRsp{}
		if HintOf(req.Info) != nil {
			if p.writes == nil {
				p.writes = map[*mem.WriteReq]*mem.WriteDoneRsp{}
			}
			p.writes[req] = rsp
		}
	}
	if rsp.RespondTo != req.ID {
		rsp.ID, rsp.RespondTo = "r"+req.ID, req.ID
	}
	rsp.Src, rsp.Dst, rsp.SendTime = src, req.Src, now
	rsp.TrafficBytes = 0
	return rsp
}
