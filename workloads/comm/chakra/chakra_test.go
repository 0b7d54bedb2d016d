package chakra

import (
	"encoding/binary"
	"testing"

	"github.com/stretchr/testify/require"
	"google.golang.org/protobuf/proto"

	"github.com/causeway-sim/causeway/workloads/comm"
	pb "github.com/causeway-sim/causeway/workloads/comm/chakrapb"
	"github.com/causeway-sim/causeway/workloads/comm/commtest"
)

// frame puts each message after its length.
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
	p, err := commtest.Load(t, map[string]string{"x.0.et": chakraSample(t)}, "x.%d.et")
	require.NoError(t, err)
	require.Equal(t, chakraDump, commtest.Dump(&p.Ranks[0]))
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
		p, err := commtest.Load(t, map[string]string{"x.0.json": text}, "x.%d.json")
		require.NoError(t, err)
		require.Equal(t, chakraDump, commtest.Dump(&p.Ranks[0]))
		for n := 0; n < len(text)-1; n += 7 {
			if _, err := commtest.Load(t, map[string]string{"x.0.json": text[:n]}, "x.%d.json"); err != nil {
				require.ErrorAs(t, err, new(*comm.Error))
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
		_, err := commtest.Load(t, map[string]string{"x.0.et": c.text}, "x.%d.et")
		require.EqualError(t, err, c.want)
	}
	// Cut off anywhere but between messages, a trace is an error.
	text := chakraSample(t)
	good := 0
	for n := 1; n < len(text); n++ {
		if _, err := commtest.Load(t, map[string]string{"x.0.et": text[:n]}, "x.%d.et"); err == nil {
			good++
		} else {
			require.ErrorAs(t, err, new(*comm.Error))
		}
	}
	require.Equal(t, 2, good, "behind the metadata and before the last node; others lose what the first waits for")
}

func FuzzChakra(f *testing.F) {
	f.Add([]byte(chakraSample(f)))
	commtest.Fuzz(f, "chakra")
}

func FuzzChakraJSON(f *testing.F) {
	f.Add([]byte(`{"workload_graph": [{"Id": 7, "NodeType": 5, "data_deps": [4], "comm_size": 64, "comm_dst": 0}]}`))
	f.Add([]byte(`{"version": "0.0.4"}{"id": "8", "type": "COMM_COLL_NODE", "attr": [{"name": "is_cpu_op", "boolVal": true}]}`))
	commtest.Fuzz(f, "chakra_json")
}
