package trace

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"fmt"
	"io"

	"github.com/causeway-sim/causeway/components/registry"
)

// The packet traces of gem5: four bytes of magic, then protocol buffers, each
// after its length. The first is a PacketHeader (obj_id 1, ver 2, tick_freq 3),
// the others are Packets (tick 1, cmd 2, addr 3, size 4, flags 5, pkt_id 6, pc 7).
func init() {
	holds := Times | Sizes | Writes | PCs
	All.Add(registry.Entry[Format]{
		Name:   "gem5",
		Doc:    "Packet traces of gem5's communication monitors and traffic generators.",
		Source: "J. Lowe-Power et al., The gem5 simulator 20.0+, arXiv 2007.03152; src/proto/packet.proto of its repository",
		New: Format{
			Holds: holds, Tick: picosecond, Sized: true,
			Takes: func(t Tick) bool { return t.Unit == Seconds && t.Num == 1 },
			Sniff: func(_ string, head []byte, _ bool) int {
				if bytes.HasPrefix(head, gem5Magic) {
					return 95
				}
				return 0
			},
			Open:   openGem5,
			Create: createGem5,
		},
	})
}

var gem5Magic = []byte("gem5")

// maxPacket bounds a message; packets have some 50 bytes, headers hold names.
const maxPacket = 1 << 16

// gem5Commands maps commands to 'r', 'w', or 0 for commands without a memory access (answers,
// upgrades, clean evictions).
//
// The numbers are those of enum Command in src/mem/packet.hh of gem5 20 to 24.
var gem5Commands = [64]byte{
	1: 'r', 3: 0, 4: 'w', 7: 'w', 8: 'w', 9: 'w', // ReadReq, WriteReq, WritebackDirty, WritebackClean, WriteClean
	11: 'r', 12: 'r', 13: 'r', // SoftPFReq, SoftPFExReq, HardPFReq
	16: 'w', 22: 'r', 24: 'r', 25: 'r', 26: 'r', // WriteLineReq, ReadExReq, ReadCleanReq, ReadSharedReq, LoadLockedReq
}

type gem5 struct {
	src    *Source
	header Header
	off    int64 // of the next message
	last   int64 // of the record returned last
	err    error
}

func openGem5(s *Source, _ Options) (Reader, error) {
	g := &gem5{src: s}
	magic, err := s.r.Peek(len(gem5Magic))
	if !bytes.Equal(magic, gem5Magic) {
		if err != nil && err != io.EOF {
			return nil, s.broken(err, Pos{})
		}
		return nil, &Error{File: s.Name, Msg: "the file does not begin with gem5"}
	}
	_, _ = s.r.Discard(len(gem5Magic))
	g.off = int64(len(gem5Magic))
	b, at, e := g.message()
	if e == io.EOF {
		return nil, &Error{File: s.Name, Pos: Pos{Offset: g.off}, Msg: "the trace is cut off: there is no header", Err: io.ErrUnexpectedEOF}
	}
	if e != nil {
		return nil, e
	}
	freq := uint64(0)
	if bad := fields(b, func(n int, v uint64, _ []byte) {
		if n == 3 {
			freq = v
		}
	}); bad >= 0 {
		return nil, &Error{File: s.Name, Pos: Pos{Offset: at + int64(bad)}, Msg: "the header is no protocol buffer"}
	}
	if freq == 0 {
		return nil, &Error{File: s.Name, Pos: Pos{Offset: at}, Msg: "the header has no tick_freq"}
	}
	g.header = Header{Fields: Times | Sizes | Writes | PCs, Tick: Tick{Seconds, 1, freq}}
	return g, nil
}

func (g *gem5) Header() *Header { return &g.header }

func (g *gem5) Pos() Pos { return Pos{Offset: g.last} }

func (g *gem5) Next(r *Record) error {
	for g.err == nil {
		b, at, err := g.message()
		if err != nil {
			g.err = err
			break
		}
		var p [8]uint64
		seen := 0
		bad := fields(b, func(n int, v uint64, _ []byte) {
			if n < len(p) {
				p[n] = v
				seen |= 1 << n
			}
		})
		g.last = at
		switch {
		case bad >= 0:
			g.err = g.fail(at+int64(bad), "the packet is no protocol buffer")
		case seen&0b11110 != 0b11110:
			g.err = g.fail(at, "the packet lacks tick, cmd, addr or size")
		case p[2] >= uint64(len(gem5Commands)) || p[2] == 0:
			g.err = g.fail(at, fmt.Sprintf("unknown command %d", p[2]))
		case p[4] > 1<<32-1:
			g.err = g.fail(at, fmt.Sprintf("a packet of %d bytes", p[4]))
		case gem5Commands[p[2]] == 0 || p[4] == 0:
			// no access
		default:
			*r = Record{Time: p[1], Addr: p[3], Size: uint32(p[4]), PC: p[7], Write: gem5Commands[p[2]] == 'w'}
			return nil
		}
	}
	return g.err
}

