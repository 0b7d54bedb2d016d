package comm

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"google.golang.org/protobuf/proto"

	"github.com/causeway-sim/causeway/components/units"
	pb "github.com/causeway-sim/causeway/workloads/comm/chakrapb"
)

// load reads files that a test names; a name without %d is a file on its own.
func load(t testing.TB, files map[string]string, path string) (*Program, error) {
	dir := t.TempDir()
	for name, text := range files {
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644))
	}
	p, _, err := Open(filepath.Join(dir, path), Options{})
	if e, ok := err.(*Error); ok {
		e.File = strings.TrimPrefix(e.File, dir+string(filepath.Separator))
	}
	return p, err
}

// dump writes a rank as one line per operation.
func dump(r *Rank) string {
	var b strings.Builder
	for i := range r.Len() {
		o := r.Op(i)
		fmt.Fprintf(&b, "%d %s", i, o)
		if o.Time > 0 {
			fmt.Fprintf(&b, " %s", o.Time)
		}
		if o.Group > 0 {
			fmt.Fprintf(&b, " group %d", o.Group)
		}
		if o.Unit > 0 {
			fmt.Fprintf(&b, " unit %d", o.Unit)
		}
		for _, d := range r.Deps(i) {
			word := "after"
			if d.Start() {
				word = "with"
			}
			fmt.Fprintf(&b, ", %s %d", word, d.Op())
		}
		b.WriteString("\n")
	}
	return b.String()
}

const goalText = `num_ranks 2
/* two
   ranks */ rank 0 {
a: calc 100 cpu 1
b: send 8b to 1 tag 3 // comment
b requires a
c: recv 16 b from -1 tag -1 cpu 0 nic 0
c irequires b
}
rank 1 { calc 5 }
`

func TestGOAL(t *testing.T) {
	p, err := load(t, map[string]string{"x.goal": goalText}, "x.goal")
	require.NoError(t, err)
	require.Equal(t, "0 compute 100ns unit 1\n1 send of 8B to rank 1, tag 3, after 0\n2 recv of 16B from any rank, any tag, with 1\n", dump(&p.Ranks[0]))
	require.Equal(t, "0 compute 5ns\n", dump(&p.Ranks[1]))
}

func TestGOALErrors(t *testing.T) {
	for text, want := range map[string]string{
		"num_ranks 0\n":                                                              `x:1: num_ranks: "0" is no number from 1 to 1048576`,
		"num_ranks 2\nrank 2 {\n}\n":                                                 `x:2: rank: "2" is no number from 0 to 1`,
		"num_ranks 2\nrank 0 {\nsend 8 to 1\n}\n":                                    `x:3: send: "8" is no size (want a whole number and b)`,
		"num_ranks 2\nrank 0 {\nsend 8b from 1\n}\n":                                 `x:3: send: want to and a rank, not "from"`,
		"num_ranks 2\nrank 0 {\nsend 8b to -1\n}\n":                                  `x:3: send: "-1" is no number from 0 to 1048575`,
		"num_ranks 2\nrank 0 {\nl1: jump 8\n}\n":                                     `x:3: "jump" is no operation (want send, recv or calc)`,
		"num_ranks 2\nrank 0 {\nl1: calc 8\nl1: calc 8\n}":                           `x:4: label l1 is there twice`,
		"num_ranks 2\nrank 0 {\nl1: calc 8\n":                                        `x:3: the file ends inside a rank, which begins in line 2`,
		"num_ranks 2\nrank 0 {\nl: calc 8\nl requires m\n}":                          `x:4: there is no label "m" in this rank`,
		"num_ranks 2\nrank 0 {\n}\nrank 0 {\n}\n":                                    `x:4: rank 0 is there twice`,
		"num_ranks 2\n}\n":                                                           `x:2: } without a rank`,
		"num_ranks 2\n/* no end\n":                                                   `x:2: the file ends inside a comment`,
		"num_ranks 1\nrank 0 {\na: calc 1\nb: calc 1\na requires b\nb requires a\n}": `x: rank 0: operation 0 (compute) waits for itself`,
		"prose": `x: the content is of no known format of communication traces (want one of: chakra, chakra_json, dumpi, goal, pmpi)`,
		"":      `x: the file is empty`,
	} {
		_, err := load(t, map[string]string{"x": text}, "x")
		require.EqualError(t, err, want)
	}
}

