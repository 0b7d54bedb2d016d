package trace

import (
	"bytes"
	"encoding/binary"
	codec "encoding/hex"
	"errors"
	"io"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/causeway-sim/causeway/components/clock"
	"github.com/causeway-sim/causeway/workloads/graph"
)

// read returns all records and how the trace ended.
func read(r Reader) ([]Record, error) {
	var out []Record
	var rec Record
	for {
		if err := r.Next(&rec); err != nil {
			if err == io.EOF {
				err = nil
			}
			return out, err
		}
		out = append(out, rec)
	}
}

func open(t require.TestingT, name string, b []byte, o Options) *File {
	s, err := Bytes(name, b)
	require.NoError(t, err)
	f, err := Read(s, o)
	require.NoError(t, err)
	return f
}

func input(t *testing.T, name string) string {
	root := os.Getenv("CAUSEWAY_INPUTS")
	if root == "" {
		root = filepath.Join("..", "..", "..", "shared", "inputs")
	}
	path := filepath.Join(root, filepath.FromSlash(name))
	if _, err := os.Stat(path); err != nil {
		t.Skipf("%s is not here", name)
	}
	return path
}

func unhex(s string) []byte {
	b, err := codec.DecodeString(strings.Join(strings.Fields(s), ""))
	if err != nil {
		panic(err)
	}
	return b
}

// samples are small files as other tools write them.
var samples = []struct {
	format, name string
	text         []byte
	header       Header
	want         []Record
}{
	{"harness", "a.trc", []byte("R 0\nW 9025cc0\n\nR ff\r\n"), Header{Fields: Writes},
		[]Record{{Addr: 0}, {Addr: 0x9025cc0, Write: true}, {Addr: 255}}},
	{"dramsim3", "a.trace", []byte("0x2000D5C0 READ  30\n0x1FF96FC0 WRITE   160\n"), Header{Fields: Times | Writes, Tick: Tick{Unit: Cycles}},
		[]Record{{Time: 30, Addr: 0x2000d5c0}, {Time: 160, Addr: 0x1ff96fc0, Write: true}}},
	{"ramulator_inst", "i.trace", []byte("3 20734016\n8 20841280 20841344\n0 64\n"), Header{Fields: Times | Writes, Tick: Tick{Unit: Instructions}},
		[]Record{{Time: 3, Addr: 20734016}, {Time: 12, Addr: 20841280}, {Time: 12, Addr: 20841344, Write: true}, {Time: 13, Addr: 64}}},
	{"ramulator_loadstore", "l.trace", []byte("LD 0x40\nST 128\n"), Header{Fields: Writes},
		[]Record{{Addr: 64}, {Addr: 128, Write: true}}},
	{"ramulator_readwrite", "v.trace", []byte("R 0,0,0,0,0,1\nW 0,0,0,1,0,0\n"), Header{Fields: Writes, Line: 64},
		[]Record{{Addr: 64}, {Addr: 64 << (columnBits + rowBits), Write: true}}},
	{"ramulator1", "d.trace", []byte("0x12345680 R\n0x4cbd56c0 W\n"), Header{Fields: Writes},
		[]Record{{Addr: 0x12345680}, {Addr: 0x4cbd56c0, Write: true}}},
	{"dramsys", "a.stl", []byte("# two\n0:\twrite\t0x0\n31:\t(16) read\t0x80\t0xffff\n"), Header{Fields: Times | Sizes | Writes, Tick: Tick{Unit: Cycles}},
		[]Record{{Write: true}, {Time: 31, Addr: 128, Size: 16}}},
	{"usimm", "u.trc", []byte("115 W 0x3a59ba40\n0 R 0x313ba40 0x1048d64\n455 R 0x473ef80 0x106e43c\n"), Header{Fields: Times | Writes | PCs, Tick: Tick{Unit: Instructions}},
		[]Record{{Time: 115, Addr: 0x3a59ba40, Write: true}, {Time: 116, Addr: 0x313ba40, PC: 0x1048d64}, {Time: 572, Addr: 0x473ef80, PC: 0x106e43c}}},
	{"tsim4cxl", "r0.txt", []byte("W:0:1024:ff00\nR:1024:2048:\nTerminate:0:0:\n"), Header{Fields: Sizes | Writes},
		[]Record{{Size: 1024, Write: true}, {Addr: 1024, Size: 2048}}},
	{"csv", "a.csv", []byte("cycle, op, addr,size,pc,core\n1,R,0x40,64,0x400,3\n5 , write,128,32,1,0\n"), Header{Fields: Times | Writes | Sizes | PCs | Cores, Tick: Tick{Unit: Cycles}},
		[]Record{{Time: 1, Addr: 64, Size: 64, PC: 0x400, Core: 3}, {Time: 5, Addr: 128, Size: 32, PC: 1, Write: true}}},
	{"causeway", "a.ct", []byte("#causeway-trace/1\n#tick 1/1000000000s\n#tensor name=k kind=kv_cache base=0x40 bytes=128 tile=64 accesses=3 sharers=2 write_once=true\n#columns time op addr tensor reuse next\n7 R 0x40 1 2 1\n9 W 0x40 0 0 -1\n"),
		Header{Fields: Times | Writes | Tensors | Reuses | Nexts, Tick: Nanosecond, Tensors: []Tensor{{Name: "k", Kind: graph.KV, Base: 64, Bytes: 128, Tile: 64, Accesses: 3, Sharers: 2, WriteOnce: true}}},
		[]Record{{Time: 7, Addr: 64, Tensor: 1, Reuse: 2, Next: 1}, {Time: 9, Addr: 64, Write: true, Next: -1}}},
	{"champsim", "a.champsimtrace", unhex(`
		1032540000000000 0000 0000 00000000 0000000000000000 0000000000000000 0000000000000000 0000000000000000 0000000000000000 0000000000000000
		1432540000000000 0100 0000 00000000 00f0ff7f00000000 0000000000000000 0010ff7f00000000 0000000000000000 0020ff7f00000000 0000000000000000`),
		Header{Fields: Times | Writes | PCs, Tick: Tick{Unit: Instructions}},
		[]Record{{Time: 1, PC: 0x543214, Addr: 0x7fff1000}, {Time: 1, PC: 0x543214, Addr: 0x7fff2000}, {Time: 1, PC: 0x543214, Addr: 0x7ffff000, Write: true}}},
	{"oracle_general", "a.oracleGeneral", unhex(`
		00000000 0500000000000000 01000000 0300000000000000
		01000000 0600000000000000 01000000 ffffffffffffffff
		02000000 0500000000000000 01000000 ffffffffffffffff`),
		Header{Fields: Times | Sizes | Nexts, Tick: Tick{Seconds, 1, 1}, Line: 64, Objects: true},
		[]Record{{Addr: 320, Size: 1, Next: 2}, {Time: 1, Addr: 384, Size: 1, Next: -1}, {Time: 2, Addr: 320, Size: 1, Next: -1}}},
	{"lines", "a.bin", unhex("0200000000000000 00004000 03000000 ff7f000000000000 00004000 00000000"),
		Header{Fields: PCs | Cores, Line: 64}, []Record{{Addr: 128, PC: 0x400000, Core: 3}, {Addr: 0x7fff * 64, PC: 0x400000}}},
	{"gem5", "g.trc", unhex("67656d35 0c 0a03616263 1880a094a58d1d 0a 08e807 1001 18e70a 2040 0b 08a01f 1004 18ffef02 2020"),
		Header{Fields: Times | Sizes | Writes | PCs, Tick: Tick{Seconds, 1, 1e12}},
		[]Record{{Time: 1000, Addr: 0x567, Size: 64}, {Time: 4000, Addr: 0xb7ff, Size: 32, Write: true}}},
}

