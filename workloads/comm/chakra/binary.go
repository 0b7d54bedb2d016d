package chakra

import (
	"bufio"
	"encoding/binary"
	"fmt"
	"io"
	"math"

	"google.golang.org/protobuf/encoding/protowire"
	"google.golang.org/protobuf/proto"

	"github.com/causeway-sim/causeway/components/registry"
	"github.com/causeway-sim/causeway/components/units"
	"github.com/causeway-sim/causeway/workloads/comm"
	pb "github.com/causeway-sim/causeway/workloads/comm/chakrapb"
)

func init() {
	comm.All.Add(registry.Entry[comm.Format]{
		Name:   "chakra",
		Doc:    "Chakra execution traces: a graph of computations, messages and collectives per rank, as protocol buffers.",
		Source: "MLCommons Chakra, et_def.proto, schema 1.0.2-chakra.0.0.4",
		New:    comm.Format{PerRank: true, Sniff: sniffBinary, Reader: newReader(readBinary)},
	})
}

// A reader reads the ranks of a trace, in the binary or in the JSON form.
type reader struct {
	b      *comm.Builder
	groups groups // of all ranks
	read   func(in *comm.Input, c *rank) error
}

func newReader(read func(in *comm.Input, c *rank) error) func(b *comm.Builder) comm.Reader {
	return func(b *comm.Builder) comm.Reader { return &reader{b: b, read: read} }
}

func (c *reader) Read(in *comm.Input) error {
	r, fresh := c.b.Rank(in.Rank)
	if !fresh {
		return comm.Errorf(in.Name, "rank %d is there twice", in.Rank)
	}
	return c.read(in, &rank{in: in, groups: &c.groups, rank: r, ids: map[uint64]int32{}})
}

func (c *reader) Finish(p *comm.Program) error {
	p.Groups = append(p.Groups, c.groups.list...)
	return nil
}

// maxNode bounds one message of a file.
const maxNode = 64 << 20

// sniffBinary requires a length and then only fields of GlobalMetadata. The second message may be
// truncated by the end of head.
func sniffBinary(head []byte) int {
	n, k := protowire.ConsumeVarint(head)
	if k < 0 || n > maxNode {
		return 0
	}
	body := head[k:]
	whole := uint64(len(body)) >= n
	if whole {
		body = body[:n]
	}
	for len(body) > 0 {
		num, typ, k := protowire.ConsumeTag(body)
		if k < 0 || num > 2 || typ != protowire.BytesType {
			return 0
		}
		size, m := protowire.ConsumeVarint(body[k:])
		if m < 0 {
			return 0
		}
		body = body[k+m:]
		if uint64(len(body)) < size {
			if whole {
				return 0
			}
			break
		}
		body = body[size:]
	}
	if n == 0 && len(head) < 2 {
		return 0
	}
	return 60
}

// frames reads messages, each after its length.
type frames struct {
	in     *comm.Input
	r      *bufio.Reader
	offset int64 // of the message read last
	next   int64
	buf    []byte
}

func (f *frames) ReadByte() (byte, error) {
	b, err := f.r.ReadByte()
	if err == nil {
		f.next++
	}
	return b, err
}

// read returns the next message, io.EOF after the last.
func (f *frames) read() ([]byte, error) {
	f.offset = f.next
	n, err := binary.ReadUvarint(f)
	switch {
	case err == io.EOF && f.next == f.offset:
		return nil, io.EOF
	case err == io.EOF || err == io.ErrUnexpectedEOF:
		return nil, f.fault("the file is cut off inside a length")
	case err != nil:
		return nil, f.fault("%v", err)
	case n > maxNode:
		return nil, f.fault("a message of %d bytes (want at most %d)", n, maxNode)
	case n > uint64(max(0, f.in.Size-f.next)):
		return nil, f.fault("the file is cut off: a message of %d bytes, of which %d are there", n, f.in.Size-f.next)
	}
	if uint64(cap(f.buf)) < n {
		f.buf = make([]byte, n)
	}
	f.buf = f.buf[:n]
	k, err := io.ReadFull(f.r, f.buf)
	f.next += int64(k)
	if err != nil {
		return nil, f.fault("the file is cut off: a message of %d bytes, of which %d are there", n, k)
	}
	return f.buf, nil
}

func (f *frames) fault(format string, args ...any) *comm.Error {
	return &comm.Error{File: f.in.Name, Offset: f.offset, Msg: fmt.Sprintf(format, args...)}
}

