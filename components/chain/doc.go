// Package chain computes the critical path of one item of a run, such as a layer, a request or a
// message: the chain of causes from its end back to its begin. An item is a Span. A span has
// children, which are the spans that it caused, and causes, which are intervals in which it waited
// for another span or for a named condition.
//
//	l := &chain.Log{Nodes: nodes, Kinds: kinds, Spans: spans, Causes: causes}
//	l.Index()
//	why := l.Explain(i, l.Spans[i].Begin, l.Spans[i].End)
//
// Times are in ps. An index that is not in the log panics. Explain walks backwards from the end of
// an interval of a span:
//
//   - An interval with a cause belongs to the cause, and is explained by the span that the cause
//     names, back to the begin of that span. Before that, the span of the same kind and node that
//     ended last held it up (Kind.Queue).
//   - In every other interval, the span waited for the child that ended last; the walk continues
//     at the begin of that child.
//   - The rest of the time is the span's own.
//
// The parts of an interval are disjoint and cover it, so their times sum to its length to
// the picosecond, on every level. A test compares the walk with a second implementation that
// decides about every instant on its own.
//
// Left out: waits for the first part of a child. A child that ends after the instant at which the
// walk has arrived does not count as waited for.
package chain
