package chakra

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"

	"google.golang.org/protobuf/encoding/protojson"

	"github.com/causeway-sim/causeway/components/registry"
	"github.com/causeway-sim/causeway/workloads/comm"
	pb "github.com/causeway-sim/causeway/workloads/comm/chakrapb"
)

func init() {
	comm.All.Add(registry.Entry[comm.Format]{
		Name:   "chakra_json",
		Doc:    "Chakra execution traces as JSON: a workload_graph, or the messages one after the other.",
		Source: "MLCommons Chakra, feeder json_node.cpp and jsonizer.py",
		New:    comm.Format{PerRank: true, Sniff: sniffJSON, Reader: newReader(readJSON)},
	})
}

func sniffJSON(head []byte) int {
	s := bytes.TrimLeft(head, " \t\r\n")
	if len(s) == 0 || s[0] != '{' {
		return 0
	}
	if bytes.Contains(s, []byte(`"workload_graph"`)) {
		return 95
	}
	// Messages: that of the metadata first, and it begins with its version or attr.
	s = bytes.TrimLeft(s[1:], " \t\r\n")
	if bytes.Contains(s, []byte(`_NODE"`)) && (bytes.HasPrefix(s, []byte(`"version"`)) || bytes.HasPrefix(s, []byte(`"attr"`)) || bytes.HasPrefix(s, []byte("}"))) {
		return 70
	}
	return 0
}

// A jsonNode is an item of workload_graph.
type jsonNode struct {
	ID       uint64   `json:"Id"`
	Name     string   `json:"Name"`
	Type     int32    `json:"NodeType"`
	Deps     []uint64 `json:"data_deps"`
	Runtime  uint64   `json:"runtime"` // us
	Host     bool     `json:"is_cpu_op"`
	CommType *int64   `json:"comm_type"`
	CommSize *int64   `json:"comm_size"`
	Src      *int64   `json:"comm_src"`
	Dst      *int64   `json:"comm_dst"`
	Tag      *int64   `json:"comm_tag"`
	Root     *int64   `json:"root_rank"`
	Tensor   *int64   `json:"tensor_size"`
	Ops      *int64   `json:"num_ops"`
}

// node is the same as a message of the schema.
func (j *jsonNode) node() *pb.Node {
	n := &pb.Node{Id: j.ID, Name: j.Name, Type: pb.NodeType(j.Type), DataDeps: j.Deps, DurationMicros: j.Runtime}
	n.Attr = append(n.Attr, &pb.Attribute{Name: "is_cpu_op", Value: &pb.Attribute_BoolVal{BoolVal: j.Host}})
	for _, a := range []struct {
		name string
		v    *int64
	}{
		{"comm_type", j.CommType}, {"comm_size", j.CommSize}, {"comm_src", j.Src}, {"comm_dst", j.Dst},
		{"comm_tag", j.Tag}, {"root_rank", j.Root}, {"tensor_size", j.Tensor}, {"num_ops", j.Ops},
	} {
		if a.v != nil {
			n.Attr = append(n.Attr, &pb.Attribute{Name: a.name, Value: &pb.Attribute_Int64Val{Int64Val: *a.v}})
		}
	}
	return n
}

func readJSON(in *comm.Input, c *rank) error {
	d := json.NewDecoder(in.Reader())
	at := func(format string, args ...any) *comm.Error {
		return &comm.Error{File: in.Name, Offset: d.InputOffset(), Msg: fmt.Sprintf(format, args...)}
	}
	for first := true; ; first = false {
		var raw json.RawMessage
		err := d.Decode(&raw)
		switch {
		case err == io.EOF && !first:
			return c.link()
		case err == io.EOF || errors.Is(err, io.ErrUnexpectedEOF):
			return at("the file is cut off")
		case err != nil:
			return at("%s", strings.TrimPrefix(err.Error(), "json: "))
		}
		var graph struct {
			Nodes []json.RawMessage `json:"workload_graph"`
		}
		if first && json.Unmarshal(raw, &graph) == nil && graph.Nodes != nil {
			for i, x := range graph.Nodes {
				var j jsonNode
				if err := json.Unmarshal(x, &j); err != nil {
					return at("workload_graph[%d]: %s", i, strings.TrimPrefix(err.Error(), "json: "))
				}
				if err := c.add(j.node(), d.InputOffset()); err != nil {
					return at("workload_graph[%d]: node %d %q: %v", i, j.ID, j.Name, err)
				}
			}
			continue
		}
		var keys map[string]json.RawMessage
		if json.Unmarshal(raw, &keys) != nil {
			return at("want an object")
		}
		if first && keys["type"] == nil && keys["id"] == nil { // GlobalMetadata
			continue
		}
		var n pb.Node
		if err := (protojson.UnmarshalOptions{DiscardUnknown: true}).Unmarshal(raw, &n); err != nil {
			return at("want a Node: %v", err)
		}
		if err := c.add(&n, d.InputOffset()); err != nil {
			return at("node %d %q: %v", n.Id, n.Name, err)
		}
	}
}