func TestSamples(t *testing.T) {
	for _, s := range samples {
		t.Run(s.format, func(t *testing.T) {
			f := open(t, s.name, s.text, Options{})
			require.Equal(t, s.format, f.Format)
			require.Equal(t, s.header, *f.Header())
			got, err := read(f)
			require.NoError(t, err)
			require.Equal(t, s.want, got)
			again := f.Next(&Record{})
			require.Equal(t, io.EOF, again)
		})
	}
}

// Every format has a sample.
func TestSamplesAreAll(t *testing.T) {
	var have []string
	for _, s := range samples {
		have = append(have, s.format)
	}
	require.ElementsMatch(t, All.Names(), have)
}

// Compression is seen through, whatever the name says.
func TestCompression(t *testing.T) {
	for _, how := range []string{"gz", "xz", "zst"} {
		for _, s := range samples {
			var b bytes.Buffer
			w, err := Compress(&b, how)
			require.NoError(t, err)
			_, err = w.Write(s.text)
			require.NoError(t, err)
			require.NoError(t, w.Close())
			f := open(t, s.name+"."+how, b.Bytes(), Options{})
			require.Equal(t, s.format, f.Format)
			require.Equal(t, how, f.Compression)
			got, err := read(f)
			require.NoError(t, err)
			require.Equal(t, s.want, got)
			require.NoError(t, f.Close())
		}
	}
}

