package chain

import (
	"slices"
	"sort"
)

// Texts for time that no span covers.
const (
	Before = "before it was issued"
	After  = "until its answer was taken"
	Busy   = "busy with "
)

// Explain returns the chain of causes of the interval [from, to) of span i. Index must have been
// called.
func (l *Log) Explain(i int32, from, to int64) Part {
	w := walker{Log: l}
	s := &l.Spans[i]
	return whole(l.Nodes[s.Node], s.What, from, to, w.walk(i, from, to))
}

// A walker knows which spans it is explaining.
type walker struct {
	*Log
	under []int32
}

// walk explains an interval of a span: parts in order of time, disjoint and covering it.
func (w *walker) walk(i int32, from, to int64) (out []Part) {
	if from >= to || slices.Contains(w.under, i) {
		return nil
	}
	w.under = append(w.under, i)
	defer func() { w.under = w.under[:len(w.under)-1] }()
	at := from
	for _, c := range w.Causes[i] {
		a, b := max(c.From, at), min(c.To, to)
		if a >= b {
			continue
		}
		out = append(out, w.between(i, at, a)...)
		out = append(out, whole(w.Nodes[w.Spans[i].Node], c.What, a, b, w.cause(i, &c, a, b)))
		at = b
	}
	return w.shared(i, append(out, w.between(i, at, to)...))
}

// cause explains an interval that has a cause.
func (w *walker) cause(i int32, c *Cause, from, to int64) []Part {
	if c.LikeFrom >= c.LikeTo {
		return w.follow(i, c.By, from, to)
	}
	if c.By == None {
		return nil
	}
	w.under = append(w.under, i, c.By)
	like := w.between(c.By, c.LikeFrom, c.LikeTo)
	w.under = w.under[:len(w.under)-2]
	return portions(like, from, to, to-from)
}

// follow explains an interval in which a span waited for another one.
func (w *walker) follow(i, by int32, from, to int64) (out []Part) {
	if by == None || slices.Contains(w.under, by) {
		return nil
	}
	where := w.Nodes[w.Spans[i].Node]
	at, what := to, After
	for by != None && at > from {
		s := &w.Spans[by]
		a, b := max(s.Begin, from), min(s.End, at)
		if a >= b {
			break
		}
		if b < at {
			out = append(out, backwards(w.outside(by, where, what, b, at))...)
		}
		out = append(out, w.span(by, a, b))
		at, what = a, Before
		if p := w.visible(s.Parent); w.Kinds[s.Kind].Sent && p != None && p != i && at > from {
			out = append(out, backwards(w.walk(p, from, at))...)
			if !slices.Contains(w.under, p) {
				at = from
			}
			break
		}
		by = w.previous(by, at)
	}
	if at > from {
		out = append(out, whole(where, what, from, at, nil))
	}
	slices.Reverse(out)
	return out
}

// span is the interval of a span, explained.
func (w *walker) span(i int32, from, to int64) Part {
	s := &w.Spans[i]
	p := whole(w.Nodes[s.Node], s.What, from, to, w.walk(i, from, to))
	p.named = true
	return p
}

// outside is an interval after the end of a span that was waited for: what it had caused may
// have gone on, as a message does when its sender has ended.
func (w *walker) outside(by int32, where, what string, from, to int64) []Part {
	if what != After {
		return []Part{whole(where, what, from, to, nil)}
	}
	w.under = append(w.under, by)
	out := w.between(by, from, to)
	w.under = w.under[:len(w.under)-1]
	for i := range out {
		if out[i].own {
			out[i] = whole(where, what, out[i].Begin, out[i].End, nil)
		}
	}
	return out
}

// previous is the span of the line of a span that ended last by a time; None without a queue.
func (w *walker) previous(i int32, by int64) int32 {
	if !w.Kinds[w.Spans[i].Kind].Queue {
		return None
	}
	all := w.Line(i)
	for n := w.ended(all, by); n > 0; n-- {
		if all[n-1] != i {
			return all[n-1]
		}
	}
	return None
}