func readBinary(in *comm.Input, c *rank) error {
	f := &frames{in: in, r: in.Reader()}
	msg, err := f.read()
	if err == io.EOF {
		return f.fault("the file is empty")
	}
	if err == nil {
		if e := proto.Unmarshal(msg, &pb.GlobalMetadata{}); e != nil {
			err = f.fault("want GlobalMetadata: %v", e)
		}
	}
	if err != nil {
		return err
	}
	opts := proto.UnmarshalOptions{DiscardUnknown: true}
	var node pb.Node
	for {
		msg, err := f.read()
		if err == io.EOF {
			return c.link()
		}
		if err != nil {
			return err
		}
		if err := opts.Unmarshal(msg, &node); err != nil {
			return f.fault("want a Node: %v", err)
		}
		if err := c.add(&node, f.offset); err != nil {
			return f.fault("node %d %q: %v", node.Id, node.Name, err)
		}
	}
}

// A rank turns the nodes of one rank into operations, for the binary and
// the JSON form.
type rank struct {
	in     *comm.Input
	groups *groups
	rank   *comm.Rank
	ids    map[uint64]int32 // operation of a node
	later  []dependency
}

type dependency struct {
	op int32
	on uint64
	at int64 // byte of the node
}

// Units of a rank: the host and the accelerator compute in parallel.
const (
	acceleratorUnit = 0
	hostUnit        = comm.Host
)

// add adds one node.
func (c *rank) add(n *pb.Node, at int64) error {
	if _, dup := c.ids[n.Id]; dup {
		return fmt.Errorf("the id is there twice")
	}
	if c.rank.Len() >= comm.MaxOps {
		return fmt.Errorf("more than %d nodes", comm.MaxOps)
	}
	o, err := c.op(n)
	if err != nil {
		return err
	}
	i := c.rank.Add(o)
	c.ids[n.Id] = int32(i)
	if n.Name != "" {
		c.rank.SetName(i, n.Name)
	}
	for _, d := range n.DataDeps {
		c.later = append(c.later, dependency{int32(i), d, at})
	}
	return nil
}

// link turns ids into operations.
func (c *rank) link() error {
	for _, d := range c.later {
		on, ok := c.ids[d.on]
		if !ok {
			return &comm.Error{File: c.in.Name, Offset: d.at, Msg: fmt.Sprintf("node %q waits for node %d, which does not exist", c.rank.Name(int(d.op)), d.on)}
		}
		c.rank.Require(int(d.op), comm.After(int(on)))
	}
	return nil
}

// attributes are the attributes that are read.
type attributes struct {
	commType, src, dst, tag, root int64
	size, tensor, nanos           uint64
	ops                           float64
	group                         group
	host, hasType, hasSize        bool
	hasSrc, hasDst                bool
}

func attrs(n *pb.Node) (a attributes, err error) {
	for _, x := range n.Attr {
		v, isInt := intOf(x)
		need := func(to *int64) {
			if !isInt {
				err = fmt.Errorf("attribute %s is no whole number", x.Name)
			}
			*to = v
		}
		size := func(to *uint64) {
			if !isInt || v < 0 {
				err = fmt.Errorf("attribute %s is no size", x.Name)
				return
			}
			*to = uint64(v)
		}
		switch x.Name {
		case "comm_type":
			a.hasType = true
			need(&a.commType)
		case "comm_size":
			a.hasSize = true
			size(&a.size)
		case "comm_src":
			a.hasSrc = true
			need(&a.src)
		case "comm_dst":
			a.hasDst = true
			need(&a.dst)
		case "comm_tag":
			need(&a.tag)
		case "root_rank":
			need(&a.root)
		case "tensor_size":
			size(&a.tensor)
		case nanosAttr:
			size(&a.nanos)
		case "num_ops":
			var ops uint64
			size(&ops)
			a.ops = float64(ops)
		case groupAttr:
			a.group.name = x.GetStringVal()
		case membersAttr:
			a.group.members = x.GetStringVal()
		case "is_cpu_op":
			a.host = x.GetBoolVal() || isInt && v != 0
		}
	}
	return a, err
}

// intOf is the value of an attribute as a whole number; writers differ in the
// type they give it.
func intOf(a *pb.Attribute) (int64, bool) {
	u := uint64(0)
	switch v := a.Value.(type) {
	case *pb.Attribute_Int32Val:
		return int64(v.Int32Val), true
	case *pb.Attribute_Int64Val:
		return v.Int64Val, true
	case *pb.Attribute_Uint32Val:
		return int64(v.Uint32Val), true
	case *pb.Attribute_Uint64Val:
		u = v.Uint64Val
	case *pb.Attribute_Sint32Val:
		return int64(v.Sint32Val), true
	case *pb.Attribute_Sint64Val:
		return v.Sint64Val, true
	case *pb.Attribute_Fixed32Val:
		return int64(v.Fixed32Val), true
	case *pb.Attribute_Fixed64Val:
		u = v.Fixed64Val
	case *pb.Attribute_Sfixed32Val:
		return int64(v.Sfixed32Val), true
	case *pb.Attribute_Sfixed64Val:
		return v.Sfixed64Val, true
	default:
		return 0, false
	}
	return int64(u), u <= math.MaxInt64
}