const pmpiText = `# Init clockdiff: 0.0
MPI_Init:0:0:0.000000:100.000000
MPI_Comm_size:101:0,0,2:2:102
MPI_Irecv : 110.0 : 14744192 : 10 : 13,8,8 : -1 : 76 : 5641280,0,2 : 7000 : 111.0
MPI_Send : 120.0 : 11251872 : 4 : 11,8,8 : 1 : 7 : 0,0,2 : 121.0
MPI_Waitall : 130.0 : 1 : 7000 : 5839040 : 140.0
MPI_Allreduce : 140.0 : 1 : 2 : 3 : 2,4,4 : 3 : 5,0,2 : 150.0
MPI_Alltoall : 150.0 : 1 : 3 : 10,8,8 : 2 : 3 : 10,8,8 : 5,0,2 : 160.0
MPI_Scan : 160.0 : 1 : 2 : 3 : 2,4,4 : 3 : 5,0,2 : 161.0
MPI_Barrier:161.0:3,0,2:162.0
MPI_Finalize:163:163
`

func TestPMPI(t *testing.T) {
	p, err := load(t, map[string]string{"t-0.txt": pmpiText, "t-1.txt": "MPI_Init:0:1\nMPI_Sendrecv:2:9:1:1,4,4:0:0:9:1:1,4,4:0:0:7,1,2:9:3\n"}, "t-%d.txt")
	require.NoError(t, err)
	require.Equal(t, `0 compute 10us
1 recv of 80B from any rank, tag 76, after 0
2 compute 9us, with 1
3 send of 32B to rank 1, tag 7, after 2
4 compute 9us, after 3
5 join, after 1, after 4
6 all_reduce of 12B, after 5
7 all_to_all of 48B, after 6
8 send of 12B to rank 1, tag 1099511627776, after 7
9 barrier of 0B, after 8
`, dump(&p.Ranks[0]))
	require.Equal(t, "0 compute 1us\n1 send of 4B to rank 0, tag 0, after 0\n2 recv of 4B from rank 0, tag 0, with 1\n3 join, after 1, after 2, with 2\n", dump(&p.Ranks[1]))
}

func TestPMPIErrors(t *testing.T) {
	for line, want := range map[string]string{
		"MPI_Send:1:2:3":                         "t-0.txt:2: MPI_Send has 1 arguments (want 2 or more)",
		"MPI_Send:1:2:x:11,8,8:1:7:0,0,2:9":      `t-0.txt:2: MPI_Send: argument 2 is "x", no number`,
		"MPI_Send:1:2:3:11:1:7:0,0,2:9":          `t-0.txt:2: MPI_Send: 3 elements of type "11" have no size`,
		"MPI_Barrier:1:3,1,2:9":                  "t-0.txt:2: MPI_Barrier: a communicator in which this is rank 1, and the trace does not say of whom (only that of all ranks is read)",
		"MPI_Alltoallv:1:2":                      "t-0.txt:2: MPI_Alltoallv is not read",
		"MPI_Barrier:x:3,0,2:9":                  "t-0.txt:2: MPI_Barrier has no times",
		"what is this":                           `t-0.txt:2: "what is this" is no call (want MPI_NAME:time:...:time)`,
		"MPI_Barrier:999999999999999:3,0,2:1e17": "t-0.txt:2: 9.99999999999999e+14 us between two calls",
	} {
		_, err := load(t, map[string]string{"t-0.txt": "MPI_Init:0:0\n" + line + "\n"}, "t-%d.txt")
		require.EqualError(t, err, want)
	}
}

