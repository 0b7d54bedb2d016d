package comm

// A thread adds operations as a sequential program does them.
type thread struct {
	rank   *Rank
	cursor Dep // what the next operation waits for
	begun  bool
}

// do adds an operation that the program goes on behind, or beside.
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