// collOf maps the schema's numbers.
var collOf = map[pb.CollectiveCommType]comm.Coll{
	pb.CollectiveCommType_ALL_REDUCE: comm.AllReduce, pb.CollectiveCommType_REDUCE: comm.Reduce,
	pb.CollectiveCommType_ALL_GATHER: comm.AllGather, pb.CollectiveCommType_GATHER: comm.Gather,
	pb.CollectiveCommType_SCATTER: comm.Scatter, pb.CollectiveCommType_BROADCAST: comm.Broadcast,
	pb.CollectiveCommType_ALL_TO_ALL: comm.AllToAll, pb.CollectiveCommType_REDUCE_SCATTER: comm.ReduceScatter,
	pb.CollectiveCommType_REDUCE_SCATTER_BLOCK: comm.ReduceScatter, pb.CollectiveCommType_BARRIER: comm.Barrier,
}

func (c *rank) op(n *pb.Node) (comm.Op, error) {
	a, err := attrs(n)
	if err != nil {
		return comm.Op{}, err
	}
	group, err := c.groups.of(a.group)
	if err != nil {
		return comm.Op{}, err
	}
	if n.DurationMicros > math.MaxUint64/uint64(units.Microsecond) {
		return comm.Op{}, fmt.Errorf("a duration of %d us", n.DurationMicros)
	}
	took := units.Time(n.DurationMicros) * units.Microsecond
	if a.nanos > 0 {
		if a.nanos > math.MaxUint64/uint64(units.Nanosecond) {
			return comm.Op{}, fmt.Errorf("a duration of %d ns", a.nanos)
		}
		took = units.Time(a.nanos) * units.Nanosecond
	}
	unit := uint8(acceleratorUnit)
	if a.host {
		unit = hostUnit
	}
	switch n.Type {
	case pb.NodeType_METADATA_NODE:
		return comm.Op{Kind: comm.Join}, nil
	case pb.NodeType_MEM_LOAD_NODE:
		return comm.Op{Kind: comm.Load, Unit: unit, Bytes: a.tensor, Time: took}, nil
	case pb.NodeType_MEM_STORE_NODE:
		return comm.Op{Kind: comm.Store, Unit: unit, Bytes: a.tensor, Time: took}, nil
	case pb.NodeType_COMP_NODE:
		return comm.Op{Kind: comm.Compute, Unit: unit, Time: took, Work: a.ops, Bytes: a.tensor}, nil
	case pb.NodeType_COMM_SEND_NODE, pb.NodeType_COMM_RECV_NODE:
		if !a.hasSize && a.host {
			return comm.Op{Kind: comm.Compute, Unit: unit, Time: took}, nil // the host's side of it
		}
		return a.message(n.Type, group)
	case pb.NodeType_COMM_COLL_NODE:
		if !a.hasType { // the host's call; the transfer is a node of its own
			return comm.Op{Kind: comm.Compute, Unit: unit, Time: took}, nil
		}
		return a.collective(group)
	}
	return comm.Op{}, fmt.Errorf("type %s is none that is read", n.Type)
}

// message is the operation of a node that sends or receives.
func (a *attributes) message(t pb.NodeType, group int32) (comm.Op, error) {
	kind, peer, has, name := comm.Send, a.dst, a.hasDst, "comm_dst"
	if t == pb.NodeType_COMM_RECV_NODE {
		kind, peer, has, name = comm.Recv, a.src, a.hasSrc, "comm_src"
	}
	switch {
	case !has:
		return comm.Op{}, fmt.Errorf("there is no %s", name)
	case !a.hasSize:
		return comm.Op{}, fmt.Errorf("there is no comm_size")
	case peer < 0 || peer >= comm.MaxRanks:
		return comm.Op{}, fmt.Errorf("%s is %d (want 0 to %d)", name, peer, comm.MaxRanks-1)
	case a.tag < 0:
		return comm.Op{}, fmt.Errorf("comm_tag is %d (want 0 or more)", a.tag)
	}
	return comm.Op{Kind: kind, Peer: int32(peer), Tag: a.tag, Bytes: a.size, Group: group}, nil
}

// collective is the operation of a node with a comm_type.
func (a *attributes) collective(group int32) (comm.Op, error) {
	coll, ok := collOf[pb.CollectiveCommType(a.commType)]
	switch {
	case !ok:
		return comm.Op{}, fmt.Errorf("comm_type is %d (want 0 to 9)", a.commType)
	case !a.hasSize && coll != comm.Barrier:
		return comm.Op{}, fmt.Errorf("there is no comm_size")
	case a.root < 0 || a.root >= comm.MaxRanks:
		return comm.Op{}, fmt.Errorf("root_rank is %d (want 0 to %d)", a.root, comm.MaxRanks-1)
	}
	return comm.Op{Kind: comm.Collective, Coll: coll, Bytes: a.size, Peer: int32(a.root), Group: group}, nil
}
