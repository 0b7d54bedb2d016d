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

// A Cause is the reason for an interval of a span.
type Cause struct {
	From, To int64 // ps
	What     string
	By       int32 // the span that was waited for, or None
	// If LikeFrom is before LikeTo, the interval was not simulated. Its time is divided as the
	// time from LikeFrom to LikeTo of By is.
	LikeFrom, LikeTo int64
}

// A Share is a portion of the own time of a span, or of a cause without a span. A share has no
// begin and end.
type Share struct {
	What   string
	Weight float64
	Parts  []Share
}

// A Kind says how Explain treats the spans of a kind.
type Kind struct {
	Own    string // text for the own time of a span: "computes"
	Hidden bool   // its children count as those of its parent
	Queue  bool   // spans of one node follow each other: one begins when another has ended
	Sent   bool   // time before its begin is explained by its parent
	Seated bool   // its children wait until their node is free
}

// A Log holds the spans of a run, or of a part of it.
type Log struct {
	Nodes  []string
	Kinds  []Kind
	Spans  []Span
	Causes map[int32][]Cause            // by span
	Shares map[int32]map[string][]Share // by span and text: shares of its own time, or of a cause

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

// Children returns the visible spans that a span caused, ordered by their end.
func (l *Log) Children(i int32) []int32 { return l.children[i] }

// Line returns the spans with the kind and node of span i, ordered by their end.
func (l *Log) Line(i int32) []int32 {
	return l.lines[line{l.Spans[i].Node, l.Spans[i].Kind}]
}
