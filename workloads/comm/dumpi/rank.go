package dumpi

import (
	"fmt"
	"io"
	"math"
	"strings"

	"github.com/causeway-sim/causeway/components/units"
	"github.com/causeway-sim/causeway/workloads/comm"
)

// A rank turns the calls of one rank into operations. Ranks and groups in
// them are those of the trace until reader.Finish.
type rank struct {
	comm.Thread
	file   *file
	number int
	last   units.Time // end of the last call that became an operation
	timed  bool

	requests map[int64]request
	types    map[int64]uint64 // sizes of data types made by the program
	comms    map[int64]int32  // communicators by their number in the trace
	made     []communicator   // all of them, in order
	groups   map[int64]group
	spread   []int // AllToAll whose Bytes are still those for one rank
	expanded []int64
}

// A request is a message that is under way, or a persistent one.
type request struct {
	op         int // -1: not started
	persistent bool
	template   comm.Op
}

// Peers of a scan, until the group is known.
const (
	peerBefore = -10
	peerBehind = -11
)

func (w *reader) Read(in *comm.Input) error {
	f, err := open(in)
	if err != nil {
		return err
	}
	r, fresh := w.b.Rank(in.Rank)
	if !fresh {
		return comm.Errorf(in.Name, "rank %d is there twice", in.Rank)
	}
	d := &rank{
		Thread: comm.Thread{Rank: r}, file: f, number: in.Rank, requests: map[int64]request{}, types: map[int64]uint64{},
		comms: map[int64]int32{2: 0, 3: 1}, made: []communicator{{how: commWorld}, {how: commSelf}}, groups: map[int64]group{},
		expanded: make([]int64, 2),
	}
	w.ranks[in.Rank] = d
	for {
		c, err := f.read()
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
		if err := d.take(c); err != nil {
			return f.fault("MPI_%s: %v", functions[c.fn].name, err)
		}
	}
}

// gap adds what the rank computed before the call.
func (d *rank) gap(c *call) {
	if d.timed && c.timed && c.start > d.last {
		d.Do(comm.Op{Kind: comm.Compute, Time: c.start - d.last}, true)
	}
	if c.timed {
		d.last, d.timed = c.stop, true
	}
}

// size is that of n elements of a data type.
func (d *rank) size(n, dtype int64) (uint64, error) {
	one, ok := d.types[dtype]
	if !ok && dtype >= 0 && dtype < int64(len(d.file.sizes)) {
		one, ok = d.file.sizes[dtype], true
	}
	switch {
	case n == 0:
		return 0, nil
	case !ok:
		return 0, fmt.Errorf("data type %d has no size", dtype)
	case n < 0:
		return 0, fmt.Errorf("a count of %d", n)
	case one > math.MaxUint32*64:
		return 0, fmt.Errorf("data type %d has %d bytes", dtype, one)
	}
	return uint64(n) * one, nil
}

func (d *rank) comm(id int64) (int32, error) {
	i, ok := d.comms[id]
	if !ok {
		return 0, fmt.Errorf("communicator %d is not known", id)
	}
	if d.made[i].how == commOther {
		return 0, fmt.Errorf("communicator %d was made in a way that is not read", id)
	}
	return i, nil
}

// message is the operation of a call whose arguments begin with count, type,
// peer, tag and communicator.
func (d *rank) message(kind comm.Kind, count, dtype, peer, tag, group int64) (comm.Op, error) {
	n, err := d.size(count, dtype)
	if err != nil {
		return comm.Op{}, err
	}
	g, err := d.comm(group)
	if err != nil {
		return comm.Op{}, err
	}
	if peer < 0 && !(kind == comm.Recv && peer == comm.AnySource) { // MPI_PROC_NULL
		return comm.Op{Kind: comm.Join}, nil
	}
	return comm.Op{Kind: kind, Peer: int32(peer), Tag: tag, Group: g, Bytes: n}, nil
}

