package comm

import "github.com/causeway-sim/causeway/components/units"

// expandedTag is the first of the tags that readers give to messages that stand for a
// collective. It is above the tags of MPI programs.
const expandedTag = int64(1) << 40

// A thread adds operations as a sequential program does them.
type thread struct {
	rank   *Rank
	cursor Dep  // what the next operation waits for
	begun  bool // there is a cursor
}

// do adds an operation and returns its index. The next operation waits for its end if it is
// blocking, else for its start.
func (t *thread) do(o Op, blocking bool) int {
	i := t.rank.Add(o)
	if t.begun {
		t.rank.Require(i, t.cursor)
	}
	t.begun, t.cursor = true, With(i)
	if blocking {
		t.cursor = After(i)
	}
	return i
}

// wait makes the program wait for operations.
func (t *thread) wait(ops ...int) {
	j := t.do(Op{Kind: Join}, true)
	for _, i := range ops {
		t.rank.Require(j, After(i))
	}
}

// compute adds a computation, if it takes time.
func (t *thread) compute(time units.Time) {
	if time > 0 {
		t.do(Op{Kind: Compute, Time: time}, true)
	}
}

// exchange sends to and receives from others, all at once, and waits. No
// message goes to or comes from a peer below 0.
func (t *thread) exchange(tag int64, bytes uint64, from, to int32) {
	var ops [2]int
	n := 0
	if from >= 0 {
		ops[n] = t.do(Op{Kind: Recv, Peer: from, Tag: tag, Bytes: bytes}, false)
		n++
	}
	if to >= 0 {
		ops[n] = t.do(Op{Kind: Send, Peer: to, Tag: tag, Bytes: bytes}, false)
		n++
	}
	if n > 0 {
		t.wait(ops[:n]...)
	}
}
