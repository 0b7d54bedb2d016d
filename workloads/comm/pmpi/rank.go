package pmpi

import (
	"bufio"
	"bytes"
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/causeway-sim/causeway/components/registry"
	"github.com/causeway-sim/causeway/components/units"
	"github.com/causeway-sim/causeway/workloads/comm"
)

func init() {
	comm.All.Add(registry.Entry[comm.Format]{
		Name:   "pmpi",
		Doc:    "PMPI text: one line per MPI call with arguments and times in us, a file per rank (liballprof).",
		Source: "LogGOPSim's liballprof and Schedgen, process_trace.cpp",
		New:    comm.Format{PerRank: true, Sniff: sniff, Reader: comm.Files(read)},
	})
}

func sniff(head []byte) int {
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

// A rank turns lines into operations.
type rank struct {
	comm.Thread
	number   int
	last     float64 // us
	timed    bool
	requests map[uint64]int // by address
	scans    int64
}

// requestSize is the distance of two requests of an array. MPI_Request is an int
// or a pointer.
const requestSize = 8

func read(in *comm.Input, b *comm.Builder) error {
	r, fresh := b.Rank(in.Rank)
	if !fresh {
		return comm.Errorf(in.Name, "rank %d is there twice", in.Rank)
	}
	m := &rank{Thread: comm.Thread{Rank: r}, number: in.Rank, requests: map[uint64]int{}}
	sc := bufio.NewScanner(in.Reader())
	sc.Buffer(make([]byte, 1<<12), 1<<20)
	line := 0
	for sc.Scan() {
		line++
		text := strings.TrimSpace(sc.Text())
		if text == "" || text[0] == '#' {
			continue
		}
		if err := m.take(text); err != nil {
			return &comm.Error{File: in.Name, Line: line, Msg: err.Error()}
		}
	}
	if err := sc.Err(); err != nil {
		return &comm.Error{File: in.Name, Line: line + 1, Msg: err.Error()}
	}
	return nil
}

// A callLine is a call cut at its colons; parts of an argument stand between
// commas.
type callLine struct {
	name   string
	fields []string // without name and times
	err    error
}

func (l *callLine) field(i int) string {
	if i >= len(l.fields) {
		if l.err == nil {
			l.err = fmt.Errorf("%s has %d arguments (want %d or more)", l.name, len(l.fields), i+1)
		}
		return ""
	}
	return l.fields[i]
}

func (l *callLine) int(i int) int64 {
	s := l.field(i)
	v, err := strconv.ParseInt(s, 10, 64)
	if err != nil && l.err == nil {
		l.err = fmt.Errorf("%s: argument %d is %q, no number", l.name, i+1, s)
	}
	return v
}

// bytes is a count times the size of a type, which is its second part.
func (l *callLine) bytes(count, dtype int) uint64 {
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

// world checks that a communicator is that of all ranks, because the trace does not contain the
// members of others.
func (l *callLine) world(i, rank int) int {
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

func (m *rank) take(text string) error {
	parts := strings.Split(text, ":")
	for i := range parts {
		parts[i] = strings.TrimSpace(parts[i])
	}
	l := &callLine{name: parts[0]}
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
func (m *rank) gap(start, stop float64) error {
	if m.timed && start > m.last {
		us := start - m.last
		if us > 1e10 {
			return fmt.Errorf("%g us between two calls", us)
		}
		m.Do(comm.Op{Kind: comm.Compute, Time: units.Time(math.Round(us*1e3)) * units.Nanosecond}, true)
	}
	m.last, m.timed = stop, true
	return nil
}
