package player

import (
	"github.com/causeway-sim/causeway/memory/block"
	"github.com/causeway-sim/causeway/workloads/graph"
	"github.com/causeway-sim/causeway/workloads/trace"
)

// ahead makes the next record that is read ahead the next request; false if there is none.
func (f *feed) ahead() bool {
	if f.lot.Left() == 0 {
		most := ^uint64(0)
		if f.spec.Limit > 0 {
			most = f.spec.Limit - f.taken
		}
		if f.batch.Batch(&f.lot, most); f.lot.N == 0 {
			return false
		}
	}
	i := f.lot.At
	f.lot.At++
	f.rec = trace.Record{Addr: f.lot.Addr[i], PC: f.lot.PC[i], Core: f.lot.Core[i]}
	f.size = uint64(f.spec.Bytes)
	f.empty++
	f.kind, f.about = graph.Activation, nil
	return true
}

// reads makes r the next request and those after it that are at hand, most at most; none
// if the next is no plain read.
func (f *feed) reads(most uint64, r *block.Reads) {
	r.Bytes, r.Least, r.Greatest = f.size, f.lot.Least, f.lot.Greatest
	if n := min(f.lot.Left()+1, int(min(most, uint64(len(f.lot.Addr))))); n > 1 {
		from, to := f.lot.At-1, f.lot.At-1+n
		r.Addr, r.PC, r.Core = f.lot.Addr[from:to], f.lot.PC[from:to], f.lot.Core[from:to]
		return
	}
	n := 1
	if f.rec.Write || f.rec.Tensor > 0 || f.rec.Reuse > 0 {
		n = 0
	}
	o := &f.one
	o.addr[0], o.pc[0], o.core[0] = f.rec.Addr, f.rec.PC, f.rec.Core
	r.Addr, r.PC, r.Core = o.addr[:n], o.pc[:n], o.core[:n]
}

// single is a request as arrays of one.
type single struct {
	addr, pc [1]uint64
	core     [1]uint32
}

// skip advances by n requests, all of which have been read.
func (f *feed) skip(n int) {
	if n > 0 {
		f.lot.At += n
		f.empty += uint64(n)
		f.handOut(uint64(n))
	}
	f.next()
}
