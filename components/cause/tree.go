package cause

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"
)

// A Tree is a share of time, and what it consists of. Times are in nanoseconds.
type Tree struct {
	Name  string  `json:"name"`            // snake_case, or the name of a node
	Where string  `json:"where,omitempty"` // the part of the node: a link, a channel, layers
	Words string  `json:"words,omitempty"` // follow "spends its time"
	Time  float64 `json:"time_ns"`
	Share float64 `json:"share"` // of the tree that it is a part of
	Parts []*Tree `json:"children,omitempty"`

	// WaitsFor is the node that a wait is for, in whose tree the reason is.
	WaitsFor string `json:"waits_for,omitempty"`
	// Nodes is how many equal nodes the tree of a node is of.
	Nodes int `json:"nodes,omitempty"`

	rank   Rank
	who    string // subject of a sentence; "": the node
	many   bool   // the subject is a plural
	remark string // what else a sentence says of the node

	busiest struct { // channel of a network
		where string
		share float64
	}
}

// A Rank orders nodes: a sentence is about those that come first.
type Rank uint8

// The ranks, from what a run is for down to what serves it.
const (
	Work    Rank = iota // carries out workloads
	Player              // drives a system
	Network             // carries messages
	Fabric              // carries memory requests
	Cache
	Memory
)

// Idle is the name of time in which a node has nothing to do.
const Idle = "idle"

// New is the tree of a node, so far without parts.
func New(node string, r Rank) *Tree { return &Tree{Name: node, Nodes: 1, rank: r} }

// Of makes a plural the subject of sentences, as "lines of Root".
func (t *Tree) Of(who string) *Tree {
	t.who, t.many = who, true
	return t
}

// Until says how much time the node has seen, in nanoseconds: the run is no shorter.
func (t *Tree) Until(ns float64) { t.Time = ns * float64(t.Nodes) }

// Elapsed is the time of a run in nanoseconds, of whose tree t is the root: t.Time is that of all nodes together.
func (t *Tree) Elapsed() float64 {
	nodes := 0
	for _, p := range t.Parts {
		nodes += max(p.Nodes, 1)
	}
	return t.Time / float64(max(nodes, 1))
}

// Remark has sentences end with a remark on the node.
func (t *Tree) Remark(format string, args ...any) { t.remark = fmt.Sprintf(format, args...) }

// Busiest says which channel of a network carried something for longest, and in which share of the
// time.
func (t *Tree) Busiest(where string, share float64) { t.busiest.where, t.busiest.share = where, share }

// Add adds a part that takes some time, and returns it. A part without time is left out.
func (t *Tree) Add(name, words string, time float64) *Tree { return t.AddAt(name, "", words, time) }

// AddAt is Add of a part somewhere in the node.
func (t *Tree) AddAt(name, where, words string, time float64) *Tree {
	p := &Tree{Name: name, Where: where, Words: words, Time: time}
	if time != 0 {
		t.Parts = append(t.Parts, p)
	}
	return p
}

// Below says that a part is time in which the node waits for another one.
func (t *Tree) Below(node string) *Tree {
	t.WaitsFor = Base(node)
	return t
}

// Used is the time of all parts.
func (t *Tree) Used() (sum float64) {
	for _, p := range t.Parts {
		sum += p.Time
	}
	return sum
}

// Part is the part of a name, nil if there is none.
func (t *Tree) Part(name string) *Tree {
	if i := slices.IndexFunc(t.Parts, func(p *Tree) bool { return p.Name == name }); i >= 0 {
		return t.Parts[i]
	}
	return nil
}

// Join makes the tree of a run of so much time of those of its nodes. Trees of the elements
// of an array become one. A node is idle in the time that its parts leave.
func Join(total float64, nodes []*Tree) *Tree {
	run := &Tree{Name: "run"}
	for _, n := range nodes {
		if n == nil || len(n.Parts) == 0 {
			continue
		}
		n = n.clone()
		n.Name = Base(n.Name)
		total = max(total, n.Time/float64(n.Nodes), n.Used()/float64(n.Nodes))
		if at := run.Part(n.Name); at != nil {
			at.merge(n)
			continue
		}
		run.Parts = append(run.Parts, n)
	}
	for _, n := range run.Parts {
		n.Time = total * float64(n.Nodes)
		if rest := n.Time - n.Used(); rest > n.Time*rounding {
			if idle := n.Part(Idle); idle != nil {
				idle.Time += rest
			} else {
				n.Add(Idle, "with nothing to do", rest)
			}
		}
	}
	run.Time = run.Used()
	slices.SortStableFunc(run.Parts, func(a, b *Tree) int { return cmp.Compare(a.rank, b.rank) })
	for _, n := range run.Parts {
		n.settle()
		n.Share = n.Time / run.Time
	}
	if len(run.Parts) == 0 {
		return nil
	}
	return run
}

// rounding is what a sum of parts may exceed its whole by.
const rounding = 1e-9

// Base is the name of a node without the indices of arrays: Chip.Core of Chip[3].Core[1]. What
// stands in brackets and is no number stays.
func Base(node string) string {
	for from := 0; ; {
		open := strings.IndexByte(node[from:], '[') + from
		if open < from {
			return node
		}
		end := open + 1
		for end < len(node) && '0' <= node[end] && node[end] <= '9' {
			end++
		}
		switch {
		case end == open+1 || end == len(node) || node[end] != ']':
			from = open + 1
		case end+1 == len(node):
			return node[:open]
		default:
			node, from = node[:open]+node[end+1:], open
		}
	}
}

func (t *Tree) clone() *Tree {
	c := *t
	c.Parts = make([]*Tree, len(t.Parts))
	for i, p := range t.Parts {
		c.Parts[i] = p.clone()
	}
	return &c
}

// merge adds the tree of an equal node.
func (t *Tree) merge(o *Tree) {
	t.Time += o.Time
	t.Nodes += o.Nodes
	for _, p := range o.Parts {
		i := slices.IndexFunc(t.Parts, func(x *Tree) bool { return x.Name == p.Name && x.Where == p.Where })
		if i < 0 {
			t.Parts = append(t.Parts, p)
			continue
		}
		t.Parts[i].merge(p)
	}
}

// settle sorts parts, the largest first and idle last, and finds the shares.
func (t *Tree) settle() {
	slices.SortStableFunc(t.Parts, func(a, b *Tree) int {
		if idle := (a.Name == Idle); idle != (b.Name == Idle) {
			if idle {
				return 1
			}
			return -1
		}
		return cmp.Or(cmp.Compare(b.Time, a.Time), strings.Compare(a.Name, b.Name), strings.Compare(a.Where, b.Where))
	})
	for _, p := range t.Parts {
		if p.settle(); t.Time > 0 {
			p.Share = p.Time / t.Time
		}
	}
}

// Check returns what breaks the rule that parts are not negative and never exceed the whole.
func (t *Tree) Check() []error {
	if t == nil {
		return nil
	}
	return t.check(t.Name)
}

func (t *Tree) check(at string) (out []error) {
	if t.Time < 0 || math.IsNaN(t.Time) || math.IsInf(t.Time, 0) {
		out = append(out, fmt.Errorf("causes: %s is %g ns", at, t.Time))
	}
	if sum := t.Used(); sum > t.Time*(1+1e-6) {
		out = append(out, fmt.Errorf("causes: the parts of %s are %g ns, the whole is %g ns", at, sum, t.Time))
	}
	for _, p := range t.Parts {
		out = append(out, p.check(at+"."+p.Name)...)
	}
	return out
}