// A compressed trace that is cut off yields what comes before the cut.
func TestCutCompression(t *testing.T) {
	text := strings.Repeat("R 123456789a\nW abcdef\nR 42\n", 200000)
	for _, how := range []string{"gz", "xz", "zst"} {
		var b bytes.Buffer
		w, err := Compress(&b, how)
		require.NoError(t, err)
		_, err = io.WriteString(w, text)
		require.NoError(t, err)
		require.NoError(t, w.Close())
		f := open(t, "x", b.Bytes()[:b.Len()/2], Options{})
		got, err := read(f)
		var e *Error
		require.ErrorAs(t, err, &e, how)
		require.Contains(t, e.Msg, "cannot decompress: ", how)
		require.Equal(t, len(got)+1, e.Line, how)
		require.NotEmpty(t, got, how)
	}
}

// roundTrip draws records that a format can hold.
func drawRecords(t *rapid.T, holds Fields, h *Header) []Record {
	var out []Record
	now := uint64(0)
	n := rapid.IntRange(1, 40).Draw(t, "n")
	for i := range n {
		r := Record{Addr: 64 * rapid.Uint64Range(1, 1<<36).Draw(t, "line")}
		if holds&Times != 0 {
			now += rapid.Uint64Range(1, 50).Draw(t, "gap")
			r.Time = now
		}
		if holds&Writes != 0 {
			r.Write = rapid.Bool().Draw(t, "write")
		}
		if holds&Sizes != 0 {
			r.Size = rapid.Uint32Range(1, 1<<20).Draw(t, "size")
		}
		if holds&PCs != 0 {
			r.PC = rapid.Uint64Range(4096, 1<<32-1).Draw(t, "pc")
		}
		if holds&Cores != 0 {
			r.Core = rapid.Uint32Range(0, 64).Draw(t, "core")
		}
		if holds&Tensors != 0 {
			r.Tensor = rapid.Uint32Range(0, uint32(len(h.Tensors))).Draw(t, "tensor")
		}
		if holds&Reuses != 0 {
			r.Reuse = rapid.Uint32().Draw(t, "reuse")
		}
		if holds&Nexts != 0 {
			r.Next = rapid.Int64Range(-1, 1000).Draw(t, "next")
		}
		_ = i
		out = append(out, r)
	}
	return out
}

// What is written is read back, in every format, for random records.
func TestRoundTrip(t *testing.T) {
	for _, e := range All.Entries() {
		t.Run(e.Name, func(t *testing.T) {
			rapid.Check(t, func(t *rapid.T) {
				f := e.New
				h := Header{Fields: f.Holds, Tick: f.Tick, Line: 64}
				if f.Holds&Times != 0 && h.Tick.Unit == NoTime {
					h.Tick = rapid.SampledFrom([]Tick{{Unit: Cycles}, {Unit: Instructions}, Nanosecond, {Seconds, 13, 31250}}).Draw(t, "tick")
				}
				if f.Holds&Tensors != 0 && e.Name == "causeway" {
					h.Tensors = []Tensor{{Name: "w", Kind: graph.Weight, Bytes: 5}, {Name: "o", Kind: graph.Output, Base: 64, Bytes: 9, WriteOnce: true}}
				}
				recs := drawRecords(t, f.Holds, &h)
				switch e.Name {
				case "ramulator_inst": // a write is of the instruction that loads
					for i := range recs {
						recs[i].Write = i > 0 && recs[i].Write && !recs[i-1].Write
						if recs[i].Write {
							recs[i].Time = recs[i-1].Time
						}
					}
				case "oracle_general": // the next access follows from the addresses
					for i := range recs {
						recs[i].Addr = recs[i].Addr % 512 / 64 * 64
						recs[i].Next = -1
						for j := range i {
							if recs[j].Addr == recs[i].Addr {
								recs[j].Next = int64(i)
								for k := j + 1; k < i; k++ {
									if recs[k].Addr == recs[i].Addr {
										recs[j].Next = min(recs[j].Next, int64(k))
									}
								}
							}
						}
					}
				case "usimm": // writes have no program counter
					for i := range recs {
						if recs[i].Write {
							recs[i].PC = 0
						}
					}
				case "tsim4cxl":
					for i := range recs {
						recs[i].Time = 0
					}
				}
				var b bytes.Buffer
				w, err := f.Create(&b, h)
				require.NoError(t, err)
				for i := range recs {
					require.NoError(t, w.Write(&recs[i]))
				}
				require.NoError(t, w.Close())
				got := open(t, "x", b.Bytes(), Options{Format: e.Name})
				back, err := read(got)
				require.NoError(t, err)
				require.Equal(t, recs, back)
				require.Equal(t, h.Tick, got.Header().Tick)
			})
		})
	}
}

