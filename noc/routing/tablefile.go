package routing

import (
	"bufio"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/causeway-sim/causeway/noc/topology"
)

// maxRoutes bounds the lines of a table, those for all destinations counted once
// for each.
const maxRoutes = 1 << 24

// ReadTable reads the routes of a network. It skips blank lines and comments after #. name is the
// file in errors.
//
//	classes 2         virtual-channel classes that the routes name; 1 if not given
//	route 0 3 4       router 0 sends packets for terminals of router 3 out of port 4, class 0
//	route 0 3 5 1     or out of port 5, class 1: of several the emptiest port is taken
//	route 1 * 2       router 1 sends packets for routers that it has no other line for out of port 2
//
// Every router with terminals must reach every other by any choice of routes. ReadTable does not
// check for deadlock; see deadlock.Check.
func ReadTable(r io.Reader, name string, t topology.Topology) (*Table, error) {
	n := t.Routers()
	if n > maxTable {
		return nil, &TopologyError{Algorithm: "table", Want: fmt.Sprintf("networks of at most %d routers", maxTable)}
	}
	x := tableReader{t: t, lines: map[int][]line{}, rest: map[int][]line{}, classes: 1}
	in := bufio.NewScanner(r)
	for no := 1; in.Scan(); no++ {
		text, _, _ := strings.Cut(in.Text(), "#")
		words := strings.Fields(text)
		if len(words) == 0 {
			continue
		}
		if err := x.line(words, no); err != nil {
			return nil, fmt.Errorf("%s:%d: %w", name, no, err)
		}
	}
	if err := in.Err(); err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	a := &Table{t: t, classes: x.classes, first: make([]int32, n*n+1)}
	for i := range n * n {
		list := x.lines[i]
		if r, to := i/n, i%n; list == nil && r != to {
			list = x.rest[r]
		}
		if len(a.routes)+len(list) > maxRoutes {
			return nil, fmt.Errorf("%s: more than %d routes", name, maxRoutes)
		}
		for _, l := range list {
			if int(l.class) >= a.classes {
				return nil, fmt.Errorf("%s:%d: class is %d (want 0 to %d: classes %d)", name, l.no, l.class, a.classes-1, a.classes)
			}
			a.routes = append(a.routes, l.route)
		}
		a.first[i+1] = int32(len(a.routes))
	}
	if err := a.verify(); err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return a, nil
}

// A line is a route, and its place in the file.
type line struct {
	route
	no int
}

// A tableReader collects lines by router*routers+to, and those for all others by
// router.
type tableReader struct {
	t       topology.Topology
	lines   map[int][]line
	rest    map[int][]line
	classes int
	given   int // line of classes
}

func (x *tableReader) line(words []string, no int) error {
	number := func(what, word string, lo, hi int) (int, error) {
		v, err := strconv.Atoi(word)
		if err != nil || v < lo || v > hi {
			return 0, fmt.Errorf("%s is %q (want %d to %d)", what, word, lo, hi)
		}
		return v, nil
	}
	var err error
	switch {
	case words[0] == "classes" && len(words) == 2:
		if x.given > 0 {
			return fmt.Errorf("classes stand in line %d already", x.given)
		}
		x.given = no
		x.classes, err = number("classes", words[1], 1, maxHopClasses)
		return err
	case words[0] != "route" || len(words) < 4 || len(words) > 5:
		return fmt.Errorf("%q (want: classes N, or route ROUTER TO PORT [CLASS])", strings.Join(words, " "))
	}
	n := x.t.Routers()
	r, err := number("router", words[1], 0, n-1)
	if err != nil {
		return err
	}
	to := none
	if words[2] != "*" {
		if to, err = number("destination", words[2], 0, n-1); err != nil {
			return err
		}
	}
	if r == to {
		return fmt.Errorf("router %d needs no route to itself", r)
	}
	port, err := number("port", words[3], 0, min(x.t.Ports(r), 1<<15)-1)
	if err != nil {
		return err
	}
	if _, _, ok := x.t.Peer(r, port); !ok {
		return fmt.Errorf("port %d of router %d leads to no other router: %s", port, r, x.t.Class(r, port))
	}
	class := 0
	if len(words) == 5 {
		if class, err = number("class", words[4], 0, maxHopClasses-1); err != nil {
			return err
		}
	}
	l := line{route{int16(port), uint8(class)}, no}
	lines, at := x.lines, r*n+to
	if to == none {
		lines, at = x.rest, r
	}
	if i := slices.IndexFunc(lines[at], func(o line) bool { return o.route == l.route }); i >= 0 {
		return fmt.Errorf("the same route stands in line %d", lines[at][i].no)
	}
	lines[at] = append(lines[at], l)
	return nil
}
