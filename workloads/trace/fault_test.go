package trace

import (
	"bytes"
	"encoding/binary"
	"errors"
	"math"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// Faults name the file and the line or byte; what is before them is read.
func TestFaults(t *testing.T) {
	sample := map[string][]byte{}
	for _, s := range samples {
		sample[s.format] = s.text
	}
	cut := func(name string, n int) []byte { return sample[name][:len(sample[name])-n] }
	patch := func(name string, at int, c byte) []byte {
		b := bytes.Clone(sample[name])
		b[at] = c
		return b
	}
	for _, c := range []struct {
		format string
		text   []byte
		o      Options
		n      int // records before
		want   string
	}{
		{"harness", []byte("R 0\nX 1\n"), Options{}, 1, `f:2:1: "X" is neither read nor write (want one of: R, W)`},
		{"harness", []byte("R 0\nW 1g\n"), Options{}, 1, `f:2:3: "1g" is no hexadecimal address (want a whole number below 2^64)`},
		{"harness", []byte("R 0\nW 1 2\n"), Options{}, 1, `f:2:5: "2" is one field too many`},
		{"harness", []byte("R 10000000000000000\n"), Options{}, 0, `f:1:3: "10000000000000000" is no hexadecimal address (want a whole number below 2^64)`},
		{"harness", []byte("R\n"), Options{}, 0, `f:1:2: the hexadecimal address is missing`},
		{"dramsim3", []byte("0x0 READ 1\n0x0 FETCH 2\n"), Options{}, 1, `f:2:5: "FETCH" is neither read nor write (want one of: READ, WRITE)`},
		{"dramsim3", []byte("0x0 READ 1\n0x0 READ -2\n"), Options{}, 1, `f:2:10: "-2" is no cycle (want a whole number below 2^64)`},
		{"dramsim3", []byte("0x0 READ 1\n0x0 READ"), Options{}, 1, `f:2:9: the cycle is missing`},
		{"ramulator_inst", []byte("1 2\n3 4 5 6\n"), Options{}, 1, `f:2:7: "6" is one field too many`},
		{"ramulator_inst", []byte("18446744073709551615 2\n"), Options{}, 0, `f:1:1: the count of instructions passes 2^64`},
		{"ramulator_loadstore", []byte("LD 1\nLD\n"), Options{}, 1, `f:2:3: the address is missing`},
		{"ramulator_readwrite", []byte("R 0,0,0,0,0,2048\n"), Options{}, 0, `f:1:13: level 5 is 2048, and has 2048 values`},
		{"ramulator_readwrite", []byte("R 1,1,1\nR 2,1,1\n"), Options{Levels: []uint64{2, 4, 8}}, 1, `f:2:3: level 0 is 2, and has 2 values`},
		{"ramulator_readwrite", []byte("R 1,1\n"), Options{}, 0, `f:1:3: "1,1" is no address vector (want 3 to 8 numbers with commas)`},
		{"ramulator_readwrite", []byte("R 1,1,1\n"), Options{Levels: []uint64{2, 2}}, 0, `f:1:3: the vector has 3 levels, and levels: 2`},
		{"ramulator1", []byte("0x40 R\n64 R\n"), Options{}, 1, `f:2:1: "64" is no address behind 0x`},
		{"dramsys", []byte("0: read 0x0\n1 read 0x0\n"), Options{}, 1, `f:2:1: "1" is no cycle with a colon behind it`},
		{"dramsys", []byte("0: (x) read 0x0\n"), Options{}, 0, `f:1:5: "x" is no length (want a whole number below 2^64)`},
		{"dramsys", []byte("0: write 0x0 zz\n"), Options{}, 0, `f:1:14: "zz" is no hexadecimal data`},
		{"usimm", []byte("0 W 0x40\n0 R 0x40\n"), Options{}, 1, `f:2:9: the program counter is missing`},
		{"tsim4cxl", []byte("R:0:64:\nW:1:0:\nTerminate:0:0:\n"), Options{}, 1, `f:2:5: a request of 0 bytes`},
		{"tsim4cxl", []byte("R:0:64:\n"), Options{}, 1, `f:2: the trace is cut off: there is no line Terminate`},
		{"tsim4cxl", []byte("R:0:64:\nQ:0:64:\n"), Options{}, 1, `f:2:1: unknown type "Q" (want one of: R, W, Terminate)`},
		{"csv", []byte("op,addr\nR,0\nR\n"), Options{}, 1, `f:3:2: the addr is missing`},
		{"csv", []byte("op,addr\nR,0\nR,1,2\n"), Options{}, 1, `f:3:4: the line has more than 2 columns`},
		{"csv", []byte("op,addr\nR,0\n,1\n"), Options{}, 1, `f:3:1: the op is missing`},
		{"causeway", []byte("#causeway-trace/1\n#columns addr tensor\n0 0\n0 1\n"), Options{}, 1, `f:4:1: tensor 1 of 0`},
		{"champsim", cut("champsim", 3), Options{}, 0, `f: byte 64: the trace is cut off: 61 bytes of a record of 64`},
		{"champsim", patch("champsim", 64+8, 2), Options{}, 0, `f: byte 72: is_branch is 2 (want 0 or 1)`},
		{"oracle_general", cut("oracle_general", 1), Options{}, 2, `f: byte 48: the trace is cut off: 23 bytes of a record of 24`},
		{"oracle_general", patch("oracle_general", 16, 1), Options{}, 0, `f: byte 16: the next access is request 1, and this is request 1`},
		{"lines", cut("lines", 15), Options{}, 1, `f: byte 16: the trace is cut off: 1 bytes of a record of 16`},
		{"lines", patch("lines", 16+14, 1), Options{}, 1, `f: byte 28: core 65536 (want below 65536)`},
		{"gem5", cut("gem5", 1), Options{}, 1, `f: byte 28: the trace is cut off inside a message`},
		{"gem5", patch("gem5", 33, 64), Options{}, 1, `f: byte 29: unknown command 64`},
	} {
		t.Run(c.format+" "+c.want, func(t *testing.T) {
			c.o.Format = c.format
			got, err := read(open(t, "f", c.text, c.o))
			require.EqualError(t, err, c.want)
			require.Len(t, got, c.n)
		})
	}
}

// Faults of a heading are found when the trace is opened.
func TestBadHeadings(t *testing.T) {
	for _, c := range []struct{ format, text, want string }{
		{"", "", "f: byte 0: the trace is empty"},
		{"", "hello\n", "f: byte 0: the content is of no known trace format (want one of: " + strings.Join(All.Names(), ", ") + ")"},
		{"nothing", "R 0\n", `f: unknown trace format "nothing" (want one of: ` + strings.Join(All.Names(), ", ") + ")"},
		{"csv", "op,adr\n", `f:1: unknown column "adr" (want one of: time, cycle, instruction, time_ns, time_ps, op, addr, object, size, core, tensor, reuse, pc, next; did you mean "addr"?)`},
		{"", "op,adr\nR,0\n", `f:1: unknown column "adr" (want one of: time, cycle, instruction, time_ns, time_ps, op, addr, object, size, core, tensor, reuse, pc, next; did you mean "addr"?)`},
		{"", "op,addr,op\nR,0,R\n", `f:1: column "op": there is one of its kind already`},
		{"", "op,size\nR,4\n", `f:1: there is no column addr, or object`},
		{"csv", "op,size\n", `f:1: there is no column addr, or object`},
		{"csv", "time,cycle,addr\n", `f:1: column "cycle": there is one of its kind already`},
		{"causeway", "R 0\n", `f:1: the first line is not #causeway-trace/1`},
		{"causeway", "#causeway-trace/1\n#columns time addr\n", `f:2: a column time, and no #tick before it`},
		{"causeway", "#causeway-trace/1\n#tick 1/0s\n", `f:2: the tick is not none, cycle, instruction or NUM/DENs (seconds)`},
		{"causeway", "#causeway-trace/1\n#columns adr\n", `f:2: unknown column "adr" (want one of: time, cycle, instruction, time_ns, time_ps, op, addr, object, size, core, tensor, reuse, pc, next; did you mean "addr"?)`},
		{"causeway", "#causeway-trace/1\n#tensor name=a\n", `f:2: a tensor needs name= and bytes=`},
		{"causeway", "#causeway-trace/1\n#tensor name=a bytes=1 kind=x\n", `f:2: kind is "x" (want one of: activation, weight, kv_cache, input, output, gradient, optimizer_state)`},
		{"causeway", "#causeway-trace/1\n", `f:1: the heading has no line #columns`},
		{"gem5", "gem6", `f: byte 0: the file does not begin with gem5`},
		{"gem5", "gem5", `f: byte 4: the trace is cut off: there is no header`},
	} {
		s, err := Bytes("f", []byte(c.text))
		require.NoError(t, err)
		_, err = Read(s, Options{Format: c.format})
		require.EqualError(t, err, c.want)
		var bad interface{ BadInput() }
		require.True(t, errors.As(err, &bad))
	}
}

// A few small numbers can be records of several formats: that is an error, not a guess.
func TestAmbiguous(t *testing.T) {
	b := unhex("05000000 0700000000000000 01000000 0200000000000000 05000000 0700000000000000 01000000 0300000000000000")
	s, err := Bytes("x", b)
	require.NoError(t, err)
	_, err = Read(s, Options{})
	require.EqualError(t, err, "x: the content fits several trace formats; name the format (want one of: lines, oracle_general)")
	require.Equal(t, "lines", open(t, "x", b, Options{Format: "lines"}).Format)
	require.Equal(t, "oracle_general", open(t, "x.oraclegeneral", b, Options{}).Format)
	_, err = Bytes("x", append([]byte{0x1f, 0x8b}, make([]byte, 20)...))
	require.EqualError(t, err, "x: byte 0: cannot decompress: gzip: invalid header")
}

// Object and line numbers may be hashes: an object keeps its lower bits, a line is
// known by any address of 64 bits.
func TestLargeNumbers(t *testing.T) {
	var objects, lines []byte
	for i := range uint64(40) {
		id := (i%7 + 1) * 0x9e3779b97f4a7c15
		objects = binary.LittleEndian.AppendUint32(objects, uint32(i))
		objects = binary.LittleEndian.AppendUint64(objects, id)
		objects = binary.LittleEndian.AppendUint32(objects, 1)
		next := i + 8
		if next > 40 {
			next = math.MaxUint64
		}
		objects = binary.LittleEndian.AppendUint64(objects, next)
		lines = binary.LittleEndian.AppendUint64(lines, id>>6)
		lines = binary.LittleEndian.AppendUint64(lines, 0x400000)
	}
	for name, b := range map[string][]byte{"x.oracleGeneral": objects, "x.bin": lines} {
		f := open(t, name, b, Options{})
		seen := map[uint64]bool{}
		var r Record
		for range 40 {
			require.NoError(t, f.Next(&r), name)
			seen[r.Addr] = true
		}
		require.Len(t, seen, 7, name)
	}
}
