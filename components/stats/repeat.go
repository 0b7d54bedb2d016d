package stats

import (
	"fmt"
	"math"
	"reflect"
	"slices"
	"strings"
	"unsafe"
)

// A Tally is a copy of all numbers that a group has declared.
type Tally []uint64

// Sum declares further numbers that grow over time, for Repeat. An argument is a pointer to a
// number or to a struct, array or slice of numbers, or a function that returns such a pointer and
// is called before the run begins. Other types panic.
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

// Before registers f, which is called before counters are read. f updates the numbers that Count
// and Sum point to; now is the time up to which all events have been handled, infinite at the end.
func (g *Group) Before(f func(now float64)) { g.before = append(g.before, f) }

// Settle updates the numbers that Count and Sum point to. Code that reads them directly must call
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

// Tally returns the present values of all declared numbers.
func (g *Group) Tally() Tally {
	g.Settle(math.Inf(1))
	all := g.leaves()
	out := make(Tally, len(all))
	for i, l := range all {
		out[i] = *(*uint64)(l.at)
	}
	return out
}

// Repeated reports whether Repeat has added events that were not simulated. In and out of a node
// may then differ by the requests in flight at the tallies.
func (g *Group) Repeated() bool { return g.again }

// Moved compares the byte counters between two tallies (a) with those between two others (b). It
// returns the bytes of a, and the sum of the counters' differences.
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

// Repeat adds the differences between two tallies n times.
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

// Instead takes the differences between two tallies of the group away and adds those between two
// tallies of another group that declares the same numbers. Counters called _max become at least as
// great as the other group's.
func (g *Group) Instead(own [2]Tally, of *Group, other [2]Tally) {
	g.again = true
	for i, l := range g.leaves() {
		if l.real {
			x := (*float64)(l.at)
			f := math.Float64frombits
			*x += (f(other[1][i]) - f(other[0][i])) - (f(own[1][i]) - f(own[0][i]))
			continue
		}
		*(*uint64)(l.at) += other[1][i] - other[0][i] - (own[1][i] - own[0][i])
	}
	for i, m := range g.metrics {
		if m.count != nil && strings.HasSuffix(m.name, "_max") {
			*m.count = max(*m.count, *of.metrics[i].count)
		}
	}
}

// Stays declares metrics that Repeat leaves unchanged: states at the end of the run, such as the
// pages of a tier, or values computed from every access. It panics on a name that is not declared.
func (g *Group) Stays(names ...string) {
	for _, name := range names {
		i := slices.IndexFunc(g.metrics, func(m metric) bool { return m.name == name })
		if i < 0 {
			panic(fmt.Sprintf("stats: %s: metric %q is not declared", g.where, name))
		}
		g.metrics[i].stays = true
	}
}

// Stayed returns the names of the metrics that Repeat left unchanged and that have a value.
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