// frame puts messages behind their lengths.
func frame(t testing.TB, ms ...proto.Message) string {
	var out []byte
	for _, m := range ms {
		b, err := proto.MarshalOptions{Deterministic: true}.Marshal(m)
		require.NoError(t, err)
		out = binary.AppendUvarint(out, uint64(len(b)))
		out = append(out, b...)
	}
	return string(out)
}

func num(name string, v int64) *pb.Attribute {
	return &pb.Attribute{Name: name, Value: &pb.Attribute_Int64Val{Int64Val: v}}
}

func chakraSample(t testing.TB) string {
	return frame(t, &pb.GlobalMetadata{Version: "0.0.4"},
		&pb.Node{Id: 9, Name: "late", Type: pb.NodeType_COMM_COLL_NODE, DataDeps: []uint64{4, 7}, Attr: []*pb.Attribute{num("comm_type", 7), num("comm_size", 1<<20)}},
		&pb.Node{Id: 4, Name: "first", Type: pb.NodeType_COMP_NODE, DurationMicros: 3, CtrlDeps: []uint64{99}},
		&pb.Node{Id: 7, Name: "out", Type: pb.NodeType_COMM_SEND_NODE, DataDeps: []uint64{4}, Attr: []*pb.Attribute{
			num("comm_size", 64), {Name: "comm_dst", Value: &pb.Attribute_Int32Val{Int32Val: 0}}, {Name: "comm_tag", Value: &pb.Attribute_Uint32Val{Uint32Val: 5}}}},
		&pb.Node{Id: 8, Name: "call", Type: pb.NodeType_COMM_COLL_NODE, DurationMicros: 2, Attr: []*pb.Attribute{{Name: "is_cpu_op", Value: &pb.Attribute_BoolVal{BoolVal: true}}}},
	)
}

const chakraDump = `0 reduce_scatter of 1MiB, after 1, after 2
1 compute 3us
2 send of 64B to rank 0, tag 5, after 1
3 compute 2us unit 1
`

func TestChakra(t *testing.T) {
	p, err := load(t, map[string]string{"x.0.et": chakraSample(t)}, "x.%d.et")
	require.NoError(t, err)
	require.Equal(t, chakraDump, dump(&p.Ranks[0]))
	require.Equal(t, "late", p.Ranks[0].Name(0))
}

func TestChakraJSON(t *testing.T) {
	graph := `{"workload_graph": [
 {"Id": 9, "Name": "late", "NodeType": 7, "data_deps": [4, 7], "comm_type": 7, "comm_size": 1048576},
 {"Id": 4, "Name": "first", "NodeType": 4, "ctrlDeps": [99], "runtime": 3},
 {"Id": 7, "Name": "out", "NodeType": 5, "data_deps": [4], "comm_size": 64, "comm_dst": 0, "comm_tag": 5},
 {"Id": 8, "Name": "call", "NodeType": 7, "runtime": 2, "is_cpu_op": true}]}`
	messages := `{"version": "0.0.4"}
{"id": "9", "name": "late", "type": "COMM_COLL_NODE", "dataDeps": ["4", "7"], "attr": [{"name": "comm_type", "int64Val": "7"}, {"name": "comm_size", "int64Val": "1048576"}]}
{"id": "4", "type": "COMP_NODE", "durationMicros": "3", "inputs": {"values": "[]"}}{"id": "7", "type": "COMM_SEND_NODE", "dataDeps": ["4"],
 "attr": [{"name": "comm_size", "int64Val": "64"}, {"name": "comm_dst", "int32Val": 0}, {"name": "comm_tag", "int32Val": 5}]}
{"id": "8", "type": "COMM_COLL_NODE", "durationMicros": "2", "attr": [{"name": "is_cpu_op", "boolVal": true}]}`
	for _, text := range []string{graph, messages} {
		p, err := load(t, map[string]string{"x.0.json": text}, "x.%d.json")
		require.NoError(t, err)
		require.Equal(t, chakraDump, dump(&p.Ranks[0]))
		for n := 0; n < len(text)-1; n += 7 {
			if _, err := load(t, map[string]string{"x.0.json": text[:n]}, "x.%d.json"); err != nil {
				require.ErrorAs(t, err, new(*Error))
			} else {
				require.NotEqual(t, graph, text, "cut at %d", n)
			}
		}
	}
}

