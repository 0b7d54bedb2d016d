package trace

import (
	"fmt"
	"strings"

	"github.com/causeway-sim/causeway/workloads/graph"
)

// A Record is one memory access. Header.Fields lists the valid fields; the others are 0.
type Record struct {
	Time   uint64 // in ticks of the header
	Addr   uint64 // bytes
	PC     uint64 // program counter of the instruction
	Next   int64  // index of the next record with this address, from 0; -1: there is none
	Size   uint32 // bytes
	Core   uint32
	Tensor uint32 // index into the header's tensors plus 1; 0: none
	Reuse  uint32 // accesses still expected to each byte, this one excluded
	Write  bool
}

// Fields is a set of fields of a Record.
type Fields uint16

// The fields that a trace may have besides the address.
const (
	Times Fields = 1 << iota
	Writes
	Sizes
	PCs
	Cores
	Tensors
	Reuses
	Nexts
)

var fieldNames = []string{"time", "write", "size", "pc", "core", "tensor", "reuse", "next"}

// String lists the fields: "time, size".
func (f Fields) String() string {
	var out []string
	for i, n := range fieldNames {
		if f&(1<<i) != 0 {
			out = append(out, n)
		}
	}
	if len(out) == 0 {
		return "none"
	}
	return strings.Join(out, ", ")
}

// A Unit is a unit of times.
type Unit uint8

// The units of times.
const (
	NoTime       Unit = iota // the trace has no times
	Cycles                   // of a clock that the file does not name
	Instructions             // of the program, memory accesses included
	Seconds                  // exact: one tick is Num/Den seconds
)

// A Tick is the unit of a trace's times.
type Tick struct {
	Unit     Unit
	Num, Den uint64 // of Seconds
}

// Nanosecond is the tick of a trace that counts nanoseconds.
var Nanosecond = Tick{Seconds, 1, 1e9}

var picosecond = Tick{Seconds, 1, 1e12}

// String prints a tick as in format causeway: "cycle", "1/1000000000s".
func (t Tick) String() string {
	switch t.Unit {
	case Cycles:
		return "cycle"
	case Instructions:
		return "instruction"
	case Seconds:
		return fmt.Sprintf("%d/%ds", t.Num, t.Den)
	}
	return "none"
}

// parseTick reads what String prints.
func parseTick(s string) (Tick, bool) {
	switch s {
	case "none":
		return Tick{}, true
	case "cycle":
		return Tick{Unit: Cycles}, true
	case "instruction":
		return Tick{Unit: Instructions}, true
	}
	num, den, ok := strings.Cut(strings.TrimSuffix(s, "s"), "/")
	if !ok || !strings.HasSuffix(s, "s") {
		return Tick{}, false
	}
	n, ok1 := parseUint([]byte(num), 10)
	d, ok2 := parseUint([]byte(den), 10)
	if !ok1 || !ok2 || n == 0 || d == 0 {
		return Tick{}, false
	}
	return Tick{Seconds, n, d}, true
}

// A Tensor describes the addresses [Base, Base+Bytes), for policies that use the dataflow.
type Tensor struct {
	Name        string
	Kind        graph.Role
	Base, Bytes uint64
	Tile        uint64 // bytes that are loaded together; 0: not known
	Accesses    uint32 // expected to each byte, by all cores; 0: not known
	Sharers     uint32 // cores that read it; 0: not known
	WriteOnce   bool   // written, and not read again in this trace
}

// A Header describes a trace before its records.
type Header struct {
	Fields  Fields
	Tick    Tick
	Tensors []Tensor
	// Line is the number of bytes per unit of address if the file numbers lines or objects; 0 if
	// it has byte addresses.
	Line uint64
	// Objects is set if sizes are those of stored objects, not of memory accesses.
	Objects bool
	// End is the end of the program in ticks, known after the last record; 0 if the trace has
	// none.
	End uint64
}
