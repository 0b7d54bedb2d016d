package chain

import (
	"cmp"
	"slices"
)

// None is no span.
const None = -1

// A Span is one task: an interval on a node. Spans have indices.
type Span struct {
	Begin, End int64 // ps
	Parent     int32 // None: none
	Node       int32 // of Log.Nodes
	Kind       int32 // of Log.Kinds
	What       string
}

// A Cause says what an interval of a span went to.
type Cause struct {
	From, To int64 // ps
	What     string
	By       int32 // the span that was waited for, None where there is none
	// Where LikeFrom is before LikeTo, the interval was not simulated: it went to what that
	// interval of By went to, in proportion.
	LikeFrom, LikeTo int64
}

// A Share is a portion of what a span does, on its own or in a cause without a span. Shares have no places in time.
type Share struct {
	What   string
	Weight float64
	Parts  []Share
}

// A Kind is how spans of a kind are read.
type Kind struct {
	Own    string // what a span does where nothing else is known: "computes"
	Hidden bool   // its children count as those of its parent
	Queue  bool   // spans of one node follow each other: one begins when another has ended
	Sent   bool   // what it was waited for before its begin is what its parent did
	Seated bool   // its children wait until the node that carries them out is free
}

// A Log is the spans of a run, or of the part of it that matters.
type Log struct {
	Nodes  []string
	Kinds  []Kind
	Spans  []Span
	Causes map[int32][]Cause            // by span
	Shares map[int32]map[string][]Share // by span and text: what its own time, or a cause, is divided into

	children map[int32][]int32 // by span; by end
	lines    map[line][]int32  // by end
}

// A line is the spans of a kind on a node.
type line struct{ node, kind int32 }

// Index prepares the log. It is called once, after the last span was added.
func (l *Log) Index() {
	l.children, l.lines = map[int32][]int32{}, map[line][]int32{}
	for i := range l.Spans {
		s := &l.Spans[i]
		if p := l.visible(s.Parent); p != None && !l.Kinds[s.Kind].Hidden {
			l.children[p] = append(l.children[p], int32(i))
		}
		k := line{s.Node, s.Kind}
		l.lines[k] = append(l.lines[k], int32(i))
	}
	for _, c := range l.children {
		slices.SortFunc(c, l.byEnd)
	}
	for _, c := range l.lines {
		slices.SortFunc(c, l.byEnd)
	}
	for _, c := range l.Causes {
		slices.SortStableFunc(c, func(a, b Cause) int { return cmp.Compare(a.From, b.From) })
	}
}

// visible is the nearest ancestor that is not hidden.
func (l *Log) visible(i int32) int32 {
	for i != None && l.Kinds[l.Spans[i].Kind].Hidden {
		i = l.Spans[i].Parent
	}
	return i
}

// byEnd orders spans by their end; of those that end together the longest comes last, and of
// equal ones the first.
func (l *Log) byEnd(a, b int32) int {
	x, y := &l.Spans[a], &l.Spans[b]
	return cmp.Or(cmp.Compare(x.End, y.End), cmp.Compare(y.Begin, x.Begin), cmp.Compare(b, a))
}

// Children are the spans that a span has caused, by their end.
func (l *Log) Children(i int32) []int32 { return l.children[i] }

// Line lists the spans of the kind and the node of a span, by their end.
func (l *Log) Line(i int32) []int32 {
	return l.lines[line{l.Spans[i].Node, l.Spans[i].Kind}]
}
