package trace

import (
	"bytes"
	codec "encoding/hex"
	"io"
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
