package comm

import "github.com/causeway-sim/causeway/components/units"

// ExpandedTag is the first of the tags that readers give to messages that stand for a
// collective. It is above the tags of MPI programs.
const ExpandedTag = int64(1) << 40

// A Thread adds operations as a sequential program does them.
type Thread struct {
	Rank   *Rank
	Cursor Dep  // what the next operation waits for
	Begun  bool // there is a cursor
}

// Do adds an operation and returns its index. The next operation waits for its end if it is
// blocking, else for its start.
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

// Wait makes the program wait for operations.
func (t *Thread) Wait(ops ...int) {
	j := t.Do(Op{Kind: Join}, true)
	for _, i := range ops {
		t.Rank.Require(j, After(i))
	}
}

// Compute adds a computation, if it takes time.
func (t *Thread) Compute(time units.Time) {
	if time > 0 {
		t.Do(Op{Kind: Compute, Time: time}, true)
	}
}

// Exchange sends to and receives from others, all at once, and waits. No
// message goes to or comes from a peer below 0.
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
