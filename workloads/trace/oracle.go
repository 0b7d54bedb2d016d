package trace

import (
	"bufio"
	"encoding/binary"
	"fmt"
	"io"

	"github.com/causeway-sim/causeway/components/registry"
)

// The packed record of libCacheSim's oracleGeneral, little endian: u32 time; u64
// object; u32 size; i64 next access. The last counts requests from 1, so that
// the value of a record is the number of the next one with this object; -1 is
// none.
const oracleSize = 24

func init() {
	holds := Times | Sizes | Nexts
	tick := Tick{Seconds, 1, 1}
	All.Add(registry.Entry[Format]{
		Name:   "oracle_general",
		Doc:    "Records of 24 bytes: time in seconds, object, size, and the next access to it.",
		Source: "J. Yang et al., libCacheSim; the oracleGeneral format of its repository",
		New: Format{
			Holds: holds, Objects: true, Tick: tick,
			Sniff: sniffOracle,
			Open: func(s *Source, o Options) (Reader, error) {
				p := &oracle{line: o.line()}
				return &fixedReader{src: s, size: oracleSize, parse: p.parse,
					header: Header{Fields: holds, Tick: tick, Line: o.line(), Objects: true}}, nil
			},
			Create: func(w io.Writer, h Header) (Writer, error) {
				return &oracleWriter{w: bufio.NewWriterSize(w, 1<<16), line: max(h.Line, 1), last: map[uint64]int{}}, nil
			},
		},
	})
}

type oracle struct{ line, n uint64 }

func (o *oracle) parse(b []byte, out []Record) (n int, msg string, at int) {
	id := binary.LittleEndian.Uint64(b[4:])
	next := int64(binary.LittleEndian.Uint64(b[16:]))
	o.n++
	switch {
	case next == -1 || next == 1<<63-1: // both are in use for never
		next = -1
	case next <= int64(o.n):
		return 0, fmt.Sprintf("the next access is request %d, and this is request %d", next, o.n), 16
	default:
		next--
	}
	out[0] = Record{Time: uint64(binary.LittleEndian.Uint32(b)), Addr: id * o.line /* mod 2^64 */, Size: binary.LittleEndian.Uint32(b[12:]), Next: next}
	return 1, "", 0
}

func sniffOracle(name string, head []byte, whole bool) int {
	var out [1]Record
	o := &oracle{line: 1}
	last := uint64(0)
	if len(head) < oracleSize {
		return 0
	}
	for b := head; len(b) >= oracleSize; b = b[oracleSize:] {
		if _, msg, _ := o.parse(b, out[:]); msg != "" || out[0].Next > 1<<40 || out[0].Time < last {
			return 0
		}
		last = out[0].Time
	}
	return plausible(head, whole, oracleSize, name, "oraclegeneral")
}

// An oracleWriter keeps all records, because the next access of the first may be
// the last: 24 bytes each, and some more per object.
type oracleWriter struct {
	w    *bufio.Writer
	line uint64
	data []byte
	last map[uint64]int // record of the object's last access
}

func (o *oracleWriter) Write(r *Record) error {
	if r.Addr%o.line != 0 {
		return fmt.Errorf("address %#x is no multiple of the %d bytes of an object number", r.Addr, o.line)
	}
	if r.Time > 1<<32-1 {
		return fmt.Errorf("time %d does not fit (want below 2^32)", r.Time)
	}
	id := r.Addr / o.line
	n := len(o.data) / oracleSize
	if i, ok := o.last[id]; ok {
		binary.LittleEndian.PutUint64(o.data[i*oracleSize+16:], uint64(n+1))
	}
	o.last[id] = n
	o.data = binary.LittleEndian.AppendUint32(o.data, uint32(r.Time))
	o.data = binary.LittleEndian.AppendUint64(o.data, id)
	o.data = binary.LittleEndian.AppendUint32(o.data, r.Size)
	o.data = binary.LittleEndian.AppendUint64(o.data, 1<<64-1)
	return nil
}

func (o *oracleWriter) Close() error {
	if _, err := o.w.Write(o.data); err != nil {
		return err
	}
	return o.w.Flush()
}
