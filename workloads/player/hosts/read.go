package hosts

import (
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/causeway-sim/causeway/components/units"
	"github.com/causeway-sim/causeway/memory"
	"github.com/causeway-sim/causeway/workloads/trace"
)

// A Request is one line of a trace.
type Request struct {
	Addr  uint64
	Delta int64 // ps of computation before it
	Size  uint32
	Write bool
}

// A Program is the requests of one host.
type Program struct {
	Requests []Request
	Tail     int64 // ps of computation after the last one
}

// maxFiles bounds the files of one trace.
const maxFiles = 1024

// Read reads and checks the programs of all hosts completely: a truncated trace is an error before
// the run.
func Read(s Spec) ([]Program, error) {
	if slices.Contains(graphs, s.Format) {
		files, err := readGraphs(s)
		if err != nil {
			return nil, err
		}
		return s.deal(files)
	}
	var files []Program
	var errs []error
	for n := 0; n < maxFiles; n++ {
		if n > 0 && !strings.Contains(s.Trace, "%d") {
			break
		}
		if _, err := os.Stat(s.path(n)); n > 0 && errors.Is(err, os.ErrNotExist) {
			break
		}
		p, err := readFile(s.path(n), &s)
		if err != nil {
			errs = append(errs, err)
		}
		files = append(files, p)
	}
	if err := errors.Join(errs...); err != nil {
		return nil, err
	}
	return s.deal(files)
}

// readFile reads one trace.
func readFile(path string, s *Spec) (p Program, err error) {
	f, err := trace.Open(path, trace.Options{Format: s.Format})
	if err != nil {
		return p, err
	}
	defer f.Close()
	h := f.Header()
	if h.Fields&trace.Sizes == 0 || h.Fields&trace.Writes == 0 {
		return p, fmt.Errorf("%s: a trace of hosts needs sizes and directions (format %s has: %s)", path, f.Format, h.Fields)
	}
	timed := h.Fields&trace.Times != 0
	var scale trace.Scale
	if timed {
		if scale, err = scaleOf(path, f.Format, h.Tick); err != nil {
			return p, err
		}
	}
	var r trace.Record
	last := uint64(0)
	for {
		err := f.Next(&r)
		if err == io.EOF {
			break
		}
		if err != nil {
			return p, err
		}
		q := Request{Addr: r.Addr, Size: r.Size, Write: r.Write}
		fail := func(format string, args ...any) error {
			return &trace.Error{File: f.Name, Pos: f.Pos(), Msg: fmt.Sprintf(format, args...)}
		}
		if r.Size == 0 || r.Addr+uint64(r.Size) < r.Addr {
			return p, fail("a request of %d bytes at %#x", r.Size, r.Addr)
		}
		if timed {
			at, ok := later(scale, r.Time, last)
			if !ok {
				return p, fail("time %d (want rising times, below 2^53 ps)", r.Time)
			}
			q.Delta, last = int64(at-last), at
			if !s.Computing {
				q.Delta = 0
			}
		}
		p.Requests = append(p.Requests, q)
		// what is after the limit is read all the same: it may be cut off
	}
	if timed && s.Computing && h.End > 0 {
		if p.Tail, err = tailOf(path, scale, h.End, last); err != nil {
			return p, err
		}
	}
	if s.Limit > 0 && len(p.Requests) > s.Limit {
		p.Requests, p.Tail = p.Requests[:s.Limit], 0
	}
	return p, nil
}

// scaleOf converts the times of a trace into ps.
func scaleOf(path, format string, tick trace.Tick) (trace.Scale, error) {
	if tick.Unit != trace.Seconds {
		return trace.Scale{}, fmt.Errorf("%s: a trace of hosts needs times in seconds (format %s counts: %s)", path, format, tick)
	}
	return trace.NewScale(tick, trace.Tick{Unit: trace.Seconds, Num: fine.Num(), Den: fine.Den()})
}

// later converts a time into ps; false if it is before last, or beyond 2^53 ps.
func later(scale trace.Scale, time, last uint64) (at uint64, ok bool) {
	at, ok = scale.Ceil(time)
	return at, ok && at <= 1<<53 && at >= last
}

// tailOf is the time in ps from the last request to the end of a trace.
func tailOf(path string, scale trace.Scale, end, last uint64) (int64, error) {
	at, ok := scale.Ceil(end)
	if !ok || at > 1<<53 {
		return 0, fmt.Errorf("%s: the end %d is beyond 2^53 ps", path, end)
	}
	return int64(at - last), nil
}

// A strideError is about the key stride.
type strideError struct{ text string }

func (e *strideError) Error() string { return "stride " + e.text }

// deal gives each host its program.
func (s *Spec) deal(files []Program) ([]Program, error) {
	n := s.Hosts
	if n == 0 {
		n = len(files)
	}
	if s.Stride > 0 && n <= len(files) {
		return nil, &strideError{fmt.Sprintf("has no effect: %d hosts play %d files, and none plays one again", n, len(files))}
	}
	span := uint64(0)
	for _, p := range files {
		for _, q := range p.Requests {
			span = max(span, q.Addr+uint64(q.Size))
		}
	}
	stride := uint64(s.Stride)
	if stride == 0 {
		stride = (span + 1<<20 - 1) >> 20 << 20
	}
	out := make([]Program, n)
	for i := range out {
		move := uint64(i/len(files))*stride + uint64(s.Base)
		if move+span < span || move+span > 1<<62 {
			return nil, fmt.Errorf("host %d: its addresses end after 2^62 (base %s, stride %s)", i, s.Base, units.Bytes(stride))
		}
		f := files[i%len(files)]
		out[i] = Program{slices.Clone(f.Requests), f.Tail}
		for k := range out[i].Requests {
			out[i].Requests[k].Addr += move
		}
	}
	return out, nil
}

// line is the unit of transfer of CXL.mem.
const line = 64

// cut is how many bytes the packet at off of a request has.
func (q *Request) cut(off uint32, packet uint64, byLine bool) uint32 {
	n := packet
	if byLine {
		n -= (q.Addr + uint64(off)) % line
	}
	return uint32(min(n, uint64(q.Size-off), memory.MaxBurst))
}

// Count has the packets, lines and flits of a request by the rule of TSim4CXL.
type Count struct{ Packets, Lines, Aligned, Flits uint64 }

// Count counts the packets of a request from its start, and their lines and flits.
func (q *Request) Count(packet uint64) (c Count) {
	of := func(bytes, times uint64) {
		lines := (bytes + line - 1) / line
		c.Packets += times
		c.Lines += times * lines
		if q.Write {
			c.Flits += times * ((5*lines + 3) / 4)
		} else {
			c.Flits += times * ((lines + 1) / 2)
		}
	}
	size := uint64(q.Size)
	of(packet, size/packet)
	if rest := size % packet; rest > 0 {
		of(rest, 1)
	}
	c.Aligned = (q.Addr+size-1)/line - q.Addr/line + 1
	return c
}
