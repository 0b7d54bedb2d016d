package comm

import (
	"bufio"
	"bytes"
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/causeway-sim/causeway/components/registry"
	"github.com/causeway-sim/causeway/components/units"
)

func init() {
	All.Add(registry.Entry[Format]{
		Name:   "pmpi",
		Doc:    "PMPI text: one line per MPI call with arguments and times in us, a file per rank (liballprof).",
		Source: "LogGOPSim's liballprof and Schedgen, process_trace.cpp",
		New:    Format{PerRank: true, sniff: sniffPMPI, read: readPMPI},
	})
}

func sniffPMPI(head []byte) int {
	for _, line := range bytes.SplitN(head, []byte("\n"), 64) {
		line = bytes.TrimSpace(line)
		switch {
		case len(line) == 0 || line[0] == '#':
		case bytes.HasPrefix(line, []byte("MPI_")) && bytes.IndexByte(line, ':') > 0:
			return 80
		default:
			return 0
		}
	}
	return 0
}

// A pmpiRank turns lines into operations.
type pmpiRank struct {
	thread
	number   int
	last     float64 // us
	timed    bool
	requests map[uint64]int // by address
	scans    int64
}

// requestSize is the distance of two requests of an array. MPI_Request is an int
// or a pointer.
const requestSize = 8

func readPMPI(in *input, b *building) error {
	r, fresh := b.rank(in.rank)
	if !fresh {
		return fault(in.name, "rank %d is there twice", in.rank)
	}
	m := &pmpiRank{thread: thread{rank: r}, number: in.rank, requests: map[uint64]int{}}
	sc := bufio.NewScanner(in.reader())
	sc.Buffer(make([]byte, 1<<12), 1<<20)
	line := 0
	for sc.Scan() {
		line++
		text := strings.TrimSpace(sc.Text())
		if text == "" || text[0] == '#' {
			continue
		}
		if err := m.take(text); err != nil {
			return &Error{File: in.name, Line: line, Msg: err.Error()}
		}
	}
	if err := sc.Err(); err != nil {
		return &Error{File: in.name, Line: line + 1, Msg: err.Error()}
	}
	return nil
}

// A pmpiLine is a call cut at its colons; parts of an argument stand between
// commas.
type pmpiLine struct {
	name   string
	fields []string // without name and times
	err    error
}

func (l *pmpiLine) field(i int) string {
	if i >= len(l.fields) {
		if l.err == nil {
			l.err = fmt.Errorf("%s has %d arguments (want %d or more)", l.name, len(l.fields), i+1)
		}
		return ""
	}
	return l.fields[i]
}

func (l *pmpiLine) int(i int) int64 {
	s := l.field(i)
	v, err := strconv.ParseInt(s, 10, 64)
	if err != nil && l.err == nil {
		l.err = fmt.Errorf("%s: argument %d is %q, no number", l.name, i+1, s)
	}
	return v
}

// bytes is a count times the size of a type, which is its second part.
func (l *pmpiLine) bytes(count, dtype int) uint64 {
	n := l.int(count)
	parts := strings.Split(l.field(dtype), ",")
	if len(parts) < 2 {
		parts = []string{"", ""}
	}
	size, err := strconv.ParseInt(strings.TrimSpace(parts[1]), 10, 32)
	if l.err == nil && (err != nil || n < 0 || size < 0 || size > 0 && n > math.MaxInt64/size) {
		l.err = fmt.Errorf("%s: %s elements of type %q have no size", l.name, l.field(count), l.field(dtype))
	}
	return uint64(n) * uint64(size)
}

// world checks that a communicator is the one of all ranks: for others the trace
// does not say who is in them.
func (l *pmpiLine) world(i, rank int) int {
	parts := strings.Split(l.field(i), ",")
	if l.err != nil {
		return 0
	}
	if len(parts) < 3 {
		l.err = fmt.Errorf("%s: argument %d is %q, no communicator", l.name, i+1, l.field(i))
		return 0
	}
	me, err := strconv.Atoi(strings.TrimSpace(parts[1]))
	n, err2 := strconv.Atoi(strings.TrimSpace(parts[2]))
	if err != nil || err2 != nil {
		l.err = fmt.Errorf("%s: argument %d is %q, no communicator", l.name, i+1, l.field(i))
	} else if me != rank {
		l.err = fmt.Errorf("%s: a communicator in which this is rank %d, and the trace does not say of whom (only that of all ranks is read)", l.name, me)
	}
	return n
}

func (m *pmpiRank) take(text string) error {
	parts := strings.Split(text, ":")
	for i := range parts {
		parts[i] = strings.TrimSpace(parts[i])
	}
	l := &pmpiLine{name: parts[0]}
	if len(parts) < 2 || !strings.HasPrefix(l.name, "MPI_") {
		return fmt.Errorf("%q is no call (want MPI_NAME:time:...:time)", parts[0])
	}
	start, err := strconv.ParseFloat(parts[1], 64)
	stop, err2 := strconv.ParseFloat(parts[len(parts)-1], 64)
	if err != nil || err2 != nil || math.IsNaN(start) || math.IsNaN(stop) || math.Abs(start) > 1e18 || math.Abs(stop) > 1e18 {
		return fmt.Errorf("%s has no times", l.name)
	}
	if len(parts) > 2 {
		l.fields = parts[2 : len(parts)-1]
	}
	return m.call(l, start, stop)
}

// gap adds what was computed before a call; times are in us.
func (m *pmpiRank) gap(start, stop float64) error {
	if m.timed && start > m.last {
		us := start - m.last
		if us > 1e10 {
			return fmt.Errorf("%g us between two calls", us)
		}
		m.do(Op{Kind: Compute, Time: units.Time(math.Round(us*1e3)) * units.Nanosecond}, true)
	}
	m.last, m.timed = stop, true
	return nil
}