// ended is how many spans of a list end by a time.
func (w *walker) ended(all []int32, by int64) int {
	return sort.Search(len(all), func(n int) bool { return w.Spans[all[n]].End > by })
}

// between explains an interval of a span that has no cause: by its children.
func (w *walker) between(i int32, from, to int64) (out []Part) {
	at, next := to, int32(None)
	all := w.Children(i)
	if to < w.Spans[i].End {
		next = w.goesOn(all, to)
	}
	for at > from {
		c := next
		if at < to || c == None {
			c = w.last(all, from, at)
		}
		if c == None {
			break
		}
		s := &w.Spans[c]
		a, b := max(s.Begin, from), min(s.End, at)
		out = append(out, backwards(w.alone(i, next, b, at))...)
		out = append(out, w.span(c, a, b))
		at, next = a, c
	}
	out = append(out, backwards(w.alone(i, next, from, at))...)
	slices.Reverse(out)
	return out
}

func backwards(p []Part) []Part {
	slices.Reverse(p)
	return p
}

// goesOn is the child under way at a time that ends first after it.
func (w *walker) goesOn(all []int32, at int64) int32 {
	for _, c := range all[w.ended(all, at):] {
		if w.Spans[c].Begin < at {
			return c
		}
	}
	return None
}

// last is the child that ended last by a time, and after from; None: there is none.
func (w *walker) last(all []int32, from, by int64) int32 {
	n := w.ended(all, by)
	for k := n - 1; k >= 0 && w.Spans[all[k]].End > from; k-- {
		if w.Spans[all[k]].Begin < w.Spans[all[k]].End {
			return all[k]
		}
	}
	return None
}

// alone is an interval of a span in which none of its children was waited for, before the
// next one: where children need a node of their own, that node may have been busy.
func (w *walker) alone(i, next int32, from, to int64) []Part {
	if !w.Kinds[w.Spans[i].Kind].Seated || next == None {
		return w.busy(i, nil, from, to)
	}
	all := w.Line(next)
	return w.busy(i, all[w.ended(all, from):], from, to)
}

// busy gives an interval of a span to others that had the node, each as far as none that
// left before it did; what is left is the span's own.
func (w *walker) busy(i int32, others []int32, from, to int64) (out []Part) {
	if from >= to {
		return nil
	}
	for n, o := range others {
		x := &w.Spans[o]
		a, b := max(x.Begin, from), min(x.End, to)
		if a >= b || w.visible(x.Parent) == i {
			continue
		}
		out = append(out, w.busy(i, others[n+1:], from, a)...)
		out = append(out, w.occupied(o, a, b))
		return append(out, w.busy(i, others[n+1:], b, to)...)
	}
	s := &w.Spans[i]
	p := whole(w.Nodes[s.Node], w.Kinds[s.Kind].Own, from, to, nil)
	p.own = true
	return []Part{p}
}

// occupied is an interval in which a node was busy with a span of another task.
func (w *walker) occupied(o int32, from, to int64) Part {
	x := &w.Spans[o]
	where, what := w.Nodes[x.Node], x.What
	if p := w.visible(x.Parent); p != None {
		return whole(where, Busy+w.Spans[p].What, from, to, []Part{whole(where, what, from, to, nil)})
	}
	return whole(where, Busy+what, from, to, nil)
}

// shared divides what a span does by its shares, in proportion.
func (w *walker) shared(i int32, parts []Part) []Part {
	shares := w.Shares[i]
	if len(shares) == 0 {
		return parts
	}
	where := w.Nodes[w.Spans[i].Node]
	for n := range parts {
		if p := &parts[n]; p.Where == where && len(p.Parts) == 0 {
			p.Parts = divide(where, p.Begin, p.End, p.Time, shares[p.What])
		}
	}
	return parts
}