// Accesses of one instruction share a record of ChampSim.
func TestChampSimGroups(t *testing.T) {
	var b bytes.Buffer
	recs := []Record{{Time: 4, PC: 9000, Addr: 64}, {Time: 4, PC: 9000, Addr: 128, Write: true}, {Time: 5, PC: 9004, Addr: 64}}
	w, err := mustFormat("champsim").Create(&b, Header{Tick: Tick{Unit: Instructions}})
	require.NoError(t, err)
	for i := range recs {
		require.NoError(t, w.Write(&recs[i]))
	}
	require.NoError(t, w.Close())
	require.Equal(t, 6*champSimSize, b.Len())
	got, err := read(open(t, "x", b.Bytes(), Options{Format: "champsim"}))
	require.NoError(t, err)
	require.Equal(t, recs, got)
	require.EqualError(t, w.Write(&Record{}), "address 0 stands for no access in this format")
}

func mustFormat(name string) Format {
	e, ok := All.Entry(name)
	if !ok {
		panic(name)
	}
	return e.New
}

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
		{"csv", "op,adr\n", `f:1: unknown column "adr" (want one of: time, cycle, instruction, time_ns, time_ps, op, addr, size, core, tensor, reuse, pc, next)`},
		{"csv", "op,size\n", `f:1: there is no column addr`},
		{"csv", "time,cycle,addr\n", `f:1: column "cycle": there is one of its kind already`},
		{"causeway", "R 0\n", `f:1: the first line is not #causeway-trace/1`},
		{"causeway", "#causeway-trace/1\n#columns time addr\n", `f:2: a column time, and no #tick before it`},
		{"causeway", "#causeway-trace/1\n#tick 1/0s\n", `f:2: the tick is not none, cycle, instruction or NUM/DENs (seconds)`},
		{"causeway", "#causeway-trace/1\n#tensor name=a\n", `f:2: a tensor needs name= and bytes=`},
		{"causeway", "#causeway-trace/1\n#tensor name=a bytes=1 kind=x\n", `f:2: kind is "x" (want one of: activation, weight, kv_cache, input, output)`},
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

// A few small numbers can be records of several formats: nobody guesses.
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

func TestConvert(t *testing.T) {
	var b bytes.Buffer
	src := "cycle,op,addr,pc\n10,R,0x40,7\n25,W,0x80,7\n"
	n, dropped, err := Conversion{Format: "gem5", Clock: clock.Hz(1600e6)}.Convert(&b, open(t, "a.csv", []byte(src), Options{}))
	require.NoError(t, err)
	require.Equal(t, uint64(2), n)
	require.Zero(t, dropped)
	f := open(t, "x", b.Bytes(), Options{})
	require.Equal(t, picosecond, f.Header().Tick)
	got, err := read(f)
	require.NoError(t, err)
	require.Equal(t, []Record{{Time: 6250, Addr: 64, PC: 7, Size: 64}, {Time: 15625, Addr: 128, PC: 7, Size: 64, Write: true}}, got)

	var back bytes.Buffer
	_, dropped, err = Conversion{Format: "dramsim3", Clock: clock.Hz(1600e6)}.Convert(&back, open(t, "x", b.Bytes(), Options{}))
	require.NoError(t, err)
	require.Equal(t, Sizes|PCs, dropped)
	require.Equal(t, "0x40 READ 10\n0x80 WRITE 25\n", back.String())

	_, _, err = Conversion{Format: "dramsim3"}.Convert(&back, open(t, "x", b.Bytes(), Options{}))
	require.EqualError(t, err, "times count 1/1000000000000s, and dramsim3 has cycle: a clock is needed")

	// instructions are no time
	b.Reset()
	_, dropped, err = Conversion{Format: "dramsim3"}.Convert(&b, open(t, "x", []byte("3 64\n"), Options{Format: "ramulator_inst"}))
	require.NoError(t, err)
	require.Equal(t, Times, dropped)
}

func TestSummarize(t *testing.T) {
	s, err := Summarize(open(t, "x", []byte("0: (64) read 0x40\n9: (32) write 0x60\n20: (8) read 0x2000\n"), Options{}))
	require.NoError(t, err)
	require.Equal(t, Summary{Records: 3, Writes: 1, Bytes: 104, Last: 20, Low: 64, High: 8192, Lines: 2, Cores: 1}, s)
	s, err = Summarize(open(t, "x", []byte("R 0\nR\n"), Options{}))
	require.EqualError(t, err, "x:2:2: the hexadecimal address is missing")
	require.Equal(t, uint64(1), s.Records)
}
