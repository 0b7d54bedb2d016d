package explain

import (
	"errors"
	"fmt"
	"reflect"
	"regexp"
	"slices"
	"strings"

	"github.com/causeway-sim/causeway/components/cause"
	"github.com/causeway-sim/causeway/components/system"
)

// A lever is a change that is tried.
type lever struct {
	node string // whose it is, as a reader calls it
	text string // what is changed
	half bool
	sets []string // PATH=VALUE
	work float64  // how many times the work is done: 2 of a batch twice as large
	of   string   // a node that it changes; "": the workload

	parts []lever // the changes that it makes together, if it is not one change
}

// name is the lever in words: "Mem bandwidth x2".
func (l *lever) name() string {
	if len(l.parts) > 0 {
		return strings.Join(eachOf(l.parts, (*lever).name), " + ")
	}
	s := l.text
	if l.node != "" {
		s = l.node + " " + l.text
	}
	if l.half {
		return s + " /2"
	}
	return s + " x2"
}

// change is the lever as a sentence begins: "Twice the bandwidth of Mem".
func (l *lever) change() string {
	if len(l.parts) > 0 {
		return l.parts[0].change() + " together with " + inWords(l.parts[1:])
	}
	s := "Twice the " + l.text
	if l.half {
		s = "Half the " + l.text
	}
	if l.node != "" {
		s += " of " + l.node
	}
	return s
}

// inWords are changes in the middle of a sentence: "twice the a, twice the b and half the c".
func inWords(ls []lever) string {
	all := eachOf(ls, (*lever).change)
	for i, s := range all {
		all[i] = strings.ToLower(s[:1]) + s[1:]
	}
	last := len(all) - 1
	if last == 0 {
		return all[0]
	}
	return strings.Join(all[:last], ", ") + " and " + all[last]
}

// eachOf returns what a function says of each lever.
func eachOf(ls []lever, of func(*lever) string) (out []string) {
	for i := range ls {
		out = append(out, of(&ls[i]))
	}
	return out
}

// A RefusedLever is a change that was not tried, or that did not run.
type RefusedLever struct {
	Name string `json:"lever"`
	Why  string `json:"why"`
}

// alike are nodes that are changed together: of equal kind and keys.
type alike struct {
	kind  system.Factory
	spec  any
	paths []string
	names []string
}

// together puts nodes together that are changed together, in the order of their names.
func together(made []system.Made) (out []alike) {
	for _, m := range made {
		i := slices.IndexFunc(out, func(a alike) bool {
			return a.kind.Kind == m.Kind.Kind && a.kind.Fidelity == m.Kind.Fidelity && reflect.DeepEqual(a.spec, m.Spec)
		})
		if i < 0 {
			out = append(out, alike{m.Kind, m.Spec, []string{m.Path}, []string{m.Name()}})
			continue
		}
		if !slices.Contains(out[i].paths, m.Path) {
			out[i].paths = append(out[i].paths, m.Path)
		}
		out[i].names = append(out[i].names, m.Name())
	}
	return out
}

// busyFrom is the share of its time from which on a node is busy enough for its levers to be tried
// before those of others.
const busyFrom = 0.05

// idleLast puts levers of nodes that are idle in nearly all of the base's time after the others.
func idleLast(all []lever, base *cause.Tree) {
	idle := func(l lever) bool {
		if base == nil || l.of == "" {
			return false
		}
		t := base.Part(cause.Base(l.of))
		if t == nil {
			return false
		}
		p := t.Part(cause.Idle)
		return p != nil && p.Share > 1-busyFrom
	}
	slices.SortStableFunc(all, func(a, b lever) int {
		switch {
		case idle(a) == idle(b):
			return 0
		case idle(b):
			return -1
		}
		return 1
	})
}

// leversOf lists what the nodes' kinds say may be changed: the first lever of each kind of
// node, then the second, and so on.
func leversOf(made []system.Made) (out []lever, left []RefusedLever) {
	groups := together(made)
	perNode := make([][]lever, len(groups))
	for i, g := range groups {
		for _, l := range g.kind.Levers(g.spec) {
			one, err := g.lever(l)
			switch {
			case errors.Is(err, errNothing):
			case err != nil:
				left = append(left, RefusedLever{one.name(), err.Error()})
			default:
				perNode[i] = append(perNode[i], one)
			}
		}
	}
	for k := 0; ; k++ {
		any := false
		for _, ls := range perNode {
			if k < len(ls) {
				out, any = append(out, ls[k]), true
			}
		}
		if !any {
			return out, left
		}
	}
}

// lever is one change of the nodes of a group.
func (g *alike) lever(l system.Lever) (lever, error) {
	out := lever{node: strings.Join(g.paths, ", "), text: l.Text, half: l.Half, work: 1}
	if g.kind.Kind != "network" { // the mean of its channels is idle where one is full
		out.of = g.names[0]
	}
	var keys, values []string
	for _, key := range l.Keys {
		v, ok := find(reflect.ValueOf(g.spec), key)
		if l.From != nil {
			v, ok = reflect.ValueOf(l.From), true
		}
		if !ok {
			panic(fmt.Sprintf("explain: kind %s: no key %q for its lever %q", g.kind.Kind, key, l.Text))
		}
		text, err := scaled(v, l.Half)
		if err != nil {
			return out, err
		}
		keys, values = append(keys, key), append(values, text)
	}
	for _, path := range g.paths {
		out.sets = append(out.sets, settings(path, keys, values)...)
	}
	return out, nil
}

// inKey matches the path of a node that stands under a key of another one.
var inKey = regexp.MustCompile(`\.[a-z][^.]*$`)

// settings say the values of keys of one node: in one setting where they can.
func settings(path string, keys, values []string) (out []string) {
	deep := slices.ContainsFunc(keys, func(k string) bool { return strings.Contains(k, ".") })
	if len(keys) > 1 && !deep && !inKey.MatchString(path) { // a key takes a mapping whole
		for i, key := range keys {
			out = append(out, key+": "+values[i])
		}
		return []string{path + "={" + strings.Join(out, ", ") + "}"}
	}
	for i, key := range keys {
		out = append(out, path+"."+key+"="+values[i])
	}
	return out
}
