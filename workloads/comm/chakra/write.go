package chakra

import (
	"bufio"
	"encoding/binary"
	"fmt"
	"io"
	"slices"

	"google.golang.org/protobuf/proto"

	"github.com/causeway-sim/causeway/components/units"
	"github.com/causeway-sim/causeway/workloads/comm"
	pb "github.com/causeway-sim/causeway/workloads/comm/chakrapb"
)

// Version is the version of the format that Write writes.
const Version = "0.0.4"

// nanosAttr is an attribute of our own: the format counts whole microseconds, and
// other readers pass over attributes that they do not know.
const nanosAttr = "duration_nanos"

// Write writes one rank of a program as a Chakra execution trace. The bytes depend on the program
// only. Node ids are the indices of operations. A dependency on a start becomes the dependencies
// of the operation that starts, which is equal unless that operation waits for a busy processor.
// Operations that the format cannot express are an error: receives with wildcards, synchronous
// sends. A communicator has its number as pg_name; durations are rounded up to microseconds.
// Further attributes hold the members and the duration in nanoseconds for Open.
func Write(w io.Writer, p *comm.Program, rank int) error {
	out := bufio.NewWriter(w)
	put := func(m proto.Message) error {
		b, err := proto.MarshalOptions{Deterministic: true}.Marshal(m)
		if err != nil {
			return err
		}
		var size [binary.MaxVarintLen64]byte
		if _, err := out.Write(size[:binary.PutUvarint(size[:], uint64(len(b)))]); err != nil {
			return err
		}
		_, err = out.Write(b)
		return err
	}
	if err := put(&pb.GlobalMetadata{Version: Version}); err != nil {
		return err
	}
	r := &p.Ranks[rank]
	for i := range r.Len() {
		n, err := nodeOf(p, r, i)
		if err != nil {
			return fmt.Errorf("rank %d: %s: %w", rank, r.Label(i), err)
		}
		if err := put(n); err != nil {
			return err
		}
	}
	return out.Flush()
}

func nodeOf(p *comm.Program, r *comm.Rank, i int) (*pb.Node, error) {
	o := r.Op(i)
	n := &pb.Node{Id: uint64(i), Name: r.Name(i), DataDeps: dataDeps(r, i)}
	if n.Name == "" {
		n.Name = fmt.Sprintf("%s_%d", o.Kind, i)
		if o.Kind == comm.Collective {
			n.Name = fmt.Sprintf("%s_%d", o.Coll, i)
		}
	}
	if o.Unit > hostUnit {
		return nil, fmt.Errorf("the format has two processors per rank, not %d", o.Unit+1)
	}
	n.Attr = append(n.Attr, &pb.Attribute{Name: "is_cpu_op", Value: &pb.Attribute_BoolVal{BoolVal: o.Unit == hostUnit}})
	if (o.Kind == comm.Send || o.Kind == comm.Recv || o.Kind == comm.Collective) && o.Group != 0 {
		group, err := groupAttrs(p, o.Group)
		if err != nil {
			return nil, err
		}
		n.Attr = append(n.Attr, group...)
	}
	if o.Time > 0 {
		n.DurationMicros = uint64((o.Time + units.Microsecond - 1) / units.Microsecond)
		if o.Time%units.Microsecond != 0 {
			size(n, nanosAttr, uint64((o.Time+units.Nanosecond/2)/units.Nanosecond))
		}
	}
	if err := setKind(n, o); err != nil {
		return nil, err
	}
	return n, nil
}

func integer(n *pb.Node, name string, v int64) {
	n.Attr = append(n.Attr, &pb.Attribute{Name: name, Value: &pb.Attribute_Int64Val{Int64Val: v}})
}

func size(n *pb.Node, name string, v uint64) {
	n.Attr = append(n.Attr, &pb.Attribute{Name: name, Value: &pb.Attribute_Uint64Val{Uint64Val: v}})
}

// setKind sets the type of a node, and the attributes that nodes of the type have.
func setKind(n *pb.Node, o *comm.Op) error {
	switch o.Kind {
	case comm.Join:
		n.Type = pb.NodeType_METADATA_NODE
	case comm.Compute:
		n.Type = pb.NodeType_COMP_NODE
		if o.Work > 0 {
			size(n, "num_ops", uint64(o.Work))
		}
		if o.Bytes > 0 {
			size(n, "tensor_size", o.Bytes)
		}
	case comm.Load, comm.Store:
		n.Type = pb.NodeType_MEM_LOAD_NODE
		if o.Kind == comm.Store {
			n.Type = pb.NodeType_MEM_STORE_NODE
		}
		size(n, "tensor_size", o.Bytes)
	case comm.Send:
		if o.Sync {
			return fmt.Errorf("the format has no synchronous sends")
		}
		n.Type = pb.NodeType_COMM_SEND_NODE
		integer(n, "comm_size", int64(o.Bytes))
		integer(n, "comm_dst", int64(o.Peer))
		integer(n, "comm_tag", o.Tag)
	case comm.Recv:
		if o.Peer == comm.AnySource || o.Tag == comm.AnyTag {
			return fmt.Errorf("the format has no wildcards")
		}
		n.Type = pb.NodeType_COMM_RECV_NODE
		integer(n, "comm_size", int64(o.Bytes))
		integer(n, "comm_src", int64(o.Peer))
		integer(n, "comm_tag", o.Tag)
	case comm.Collective:
		n.Type = pb.NodeType_COMM_COLL_NODE
		for k := range pb.CollectiveCommType_name {
			t := pb.CollectiveCommType(k)
			if collOf[t] == o.Coll && t != pb.CollectiveCommType_REDUCE_SCATTER_BLOCK {
				integer(n, "comm_type", int64(t))
			}
		}
		integer(n, "comm_size", int64(o.Bytes))
		if o.Peer != 0 {
			integer(n, "root_rank", int64(o.Peer))
		}
	}
	return nil
}

// dataDeps are the ends that operation i waits for; a start stands for all that
// it waits for itself.
func dataDeps(r *comm.Rank, i int) []uint64 {
	var out []uint64
	seen := map[int]bool{}
	var add func(i int)
	add = func(i int) {
		for _, d := range r.Deps(i) {
			switch {
			case !d.Start():
				out = append(out, uint64(d.Op()))
			case !seen[d.Op()]:
				seen[d.Op()] = true
				add(d.Op())
			}
		}
	}
	add(i)
	slices.Sort(out)
	return slices.Compact(out)
}