func TestChakraErrors(t *testing.T) {
	meta := &pb.GlobalMetadata{Version: "x"}
	send := func(a ...*pb.Attribute) *pb.Node { return &pb.Node{Type: pb.NodeType_COMM_SEND_NODE, Attr: a} }
	for _, c := range []struct {
		text, want string
	}{
		{frame(t, meta, send()), `x.0.et: byte 4: node 0 "": there is no comm_dst`},
		{frame(t, meta, send(num("comm_dst", 1))), `x.0.et: byte 4: node 0 "": there is no comm_size`},
		{frame(t, meta, send(num("comm_dst", -1), num("comm_size", 1))), `x.0.et: byte 4: node 0 "": comm_dst is -1 (want 0 to 1048575)`},
		{frame(t, meta, send(num("comm_dst", 1), num("comm_size", -1))), `x.0.et: byte 4: node 0 "": attribute comm_size is no size`},
		{frame(t, meta, &pb.Node{Id: 1, Type: pb.NodeType_COMP_NODE, DataDeps: []uint64{5}}), `x.0.et: byte 4: node "" waits for node 5, which does not exist`},
		{frame(t, meta, &pb.Node{Id: 1, Type: pb.NodeType_COMP_NODE}, &pb.Node{Id: 1, Type: pb.NodeType_COMP_NODE}), `x.0.et: byte 9: node 1 "": the id is there twice`},
		{frame(t, meta, &pb.Node{Id: 1, Type: pb.NodeType_COMP_NODE, DataDeps: []uint64{1}}), `x.%d.et: rank 0: operation 0 (compute) waits for itself`},
		{frame(t, meta, &pb.Node{Type: pb.NodeType_COMM_COLL_NODE, Attr: []*pb.Attribute{num("comm_type", 10)}}), `x.0.et: byte 4: node 0 "": comm_type is 10 (want 0 to 9)`},
		{frame(t, meta, &pb.Node{Id: 3}), `x.0.et: byte 4: node 3 "": type INVALID_NODE is none that is read`},
	} {
		_, err := load(t, map[string]string{"x.0.et": c.text}, "x.%d.et")
		require.EqualError(t, err, c.want)
	}
	// Cut off anywhere but between messages, a trace is an error.
	text := chakraSample(t)
	good := 0
	for n := 1; n < len(text); n++ {
		if _, err := load(t, map[string]string{"x.0.et": text[:n]}, "x.%d.et"); err == nil {
			good++
		} else {
			require.ErrorAs(t, err, new(*Error))
		}
	}
	require.Equal(t, 2, good, "behind the metadata and before the last node; others lose what the first waits for")
}

func TestSets(t *testing.T) {
	one := frame(t, &pb.GlobalMetadata{Version: "x"}, &pb.Node{Type: pb.NodeType_COMP_NODE})
	files := map[string]string{"a.0.et": one, "a.1.et": one, "README": "nothing", ".hidden.7.et": one}
	p, err := load(t, files, "")
	require.NoError(t, err)
	require.Len(t, p.Ranks, 2)
	files["a.3.et"] = one
	_, err = load(t, files, ".")
	require.ErrorContains(t, err, "there are 3 ranks, but none with number 2")
	delete(files, "a.3.et")
	files["b.2.json"] = `{"workload_graph": []}`
	_, err = load(t, files, ".")
	require.ErrorContains(t, err, "b.2.json: is of format chakra_json, others are of chakra")
	_, err = load(t, files, "c.%d.et")
	require.ErrorContains(t, err, "c.0.et: no such file or directory")
	dir := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(dir, "a.0.et"), []byte(one), 0o644))
	_, _, err = Open(filepath.Join(dir, "a.%d.et"), Options{Ranks: 2})
	require.ErrorContains(t, err, "a.1.et: no such file")
	_, _, err = Open(filepath.Join(dir, "a.%d.et"), Options{Format: "morse"})
	require.ErrorContains(t, err, `unknown format "morse"`)
}

