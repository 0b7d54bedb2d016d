package trace

import (
	"bufio"
	"encoding/binary"
	"fmt"
	"io"

	"github.com/causeway-sim/causeway/components/registry"
)

// The instruction record of ChampSim, little endian: u64 ip; u8 is_branch; u8
// taken; u8 destination registers[2]; u8 source registers[4]; u64 destination
// memory[2]; u64 source memory[4]. Address 0 is no operand.
const (
	champSimSize   = 64
	champSimStores = 16 // offset
	champSimLoads  = 32
	champSimStoreN = 2
	champSimLoadN  = 4
)

func init() {
	holds := Times | Writes | PCs
	tick := Tick{Unit: Instructions}
	All.Add(registry.Entry[Format]{
		Name:   "champsim",
		Doc:    "Instruction records of 64 bytes; every memory operand is an access, loads before stores.",
		Source: "N. Gober et al., The Championship Simulator, arXiv 2210.14324; inc/trace_instruction.h of its repository",
		New: Format{
			Holds: holds, Tick: tick,
			Sniff: sniffChampSim,
			Open: func(s *Source, _ Options) (Reader, error) {
				c := &champSim{}
				return &fixedReader{src: s, size: champSimSize, parse: c.parse, header: Header{Fields: holds, Tick: tick}}, nil
			},
			Create: func(w io.Writer, h Header) (Writer, error) {
				return &champSimWriter{w: bufio.NewWriterSize(w, 1<<16), timed: h.Tick.Unit == Instructions}, nil
			},
		},
	})
}

type champSim struct{ now uint64 }

func (c *champSim) parse(b []byte, out []Record) (n int, msg string, at int) {
	if b[8] > 1 {
		return 0, fmt.Sprintf("is_branch is %d (want 0 or 1)", b[8]), 8
	}
	if b[9] > 1 {
		return 0, fmt.Sprintf("branch_taken is %d (want 0 or 1)", b[9]), 9
	}
	pc := binary.LittleEndian.Uint64(b)
	for i := range champSimLoadN {
		if a := binary.LittleEndian.Uint64(b[champSimLoads+8*i:]); a != 0 {
			out[n] = Record{Time: c.now, Addr: a, PC: pc}
			n++
		}
	}
	for i := range champSimStoreN {
		if a := binary.LittleEndian.Uint64(b[champSimStores+8*i:]); a != 0 {
			out[n] = Record{Time: c.now, Addr: a, PC: pc, Write: true}
			n++
		}
	}
	c.now++
	return n, "", 0
}

// sniffChampSim looks for addresses as programs have them: beyond the first page
// and canonical in 48 bits.
func sniffChampSim(name string, head []byte, whole bool) int {
	if len(head) < champSimSize {
		return 0
	}
	canonical := func(a uint64) bool { return a>>47 == 0 || a>>47 == 1<<17-1 }
	for b := head; len(b) >= champSimSize; b = b[champSimSize:] {
		if b[8] > 1 || b[9] > 1 || b[9] > b[8] {
			return 0
		}
		ip := binary.LittleEndian.Uint64(b)
		if ip < 4096 || !canonical(ip) {
			return 0
		}
		for i := champSimStores; i < champSimSize; i += 8 {
			if a := binary.LittleEndian.Uint64(b[i:]); a != 0 && (a < 4096 || !canonical(a)) {
				return 0
			}
		}
	}
	return plausible(head, whole, champSimSize, name, "champsim")
}

// A champSimWriter puts the accesses of one instruction into one record, as far
// as they fit, and counts instructions without any in between.
type champSimWriter struct {
	w             *bufio.Writer
	timed         bool // times count instructions
	rec           [champSimSize]byte
	open          bool
	now, pc       uint64 // of rec
	loads, stores int
	next          uint64 // instructions written
}

// maxBubbles is how many instructions without memory are written at a stretch: 64
// MiB of them.
const maxBubbles = 1 << 20

func (c *champSimWriter) Write(r *Record) error {
	if r.Addr == 0 {
		return fmt.Errorf("address 0 stands for no access in this format")
	}
	fits := c.open && c.timed && r.Time == c.now && r.PC == c.pc
	if r.Write {
		fits = fits && c.stores < champSimStoreN
	} else {
		fits = fits && c.loads < champSimLoadN && c.stores == 0
	}
	if !fits {
		if err := c.flush(); err != nil {
			return err
		}
		if c.timed && r.Time > c.next {
			if r.Time-c.next > maxBubbles {
				return fmt.Errorf("%d instructions without an access (want at most %d)", r.Time-c.next, maxBubbles)
			}
			var idle [champSimSize]byte
			binary.LittleEndian.PutUint64(idle[:], max(r.PC, 4096))
			for ; c.next < r.Time; c.next++ {
				if _, err := c.w.Write(idle[:]); err != nil {
					return err
				}
			}
		}
		c.open, c.now, c.pc, c.loads, c.stores = true, r.Time, r.PC, 0, 0
		clear(c.rec[:])
		binary.LittleEndian.PutUint64(c.rec[:], r.PC)
	}
	at := champSimLoads + 8*c.loads
	if r.Write {
		at = champSimStores + 8*c.stores
		c.stores++
	} else {
		c.loads++
	}
	binary.LittleEndian.PutUint64(c.rec[at:], r.Addr)
	return nil
}

func (c *champSimWriter) flush() error {
	if !c.open {
		return nil
	}
	c.open = false
	c.next++
	_, err := c.w.Write(c.rec[:])
	return err
}

func (c *champSimWriter) Close() error {
	if err := c.flush(); err != nil {
		return err
	}
	return c.w.Flush()
}
