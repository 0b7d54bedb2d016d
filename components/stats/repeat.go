package stats

import (
	"fmt"
	"math"
	"reflect"
	"slices"
	"strings"
	"unsafe"
)

// A Tally is what everything that a group adds up stands at.
type Tally []uint64

// Sum declares state that adds up over time, besides the counters of Count, for Repeat.
// Arguments are pointers to numbers, or to structs, arrays and slices of them, or functions
// that return such pointers. The functions are called when the run is about to begin.
func (g *Group) Sum(all ...any) {
	for _, p := range all {
		if _, later := p.(func() []any); later {
			g.sums = append(g.sums, p)
			continue
		}
		if reflect.TypeOf(p).Kind() != reflect.Pointer {
			panic(fmt.Sprintf("stats: %s: Sum of a %T (want a pointer)", g.where, p))
		}
		g.sums = append(g.sums, p)
	}
}

// Before has f called before counters are read, with the time up to which all events have
// been handled, infinite where nothing more is to come: it brings up to date what Count and
// Sum point to.
func (g *Group) Before(f func(now float64)) { g.before = append(g.before, f) }

// Settle updates the numbers that Count and Sum point to. Code that reads them directly calls
// it first.
func (g *Group) Settle(now float64) {
	for _, f := range g.before {
		f(now)
	}
}

// A leaf is one number that adds up.
type leaf struct {
	at    unsafe.Pointer
	real  bool // a float64; else an integer of 64 bits
	bytes bool // a counter of bytes
}

// leaves are all numbers that add up, each once. Counters called _max do not.
func (g *Group) leaves() []leaf {
	if g.adding != nil {
		return g.adding
	}
	seen := map[unsafe.Pointer]bool{}
	add := func(l leaf) {
		if !seen[l.at] {
			seen[l.at] = true
			g.adding = append(g.adding, l)
		}
	}
	for _, m := range g.metrics {
		if m.count != nil && !strings.HasSuffix(m.name, "_max") {
			add(leaf{at: unsafe.Pointer(m.count), bytes: m.unit == Byte})
		}
	}
	var walk func(v reflect.Value)
	walk = func(v reflect.Value) {
		switch v.Kind() {
		case reflect.Uint64, reflect.Int64, reflect.Int, reflect.Uint:
			add(leaf{at: v.Addr().UnsafePointer()})
		case reflect.Float64:
			add(leaf{at: v.Addr().UnsafePointer(), real: true})
		case reflect.Struct:
			for i := range v.NumField() {
				walk(v.Field(i))
			}
		case reflect.Array, reflect.Slice:
			for i := range v.Len() {
				walk(v.Index(i))
			}
		default:
			panic(fmt.Sprintf("stats: %s: Sum of a %s", g.where, v.Type()))
		}
	}
	for _, p := range g.sums {
		list := []any{p}
		if f, later := p.(func() []any); later {
			list = f()
		}
		for _, x := range list {
			walk(reflect.ValueOf(x).Elem())
		}
	}
	return g.adding
}

// Tally is where everything stands now.
func (g *Group) Tally() Tally {
	g.Settle(math.Inf(1))
	all := g.leaves()
	out := make(Tally, len(all))
	for i, l := range all {
		out[i] = *(*uint64)(l.at)
	}
	return out
}

// Repeated reports whether something was added that did not happen: flows through a node
// are then equal but for what was under way at the tallies.
func (g *Group) Repeated() bool { return g.again }

// Moved compares the bytes that counters counted between two tallies with those between
// two others: how many they are, and by how many they differ, each counter for itself.
func (g *Group) Moved(a, b [2]Tally) (bytes, differ uint64) {
	for i, l := range g.leaves() {
		if !l.bytes {
			continue
		}
		x, y := a[1][i]-a[0][i], b[1][i]-b[0][i]
		bytes += x
		differ += max(x, y) - min(x, y)
	}
	return bytes, differ
}

// Repeat adds n times what came between two tallies.
func (g *Group) Repeat(from, to Tally, n uint64) {
	g.again = g.again || n > 0
	for i, l := range g.leaves() {
		if l.real {
			x := (*float64)(l.at)
			*x += float64(n) * (math.Float64frombits(to[i]) - math.Float64frombits(from[i]))
			continue
		}
		*(*uint64)(l.at) += n * (to[i] - from[i])
	}
}

// Stays has Repeat leave declared metrics at their values in the simulated part of the run.
// These are states at the end, such as the pages of a tier, or are computed from every access.
// It panics on a name that is not declared.
func (g *Group) Stays(names ...string) {
	for _, name := range names {
		i := slices.IndexFunc(g.metrics, func(m metric) bool { return m.name == name })
		if i < 0 {
			panic(fmt.Sprintf("stats: %s: metric %q is not declared", g.where, name))
		}
		g.metrics[i].stays = true
	}
}

// Stayed are the names of the metrics that Repeat has left as they were and that have a value.
func (g *Group) Stayed() (names []string) {
	for _, m := range g.metrics {
		if !m.stays || !g.again {
			continue
		}
		if _, ok := m.read(); ok {
			names = append(names, m.name)
		}
	}
	return names
}
