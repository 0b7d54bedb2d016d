package cpu

import (
	"fmt"
	"io"
	"strings"
	"sync/atomic"

	"github.com/causeway-sim/causeway/workloads/synthetic"
	"github.com/causeway-sim/causeway/workloads/trace"
)

// A program supplies the accesses of a core, reading one ahead.
type program struct {
	spec *Spec
	core int
	file *trace.File

	rec   trace.Record
	ahead trace.Record // read too early; good if held
	held  bool
	ok    bool  // rec is the next access
	fault error // what ended it; io.EOF at its end

	timed   bool   // records have times
	counted bool   // that are instructions
	before  uint64 // instruction of the record before
	need    uint64 // instructions of the access, itself included
	later   uint64 // of the one held
	begun   bool   // a record was read
	first   uint32 // core of the first record
	cores   bool   // others are of other cores

	handed uint64        // with time
	shown  atomic.Uint64 // as many, as far as others know
	ended  atomic.Bool   // there are no more
}

// endless reports whether the program begins again by itself.
func (p *program) endless() bool {
	e, ok := p.spec.Generate.Layer().(synthetic.Endless)
	return ok && e.Endless()
}

// pass is the number of accesses after which the program repeats; 0: unknown.
func (p *program) pass() uint64 {
	if l, ok := p.spec.Generate.Layer().(synthetic.Periodic); ok {
		return l.Period()
	}
	return 0
}

// span is the bytes from the first address to the last; 0: not known, as of a trace.
func (p *program) span() uint64 {
	l := p.spec.Generate.Layer()
	if l == nil {
		return 0
	}
	end := uint64(0)
	for _, t := range l.Tensors() {
		end = max(end, t.Base+t.Bytes)
	}
	return end
}

// open begins it anew.
func (p *program) open() error {
	p.close()
	var err error
	if p.spec.Generate.Layer() != nil {
		p.file, err = p.spec.Generate.Open(p.core, uint64(p.spec.Bytes))
	} else {
		p.file, err = trace.Open(p.spec.Trace, trace.Options{Format: p.spec.Format})
	}
	if err != nil {
		return err
	}
	p.fault, p.before, p.held = nil, 0, false
	p.timed = p.file.Header().Fields&trace.Times != 0
	p.counted = p.file.Header().Fields&trace.Times != 0 && p.file.Header().Tick.Unit == trace.Instructions
	p.next()
	return nil
}

func (p *program) close() {
	if p.file != nil {
		_ = p.file.Close() // it was only read
		p.file = nil
	}
}

// next moves on to the next access.
func (p *program) next() {
	if p.ok = p.read(&p.rec); !p.ok || !p.rec.Write || p.spec.StoreMode != StoreModes[1] {
		return
	}
	// Non-temporal stores of one line that follow each other are combined.
	r := &p.rec
	for (r.Addr+uint64(r.Size))%lineBytes != 0 {
		need := p.need
		if !p.read(&p.ahead) {
			return
		}
		if a := &p.ahead; !a.Write || a.Addr != r.Addr+uint64(r.Size) {
			p.held, p.later = true, p.need
			p.need = need
			return
		}
		r.Size += p.ahead.Size
		p.need += need
	}
}

// read takes the next record of the program.
func (p *program) read(r *trace.Record) bool {
	if p.held {
		*r, p.held, p.need = p.ahead, false, p.later
		return true
	}
	if p.fault != nil {
		return false
	}
	if p.fault = p.file.Next(r); p.fault != nil {
		return false
	}
	h := p.file.Header()
	if !p.begun {
		p.begun, p.first = true, r.Core
	}
	p.cores = p.cores || r.Core != p.first
	switch {
	case r.Size == 0 && h.Fields&trace.Sizes != 0 && !h.Objects:
		p.fault = p.fail("a request of 0 bytes at %#x", r.Addr)
		return false
	case p.counted && r.Time < p.before:
		p.fault = p.fail("instruction %d (want rising instructions)", r.Time)
		return false
	case r.Size == 0 || h.Objects:
		r.Size = uint32(p.spec.Bytes)
	}
	at := r.Addr + uint64(p.spec.Base)
	if at < r.Addr || at+uint64(r.Size)-1 < at {
		p.fault = p.fail("the access ends beyond 2^64")
		return false
	}
	r.Addr = at
	p.need = uint64(p.spec.Instructions)
	if p.counted {
		p.need = max(r.Time-min(r.Time, p.before), 1)
		p.before = max(r.Time, p.before)
	}
	return true
}

// maxAhead bounds the records of a trace that are read before the run. Errors in later
// records are found when they are played.
const maxAhead = 1 << 16

// look reads the first records of a trace that will be played, and begins it anew.
func (p *program) look() error {
	if p.spec.Trace == "" {
		return nil
	}
	most := uint64(maxAhead)
	if p.spec.Limit > 0 {
		most = min(most, max(p.spec.Limit, p.spec.Warm))
	}
	for n := uint64(1); p.ok && n < most; n++ {
		p.next()
	}
	if err := p.bad(); err != nil {
		return err
	}
	return p.open()
}

// stop ends it.
func (p *program) stop() {
	p.ok = false
	p.shown.Store(p.handed)
	p.ended.Store(true)
}

// fail is a fault of the current record.
func (p *program) fail(format string, args ...any) error {
	return &trace.Error{File: p.file.Name, Pos: p.file.Pos(), Msg: fmt.Sprintf(format, args...)}
}

// bad is what ended the program before its end.
func (p *program) bad() error {
	if p.fault == io.EOF {
		return nil
	}
	return p.fault
}

// coreOf is the index in a name such as Core[3], 0 without one.
func coreOf(name string) int {
	core := 0
	if at := strings.LastIndexByte(name, '['); at >= 0 {
		_, _ = fmt.Sscanf(name[at:], "[%d]", &core) // leaves 0 where there is no number
	}
	return core
}