// take takes one call. Those without a case only take time.
func (d *rank) take(c *call) error {
	a := c.args
	switch name := functions[c.fn].name; name {
	case "Init", "Init_thread":
		d.last, d.timed = c.stop, c.timed
	case "Send", "Bsend", "Ssend", "Rsend", "Recv",
		"Isend", "Ibsend", "Issend", "Irsend", "Irecv",
		"Send_init", "Bsend_init", "Ssend_init", "Rsend_init", "Recv_init":
		return d.transfer(c, name)
	case "Start":
		d.gap(c)
		return d.begin(a[0])
	case "Startall":
		d.gap(c)
		for _, r := range c.lists[0] {
			if err := d.begin(int64(r)); err != nil {
				return err
			}
		}
	case "Sendrecv", "Sendrecv_replace":
		return d.exchange(c, name)
	case "Wait", "Waitall", "Waitany", "Waitsome", "Test", "Testall", "Testany", "Testsome":
		d.finish(c, name)
	case "Cancel":
		if r, ok := d.requests[a[0]]; ok && r.op >= 0 && d.Rank.Op(r.op).Kind == comm.Recv {
			*d.Rank.Op(r.op) = comm.Op{Kind: comm.Join} // no rank sends to a cancelled receive
		}
	case "Request_free":
		delete(d.requests, a[0])
	default:
		if ok, err := d.collective(c, name); ok || err != nil {
			return err
		}
		return d.define(c, name)
	}
	return nil
}

// transfer takes a send or a receive: one that blocks, one with a request (I...), or the template of
// a persistent one (..._init).
func (d *rank) transfer(c *call, name string) error {
	a := c.args
	base, persistent := strings.CutSuffix(name, "_init")
	verb, immediate := strings.CutPrefix(base, "I")
	if immediate {
		verb = strings.ToUpper(verb[:1]) + verb[1:]
	}
	kind := comm.Send
	if verb == "Recv" {
		kind = comm.Recv
	}
	o, err := d.message(kind, a[0], a[1], a[2], a[3], a[4])
	if err != nil {
		return err
	}
	o.Sync = verb == "Ssend"
	switch {
	case persistent:
		d.requests[a[5]] = request{op: -1, persistent: true, template: o}
	case immediate:
		d.gap(c)
		d.requests[a[5]] = request{op: d.Do(o, false)}
	default:
		d.gap(c)
		d.Do(o, verb != "Bsend")
	}
	return nil
}

// exchange takes a send and a receive that are waited for together.
func (d *rank) exchange(c *call, name string) error {
	// count, type, dest, tag, then the same of the receive but for what is replaced.
	a := c.args
	recv := a[4:]
	if name == "Sendrecv_replace" {
		recv = append([]int64{a[0], a[1]}, a[4:]...)
	}
	s, err := d.message(comm.Send, a[0], a[1], a[2], a[3], recv[4])
	if err != nil {
		return err
	}
	r, err := d.message(comm.Recv, recv[0], recv[1], recv[2], recv[3], recv[4])
	if err != nil {
		return err
	}
	d.gap(c)
	d.Wait(d.Do(s, false), d.Do(r, false))
	return nil
}

// begin starts a persistent request.
func (d *rank) begin(id int64) error {
	r, ok := d.requests[id]
	if !ok || !r.persistent {
		return fmt.Errorf("request %d is no persistent one", id)
	}
	r.op = d.Do(r.template, false)
	d.requests[id] = r
	return nil
}

// finish takes the calls that end requests.
func (d *rank) finish(c *call, name string) {
	a := c.args
	var ids []int64
	pick := func(i int64) {
		if i >= 0 && i < int64(len(c.lists[0])) {
			ids = append(ids, int64(c.lists[0][i]))
		}
	}
	all := func() {
		for i := range c.lists[0] {
			pick(int64(i))
		}
	}
	switch name {
	case "Wait":
		ids = append(ids, a[0])
	case "Test":
		if a[1] != 0 {
			ids = append(ids, a[0])
		}
	case "Waitall":
		all()
	case "Testall":
		if a[1] != 0 {
			all()
		}
	case "Waitany":
		pick(a[1])
	case "Testany":
		if a[2] != 0 {
			pick(a[1])
		}
	case "Waitsome", "Testsome":
		for _, i := range c.lists[1] {
			pick(int64(i))
		}
	}
	var ops []int
	for _, id := range ids {
		r, ok := d.requests[id]
		if !ok || r.op < 0 {
			continue // MPI_REQUEST_NULL, or one that has ended
		}
		ops = append(ops, r.op)
		if r.op = -1; r.persistent {
			d.requests[id] = r
		} else {
			delete(d.requests, id)
		}
	}
	if len(ops) > 0 {
		d.gap(c)
		d.Wait(ops...)
	}
}
