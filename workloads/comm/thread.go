package comm

import "github.com/causeway-sim/causeway/components/units"

// ExpandedTag is the first tag of messages into which a reader expands a collective. It is above
// the tags of MPI programs.
const ExpandedTag = int64(1) << 40

// A Thread appends operations to a rank as a sequential program executes them.
type Thread struct {
	Rank   *Rank
	Cursor Dep  // dependency of the next operation
	Begun  bool // Cursor is set
}

// Do adds an operation and returns its index. The next operation waits for its end if blocking is
// set, else for its start.
func (t *Thread) Do(o Op, blocking bool) int {
	i := t.Rank.Add(o)
	if t.Begun {
		t.Rank.Require(i, t.Cursor)
	}
	t.Begun, t.Cursor = true, With(i)
	if blocking {
		t.Cursor = After(i)
	}
	return i
}

// Wait makes the next operation wait for the end of ops.
func (t *Thread) Wait(ops ...int) {
	j := t.Do(Op{Kind: Join}, true)
	for _, i := range ops {
		t.Rank.Require(j, After(i))
	}
}

// Compute adds a computation; a time of 0 adds none.
func (t *Thread) Compute(time units.Time) {
	if time > 0 {
		t.Do(Op{Kind: Compute, Time: time}, true)
	}
}

// Exchange sends bytes to rank to and receives bytes from rank from at once, and waits for both. A
// rank below 0 means no message.
func (t *Thread) Exchange(tag int64, bytes uint64, from, to int32) {
	var ops [2]int
	n := 0
	if from >= 0 {
		ops[n] = t.Do(Op{Kind: Recv, Peer: from, Tag: tag, Bytes: bytes}, false)
		n++
	}
	if to >= 0 {
		ops[n] = t.Do(Op{Kind: Send, Peer: to, Tag: tag, Bytes: bytes}, false)
		n++
	}
	if n > 0 {
		t.Wait(ops[:n]...)
	}
}