func (g *gem5) fail(at int64, msg string) *Error {
	return &Error{File: g.src.Name, Pos: Pos{Offset: at}, Msg: msg}
}

// message reads one message, valid until the next call, and returns its offset.
func (g *gem5) message() (b []byte, at int64, err error) {
	head, err := g.src.r.Peek(binary.MaxVarintLen64)
	if len(head) == 0 && err == io.EOF {
		return nil, 0, io.EOF
	}
	n, k := binary.Uvarint(head)
	if k <= 0 {
		if k == 0 && err != nil && err != io.EOF {
			return nil, 0, g.src.broken(err, Pos{Offset: g.off})
		}
		if k == 0 && err == io.EOF {
			return nil, 0, g.cut()
		}
		return nil, 0, g.fail(g.off, "the length of a message is no varint")
	}
	if n > maxPacket {
		return nil, 0, g.fail(g.off, fmt.Sprintf("a message of %d bytes (want at most %d)", n, maxPacket))
	}
	b, err = g.src.r.Peek(k + int(n))
	switch {
	case err == io.EOF:
		return nil, 0, g.cut()
	case err != nil:
		return nil, 0, g.src.broken(err, Pos{Offset: g.off + int64(len(b))})
	}
	_, _ = g.src.r.Discard(k + int(n)) // it was peeked at; the bytes stay until the next read
	at = g.off + int64(k)
	g.off = at + int64(n)
	return b[k:], at, nil
}

func (g *gem5) cut() *Error {
	return &Error{File: g.src.Name, Pos: Pos{Offset: g.off}, Msg: "the trace is cut off inside a message", Err: io.ErrUnexpectedEOF}
}

// fields calls f for the fields of a message; it returns the wrong byte, or -1. A field is a
// number or, for strings and messages, the bytes.
func fields(b []byte, f func(n int, v uint64, s []byte)) (bad int) {
	for at := 0; at < len(b); {
		start := at
		key, k := binary.Uvarint(b[at:])
		if k <= 0 || key>>3 == 0 || key>>3 > 1<<29 {
			return start
		}
		at += k
		var v uint64
		var s []byte
		switch key & 7 {
		case 0:
			v, k = binary.Uvarint(b[at:])
			if k <= 0 {
				return start
			}
			at += k
		case 1:
			if len(b)-at < 8 {
				return start
			}
			v = binary.LittleEndian.Uint64(b[at:])
			at += 8
		case 2:
			n, k := binary.Uvarint(b[at:])
			if k <= 0 || n > uint64(len(b)-at-k) {
				return start
			}
			s = b[at+k : at+k+int(n)]
			at += k + int(n)
		case 5:
			if len(b)-at < 4 {
				return start
			}
			v = uint64(binary.LittleEndian.Uint32(b[at:]))
			at += 4
		default:
			return start
		}
		if key&7 != 2 {
			f(int(key>>3), v, nil)
		} else {
			f(int(key>>3), 0, s)
		}
	}
	return -1
}

type gem5Writer struct {
	w   *bufio.Writer
	buf []byte
	msg []byte
}

func createGem5(w io.Writer, h Header) (Writer, error) {
	freq := picosecond.Den // where there are no times
	if h.Tick.Unit == Seconds {
		freq = h.Tick.Den
	}
	g := &gem5Writer{w: bufio.NewWriterSize(w, 1<<16)}
	const id = "causeway"
	g.msg = append(g.msg, 1<<3|2, byte(len(id)))
	g.msg = append(g.msg, id...)
	g.msg = binary.AppendUvarint(append(g.msg, 3<<3), freq)
	if _, err := g.w.Write(gem5Magic); err != nil {
		return nil, err
	}
	return g, g.flush()
}

func (g *gem5Writer) flush() error {
	g.buf = append(binary.AppendUvarint(g.buf[:0], uint64(len(g.msg))), g.msg...)
	g.msg = g.msg[:0]
	_, err := g.w.Write(g.buf)
	return err
}

func (g *gem5Writer) Write(r *Record) error {
	cmd := uint64(1)
	if r.Write {
		cmd = 4
	}
	size := r.Size
	if size == 0 {
		size = 64 // a packet without bytes is no access
	}
	for i, v := range []uint64{r.Time, cmd, r.Addr, uint64(size)} {
		g.msg = binary.AppendUvarint(append(g.msg, byte(i+1)<<3), v)
	}
	if r.PC != 0 {
		g.msg = binary.AppendUvarint(append(g.msg, 7<<3), r.PC)
	}
	return g.flush()
}

func (g *gem5Writer) Close() error { return g.w.Flush() }