func (m *pmpiRank) call(l *pmpiLine, start, stop float64) error {
	message := func(kind Kind, first int) Op { // buffer, count, type, peer, tag, communicator
		o := Op{Kind: kind, Bytes: l.bytes(first+1, first+2)}
		peer, tag := l.int(first+3), l.int(first+4)
		if l.err == nil && (peer >= MaxRanks || tag < AnyTag) {
			l.err = fmt.Errorf("%s: rank %d, tag %d", l.name, peer, tag)
		}
		if peer < 0 && !(kind == Recv && peer == AnySource) { // MPI_PROC_NULL
			return Op{Kind: Join}
		}
		o.Peer, o.Tag = int32(peer), tag
		return o
	}
	var ops []Op
	blocking := true
	request := -1
	switch strings.TrimPrefix(l.name, "MPI_") {
	case "Init", "Init_thread":
		m.last, m.timed = stop, true
		return nil
	case "Send", "Rsend", "Bsend", "Ssend":
		o := message(Send, 0)
		o.Sync = l.name == "MPI_Ssend"
		l.world(5, m.number)
		blocking = l.name != "MPI_Bsend"
		ops = append(ops, o)
	case "Recv":
		ops = append(ops, message(Recv, 0))
		l.world(5, m.number)
	case "Isend", "Irecv", "Irsend", "Issend", "Ibsend":
		kind := Send
		if l.name == "MPI_Irecv" {
			kind = Recv
		}
		o := message(kind, 0)
		o.Sync = l.name == "MPI_Issend"
		l.world(5, m.number)
		blocking, request = false, 6
		ops = append(ops, o)
	case "Sendrecv":
		ops = append(ops, message(Send, 0), message(Recv, 5))
		l.world(10, m.number)
		blocking = false
	case "Wait", "Waitall":
		first, n := 0, int64(1)
		if l.name == "MPI_Waitall" {
			first, n = 1, l.int(0)
		}
		at := uint64(l.int(first))
		if l.err != nil {
			return l.err
		}
		var ended []int
		for k := range uint64(min(max(n, 0), 1<<20)) {
			a := at + k*requestSize
			if i, ok := m.requests[a]; ok {
				ended = append(ended, i)
				delete(m.requests, a)
			}
		}
		if len(ended) == 0 {
			return nil
		}
		if err := m.gap(start, stop); err != nil {
			return err
		}
		m.wait(ended...)
		return nil
	case "Barrier":
		l.world(0, m.number)
		ops = append(ops, Op{Kind: Collective, Coll: Barrier})
	case "Allreduce", "Iallreduce":
		ops = append(ops, Op{Kind: Collective, Coll: AllReduce, Bytes: l.bytes(2, 3)})
		l.world(5, m.number)
		if l.name == "MPI_Iallreduce" {
			blocking, request = false, 6
		}
	case "Bcast":
		ops = append(ops, Op{Kind: Collective, Coll: Broadcast, Bytes: l.bytes(1, 2), Peer: int32(l.int(3))})
		l.world(4, m.number)
	case "Reduce":
		ops = append(ops, Op{Kind: Collective, Coll: Reduce, Bytes: l.bytes(2, 3), Peer: int32(l.int(5))})
		l.world(6, m.number)
	case "Allgather":
		ops = append(ops, Op{Kind: Collective, Coll: AllGather, Bytes: l.bytes(1, 2)})
		l.world(6, m.number)
	case "Alltoall":
		o := Op{Kind: Collective, Coll: AllToAll, Bytes: l.bytes(1, 2)}
		o.Bytes *= uint64(max(1, min(MaxRanks, l.world(6, m.number))))
		ops = append(ops, o)
	case "Gather":
		ops = append(ops, Op{Kind: Collective, Coll: Gather, Bytes: l.bytes(1, 2), Peer: int32(l.int(6))})
		l.world(7, m.number)
	case "Scatter":
		ops = append(ops, Op{Kind: Collective, Coll: Scatter, Bytes: l.bytes(4, 5), Peer: int32(l.int(6))})
		l.world(7, m.number)
	case "Scan", "Exscan":
		n := l.bytes(2, 3)
		size := l.world(5, m.number)
		tag := expandedTag + m.scans
		m.scans++
		if m.number > 0 {
			ops = append(ops, Op{Kind: Recv, Peer: int32(m.number - 1), Tag: tag, Bytes: n})
		}
		if m.number+1 < size {
			ops = append(ops, Op{Kind: Send, Peer: int32(m.number + 1), Tag: tag, Bytes: n})
		}
	case "Allgatherv", "Gatherv", "Scatterv", "Alltoallv", "Alltoallw", "Reduce_scatter", "Waitany", "Waitsome", "Start", "Startall",
		"Send_init", "Recv_init", "Iallgather", "Ibcast", "Ibarrier", "Ialltoall", "Ireduce", "Put", "Get", "Accumulate":
		return fmt.Errorf("%s is not read", l.name)
	default:
		return nil // takes time only
	}
	if l.err != nil {
		return l.err
	}
	if len(ops) == 0 {
		return nil
	}
	if err := m.gap(start, stop); err != nil {
		return err
	}
	if l.name == "MPI_Sendrecv" {
		m.wait(m.do(ops[0], false), m.do(ops[1], false))
		return nil
	}
	i := 0
	for _, o := range ops {
		i = m.do(o, blocking)
	}
	if request >= 0 {
		m.requests[uint64(l.int(request))] = i
	}
	return l.err
}
