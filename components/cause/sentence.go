package cause

import (
	"fmt"
	"strings"
)

// told is the share from which on a sentence names a second cause.
const told = 0.1

// Sentence says what the nodes that come first spend most of their time on; "" where the run
// has no tree.
func (t *Tree) Sentence() string {
	if n := t.first(); n != nil {
		return t.about(n)
	}
	return ""
}

// About is Sentence of a node; "" where it has no part in the tree.
func (t *Tree) About(node string) string {
	if t == nil {
		return ""
	}
	if n := t.Part(Base(node)); n != nil && n.main() != nil {
		return t.about(n)
	}
	return ""
}

// Beneath is the sentence of the last node down the chain of those that a part of a node waits
// for; "" where there is none, or it has done nothing. Nodes on the way are named whose time goes to a
// limit of their own, such as MSHRs: a faster node below them would help, but so would more of these.
func (t *Tree) Beneath(node, part string) string {
	if t == nil {
		return ""
	}
	n := t.Part(Base(node))
	if n == nil {
		return ""
	}
	p := n.Part(part)
	if p == nil || p.WaitsFor == "" {
		return ""
	}
	low := t.Part(p.WaitsFor)
	if low == nil || low.main() == nil {
		return ""
	}
	s := ""
	for _, next := range t.chain(low) {
		if strings.HasSuffix(low.main().Name, ownLimit) {
			s += low.clause() + "; "
		}
		low = next
	}
	s += low.clause()
	if low.remark != "" {
		s += "; " + low.remark
	}
	return sentence(s)
}

// SlowestMemory is the sentence of the memory that spends the largest share of its time on one
// cause; "" where there is none.
func (t *Tree) SlowestMemory() string {
	var slowest *Tree
	for _, n := range t.Parts {
		if m := n.main(); n.rank == Memory && m != nil && (slowest == nil || m.Share > slowest.main().Share) {
			slowest = n
		}
	}
	if slowest == nil {
		return ""
	}
	return sentence(slowest.clause())
}

// Saturated names the busiest channel of networks from a share of the time on; "" where none is
// that busy, or the text already names it.
func (t *Tree) Saturated(share float64, text string) string {
	if t == nil {
		return ""
	}
	var most *Tree
	for _, n := range t.Parts {
		if n.busiest.share >= share && (most == nil || n.busiest.share > most.busiest.share) {
			most = n
		}
	}
	if most == nil || strings.Contains(text, most.busiest.where+" (") {
		return ""
	}
	return fmt.Sprintf("Channel %s is busy %s %% of the time.", most.busiest.where, percent(most.busiest.share))
}

// sentence makes one of clauses.
// ownLimit ends the name of a part in which a queue or a table of the node itself is full.
const ownLimit = "_full"

func sentence(s string) string { return strings.ToUpper(s[:1]) + s[1:] + "." }

// about is the sentence of the tree of a node.
func (t *Tree) about(n *Tree) string {
	s := n.clause()
	down := t.chain(n)
	if len(down) == 0 {
		down = t.secondWait(n)
	}
	if len(down) > 0 {
		s += "; " + down[len(down)-1].clause()
	}
	if full := t.fullMemory(append([]*Tree{n}, down...)); full != nil {
		down = append(down, full)
		s += "; " + full.clause()
	}
	for _, x := range append(down, n) {
		if x.remark != "" {
			s += "; " + x.remark
		}
	}
	return sentence(s)
}

// full is the share of its time from which on a memory is never idle.
const full = 0.95

// fullMemory is the memory that the last of some nodes passes requests on to, where it is never
// idle: lines then wait before it, wherever their credits or places end. It is nil where that node
// does not pass requests on, or the memory has time left.
func (t *Tree) fullMemory(down []*Tree) *Tree {
	last := down[len(down)-1]
	if last.rank != Fabric {
		return nil
	}
	for _, p := range last.Parts {
		low := t.Part(p.WaitsFor)
		if low == nil || low.rank != Memory || low.main() == nil {
			continue
		}
		if idle := low.Part(Idle); idle == nil || idle.Share <= 1-full {
			return low
		}
	}
	return nil
}

// first is the tree of a node that a sentence is about.
func (t *Tree) first() *Tree {
	if t == nil {
		return nil
	}
	for _, n := range t.Parts {
		if n.main() != nil {
			return n
		}
	}
	return nil
}

// chain is the nodes down from one that each waits mostly for the next.
func (t *Tree) chain(n *Tree) (down []*Tree) {
	for range t.Parts {
		m := n.main()
		if m == nil || m.WaitsFor == "" {
			break
		}
		next := t.Part(m.WaitsFor)
		if next == nil || next == n || next.main() == nil {
			break
		}
		n, down = next, append(down, next)
	}
	return down
}

// secondWait is the chain from the node that the second part of a node's sentence waits for; nil
// where it is not named, or waits for none.
func (t *Tree) secondWait(n *Tree) []*Tree {
	if len(n.Parts) < 2 || n.Parts[1].WaitsFor == "" || n.Parts[1].Share < told {
		return nil
	}
	low := t.Part(n.Parts[1].WaitsFor)
	if low == nil || low == n || low.main() == nil {
		return nil
	}
	return append([]*Tree{low}, t.chain(low)...)
}

// main is the largest part that is not idle.
func (t *Tree) main() *Tree {
	if len(t.Parts) == 0 || t.Parts[0].Name == Idle {
		return nil
	}
	return t.Parts[0]
}

// clause is a sentence without its end.
func (t *Tree) clause() string {
	idle := 0.0
	if p := t.Part(Idle); p != nil {
		idle = p.Time
	}
	whole, m := t.Time-idle, t.main()
	subject, verb, own := t.Name, "spends", "its"
	if t.Nodes > 1 {
		verb, own = "spend", "their"
		subject = fmt.Sprintf("the %d nodes %s", t.Nodes, t.Name)
	}
	if t.many {
		subject, verb, own = t.who, "spend", "their"
	}
	busy := ""
	if idle >= told*t.Time {
		busy = "busy "
	}
	s := fmt.Sprintf("%s %s %s %% of %s %stime %s", subject, verb, percent(m.Time/whole), own, busy, m.phrase())
	deep := m
	for len(deep.Parts) > 0 && 2*deep.Parts[0].Time >= deep.Time {
		deep = deep.Parts[0]
	}
	if deep != m {
		s += fmt.Sprintf(", most of it %s (%s %%)", deep.phrase(), percent(deep.Time/whole))
	}
	if len(t.Parts) > 1 {
		if p := t.Parts[1]; p.Name != Idle && p.Time >= told*whole {
			s += fmt.Sprintf(" and %s %% %s", percent(p.Time/whole), p.phrase())
		}
	}
	if busy != "" {
		s += fmt.Sprintf("; busy is %s %% of the run", percent(whole/t.Time))
	}
	return s
}

// phrase names a part and the node where it is.
func (t *Tree) phrase() string {
	switch {
	case t.Words == "":
		return "at " + t.Where
	case t.Where != "":
		return t.Words + " at " + t.Where
	}
	return t.Words
}

func percent(share float64) string { return fmt.Sprintf("%.1f", 100*share) }
