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
// for; "" where there is none, or it has done nothing.
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
	if deeper := t.waitedFor(low); deeper != nil {
		low = deeper
	}
	return sentence(low.clause())
}

// sentence makes one of clauses.
func sentence(s string) string { return strings.ToUpper(s[:1]) + s[1:] + "." }

// about is the sentence of the tree of a node.
func (t *Tree) about(n *Tree) string {
	s := n.clause()
	if low := t.waitedFor(n); low != nil {
		s += "; " + low.clause()
	}
	if n.remark != "" {
		s += "; " + n.remark
	}
	return sentence(s)
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

// waitedFor is the last node down the chain of those that each wait mostly for the next.
func (t *Tree) waitedFor(n *Tree) (last *Tree) {
	for range t.Parts {
		m := n.main()
		if m == nil || m.WaitsFor == "" {
			break
		}
		next := t.Part(m.WaitsFor)
		if next == nil || next == n || next.main() == nil {
			break
		}
		n, last = next, next
	}
	return last
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
