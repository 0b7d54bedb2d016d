package dumpi

import (
	"github.com/causeway-sim/causeway/workloads/comm"
)

import "fmt"

// collective takes the collective calls; false for a call of another kind. Those
// with a count per rank are written out as messages, but for allgatherv, which
// becomes an all_gather of the mean.
func (d *rank) collective(c *call, name string) (bool, error) {
	a := c.args
	var coll comm.Coll
	var bytes uint64
	var err error
	root, on := int64(0), int64(0)
	switch name {
	case "Barrier":
		coll, on = comm.Barrier, a[0]
	case "Bcast":
		coll, root, on = comm.Broadcast, a[2], a[3]
		bytes, err = d.size(a[0], a[1])
	case "Reduce":
		coll, root, on = comm.Reduce, a[3], a[4]
		bytes, err = d.size(a[0], a[1])
	case "Allreduce":
		coll, on = comm.AllReduce, a[3]
		bytes, err = d.size(a[0], a[1])
	case "Gather", "Scatter":
		coll, root, on = comm.Gather, a[3], a[4]
		if name == "Scatter" {
			coll = comm.Scatter
		}
		if len(a) == 7 { // the root, whose own part may be in place
			bytes, err = d.size(a[5], a[6])
		} else {
			bytes, err = d.size(a[1], a[2])
		}
	case "Allgather":
		coll, on = comm.AllGather, a[4]
		bytes, err = d.size(a[2], a[3])
	case "Allgatherv":
		coll, on = comm.AllGather, a[4]
		if bytes, err = d.size(sum(c.lists[0]), a[3]); len(c.lists[0]) > 0 {
			bytes = (bytes + uint64(len(c.lists[0])) - 1) / uint64(len(c.lists[0]))
		}
	case "Alltoall":
		coll, on = comm.AllToAll, a[4]
		bytes, err = d.size(a[2], a[3])
	case "Reduce_scatter":
		coll, on = comm.ReduceScatter, a[3]
		bytes, err = d.size(sum(c.lists[0]), a[1])
	case "Scan", "Exscan", "Gatherv", "Scatterv", "Alltoallv", "Alltoallw":
		d.gap(c)
		return true, d.expand(c, name)
	default:
		return false, nil
	}
	if err != nil {
		return true, err
	}
	g, err := d.comm(on)
	if err != nil {
		return true, err
	}
	if root < 0 {
		return true, fmt.Errorf("root is %d", root)
	}
	d.gap(c)
	i := d.Do(comm.Op{Kind: comm.Collective, Coll: coll, Peer: int32(root), Group: g, Bytes: bytes}, true)
	if coll == comm.AllToAll {
		d.spread = append(d.spread, i)
	}
	return true, nil
}

func sum(l []int32) (n int64) {
	for _, v := range l {
		n += int64(v)
	}
	return n
}

// expand writes a collective out as messages.
func (d *rank) expand(c *call, name string) error {
	a := c.args
	g, err := d.comm(a[len(a)-1])
	if name == "Gatherv" {
		g, err = d.comm(a[5])
	}
	if err != nil {
		return err
	}
	tag := comm.ExpandedTag + d.expanded[g]
	d.expanded[g]++
	var ops []int
	var first error
	before := d.Cursor
	begun := d.Begun
	add := func(kind comm.Kind, peer int, count, dtype int64) {
		n, err := d.size(count, dtype)
		if err != nil && first == nil {
			first = err
		}
		if n == 0 {
			return
		}
		d.Cursor, d.Begun = before, begun
		ops = append(ops, d.Do(comm.Op{Kind: kind, Peer: int32(peer), Tag: tag, Group: g, Bytes: n}, false))
	}
	// among does the same with all ranks but one; their data types are those of dtype.
	among := func(kind comm.Kind, counts []int32, except int64, dtype func(i int) int64) {
		for i, n := range counts {
			if int64(i) != except {
				add(kind, i, int64(n), dtype(i))
			}
		}
	}
	of := func(dtype int64) func(int) int64 { return func(int) int64 { return dtype } }
	switch name {
	case "Scan", "Exscan":
		n, err := d.size(a[0], a[1])
		if err != nil {
			return err
		}
		d.Do(comm.Op{Kind: comm.Recv, Peer: peerBefore, Tag: tag, Group: g, Bytes: n}, true)
		d.Do(comm.Op{Kind: comm.Send, Peer: peerBehind, Tag: tag, Group: g, Bytes: n}, true)
		return nil
	case "Gatherv": // rank, size, count, type, root, comm, type of the root
		if a[0] != a[4] {
			add(comm.Send, int(a[4]), a[2], a[3])
		} else {
			among(comm.Recv, c.lists[0], a[0], of(a[6]))
		}
	case "Scatterv": // rank, size, type of the root, count, type, root, comm
		if a[0] != a[5] {
			add(comm.Recv, int(a[5]), a[3], a[4])
		} else {
			among(comm.Send, c.lists[0], a[0], of(a[2]))
		}
	case "Alltoallv": // size, counts, type, counts, type
		among(comm.Recv, c.lists[2], -1, of(a[2]))
		among(comm.Send, c.lists[0], -1, of(a[1]))
	case "Alltoallw": // size, counts, displacements, types, and the same again
		if len(c.lists[0]) != len(c.lists[2]) || len(c.lists[3]) != len(c.lists[5]) {
			return fmt.Errorf("%d counts with %d types", len(c.lists[0]), len(c.lists[2]))
		}
		among(comm.Recv, c.lists[3], -1, func(i int) int64 { return int64(c.lists[5][i]) })
		among(comm.Send, c.lists[0], -1, func(i int) int64 { return int64(c.lists[2][i]) })
	}
	if first != nil {
		return first
	}
	d.Cursor, d.Begun = before, begun
	d.Wait(ops...)
	return nil
}

// define takes the calls that make data types, communicators and groups.
func (d *rank) define(c *call, name string) error {
	a := c.args
	var size uint64
	var err error
	switch name {
	case "Type_contiguous":
		size, err = d.size(a[0], a[1])
	case "Type_vector", "Type_hvector", "Type_create_hvector":
		size, err = d.size(a[0]*a[1], a[3])
	case "Type_indexed", "Type_hindexed", "Type_create_hindexed":
		size, err = d.size(sum(c.lists[0]), a[1])
	case "Type_create_indexed_block":
		size, err = d.size(a[0]*a[1], a[2])
	case "Type_dup":
		size, err = d.size(1, a[0])
	case "Type_create_resized":
		size, err = d.size(1, a[0])
	case "Type_struct", "Type_create_struct":
		types := c.lists[len(c.lists)-1]
		if len(types) != len(c.lists[0]) {
			return fmt.Errorf("%d lengths with %d types", len(c.lists[0]), len(types))
		}
		for i, n := range c.lists[0] {
			k, e := d.size(int64(n), int64(types[i]))
			if e != nil {
				return e
			}
			size += k
		}
	case "Type_create_subarray":
		n := int64(1)
		for _, k := range c.lists[1] {
			n *= int64(k)
			if n > 1<<40 || n < 0 {
				return fmt.Errorf("a part of an array with more than 2^40 elements")
			}
		}
		size, err = d.size(n, a[2])
	default:
		return d.defineComm(c, name)
	}
	if err != nil {
		return err
	}
	if len(a) == 0 {
		return nil
	}
	d.types[a[len(a)-1]] = size
	return nil
}