// A dumpiText builds a DUMPI file in memory.
type dumpiText struct {
	bytes.Buffer
	now uint32
}

func newDumpi() *dumpiText {
	d := &dumpiText{}
	d.Write(dumpiMagic)
	d.Write(make([]byte, 8))
	return d
}

func dumpiNumber(name string) int {
	return slices.IndexFunc(dumpiCalls[:], func(c struct{ name, layout string }) bool { return c.name == name })
}

// call appends a record that lasts 10 ns, 100 ns after the last. Arguments are
// of the widths of the layout; a slice is a counted list.
func (d *dumpiText) call(name string, args ...any) {
	fn := dumpiNumber(name)
	put := func(v any) { _ = binary.Write(d, binary.BigEndian, v) }
	put(uint16(fn))
	put(uint8(dumpiWall | dumpiThread | dumpiStatuses))
	put(uint16(0))
	d.now += 100
	for _, at := range []uint32{d.now, d.now + 10} {
		put(uint16(0))
		put(at)
	}
	d.now += 10
	i := 0
	for _, l := range dumpiCalls[fn].layout {
		if l == 's' {
			put(int32(1))
			d.Write(make([]byte, 14))
			continue
		}
		if i == len(args) {
			break // what only the root records
		}
		switch v := args[i].(type) {
		case int:
			switch l {
			case 'h':
				put(uint16(v))
			case 'b':
				put(uint8(v))
			default:
				put(int32(v))
			}
		case []int32:
			put(int32(len(v)))
			for _, x := range v {
				if l == 't' {
					put(uint16(x))
				} else {
					put(x)
				}
			}
		}
		i++
	}
}

func (d *dumpiText) text() string {
	put := func(v any) { _ = binary.Write(d, binary.BigEndian, v) }
	put(uint16(0x125))
	header := d.Len()
	d.Write([]byte{1, 1, 0})
	sizes := d.Len()
	put([]int32{28, 0, 0, 1, 1, 1, 1, 4, 2, 2, 4, 4, 8, 8, 4, 8, 16, 8, 8, 8, 1, 0, 0, 8, 12, 12, 6, 8, 20})
	d.Write(dumpiMagic)
	put([]int64{int64(sizes), 0, 0, int64(header), 8, int64(header), 0})
	return d.String()
}

// Two communicators of a split, a sub-communicator by group, requests of all
// kinds, derived types, and collectives with counts.
func TestDUMPI(t *testing.T) {
	files := map[string]string{}
	for n := range 4 {
		d := newDumpi()
		d.call("Init", []int32{}) // no arguments
		color := n % 2
		d.call("Comm_split", 2, color, -n, 4)
		d.call("Type_contiguous", 3, 14, 30) // 24 bytes
		peer := n / 2                        // the keys turn the order round: this is the other
		d.call("Irecv", 2, 30, peer, 5, 4, 9)
		d.call("Isend", 1, 30, peer, 5, 4, 10)
		d.call("Waitall", 2, []int32{9, 10})
		d.call("Comm_free", 4)
		d.call("Comm_dup", 2, 4)
		d.call("Allreduce", 2, 14, 3, 4)
		d.call("Alltoall", 1, 9, 1, 9, 2)
		counts := make([]int32, 4)
		counts[(n+1)%4] = 5
		from := make([]int32, 4)
		from[(n+3)%4] = 5
		d.call("Alltoallv", 4, counts, make([]int32, 4), 14, from, make([]int32, 4), 14, 2)
		d.call("Scan", 1, 9, 3, 2)
		d.call("Comm_group", 2, 3)
		d.call("Group_incl", 3, 2, []int32{3, 1}, 4)
		if n == 1 || n == 3 {
			d.call("Comm_create", 2, 4, 7)
			d.call("Bcast", 1, 14, 1, 7)
		} else {
			d.call("Comm_create", 2, 4, dumpiNull)
		}
		d.call("Finalize")
		files[fmt.Sprintf("dumpi-%04d.bin", n)] = d.text()
	}
	p, err := load(t, files, ".")
	require.NoError(t, err)
	require.NoError(t, p.Check())
	require.Equal(t, [][]int32{{0, 1, 2, 3}, {0}, {1}, {2}, {3}, {2, 0}, {3, 1}, {0, 1, 2, 3}, {3, 1}}, p.Groups)
	require.Equal(t, `0 compute 320ns
1 recv of 48B from rank 2, tag 5 group 5, after 0
2 compute 100ns, with 1
3 send of 24B to rank 2, tag 5 group 5, after 2
4 compute 100ns, with 3
5 join, after 1, after 3, after 4
6 compute 320ns, after 5
7 all_reduce of 16B group 7, after 6
8 compute 100ns, after 7
9 all_to_all of 16B, after 8
10 compute 100ns, after 9
11 recv of 40B from rank 3, tag 1099511627776, after 10
12 send of 40B to rank 1, tag 1099511627776, after 10
13 join, after 10, after 11, after 12
14 compute 100ns, after 13
15 join, after 14
16 send of 4B to rank 1, tag 1099511627777, after 15
`, dump(&p.Ranks[0]))
	last := p.Ranks[1].Op(p.Ranks[1].Len() - 1)
	require.Equal(t, Op{Kind: Collective, Coll: Broadcast, Peer: 1, Group: 8, Bytes: 8, end: last.end}, *last)
	require.Equal(t, units.Time(430)*units.Nanosecond, p.Ranks[1].Op(p.Ranks[1].Len()-2).Time)
	for _, q := range Pairs(p) {
		require.Equal(t, q.Sent, q.Received)
	}
}

func TestDUMPIErrors(t *testing.T) {
	good := func(add func(d *dumpiText)) string {
		d := newDumpi()
		d.call("Init", []int32{})
		add(d)
		return d.text()
	}
	for _, c := range []struct{ text, want string }{
		{good(func(d *dumpiText) { d.call("Isend", 1, 99, 1, 5, 2, 10) }), "byte 37: MPI_Isend: data type 99 has no size"},
		{good(func(d *dumpiText) { d.call("Isend", 1, 14, 1, 5, 9, 10) }), "byte 37: MPI_Isend: communicator 9 is not known"},
		{good(func(d *dumpiText) { d.call("Isend", 1, 14, 1, 5, 2, 10) }), "operation 1: the communicator has 1 ranks and no rank 1"},
		{good(func(d *dumpiText) { d.call("Start", 4) }), "byte 37: MPI_Start: request 4 is no persistent one"},
		{good(func(d *dumpiText) { d.call("Pcontrol", 4) }), "byte 37: MPI_Pcontrol is not read"},
		{good(func(d *dumpiText) { d.Write([]byte{0x77, 0x77}) }), "byte 37: there is no function of number 30583"},
		{good(func(d *dumpiText) {
			d.call("Waitall", 1, []int32{2, 3})
			d.Truncate(d.Len() - 30)
			d.Write([]byte{0x7f})
		}), "does not fit"},
	} {
		_, err := load(t, map[string]string{"d-0.bin": c.text}, "d-%d.bin")
		require.ErrorContains(t, err, c.want)
	}
	text := good(func(d *dumpiText) { d.call("Allreduce", 2, 14, 3, 2) })
	_, err := load(t, map[string]string{"d-0.bin": text}, "d-%d.bin")
	require.NoError(t, err)
	for n := 8; n < len(text); n++ {
		_, err := load(t, map[string]string{"d-0.bin": text[:n]}, "d-%d.bin")
		require.ErrorContains(t, err, "cut off", "%d bytes", n)
	}
}
