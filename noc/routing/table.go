package routing

import (
	"fmt"
	"os"

	"github.com/causeway-sim/causeway/components/registry"
	"github.com/causeway-sim/causeway/noc/topology"
)

// TableSpec configures a table.
type TableSpec struct {
	File string `yaml:"file" doc:"File of lines \"classes N\" and \"route ROUTER TO PORT [CLASS]\""`
}

func init() {
	All.Add(registry.Entry[Factory]{
		Name:   "table",
		Doc:    "Any network: a file lists the ports, and classes, by which each router reaches the others; among several the emptiest port.",
		Source: "format of this package: see ReadTable", Spec: TableSpec{},
		New: func(t topology.Topology, spec any) (Algorithm, error) {
			s, err := specOf("table", spec, TableSpec{})
			if err != nil {
				return nil, err
			}
			if s.File == "" {
				return nil, &TopologyError{Algorithm: "table", Want: "want a file that lists the routes of the network", Missing: "file"}
			}
			f, err := os.Open(s.File)
			if err != nil {
				return nil, fmt.Errorf("routing algorithm table: %w", err)
			}
			defer f.Close()
			return ReadTable(f, s.File, t)
		},
	})
}

// A Table holds the routes of a file.
type Table struct {
	t       topology.Topology
	classes int
	// first is where the routes of a pair begin: [router*routers+to], and one more.
	first  []int32
	routes []route
}

// A route is a port and a class.
type route struct {
	port  int16
	class uint8
}

// of lists the routes of router r to router to.
func (a *Table) of(r, to int) []route {
	i := r*a.t.Routers() + to
	return a.routes[a.first[i]:a.first[i+1]]
}

// Classes implements Algorithm.
func (a *Table) Classes() int { return a.classes }

// Next implements Algorithm.
func (a *Table) Next(v View, p *Packet) Hop {
	r := v.Router()
	home, port := a.t.Home(int(p.Dst))
	if r == home {
		return Hop{Port: port, Class: AnyClass}
	}
	list := a.of(r, home)
	best := list[0]
	if len(list) == 1 {
		return Hop{Port: int(best.port), Class: int(best.class)}
	}
	least := v.Queue(int(best.port))
	for _, x := range list[1:] {
		if q := v.Queue(int(x.port)); q < least {
			best, least = x, q
		}
	}
	return Hop{Port: int(best.port), Class: int(best.class)}
}

// verify walks from every router with terminals to every other.
func (a *Table) verify() error {
	const (
		white = iota
		grey
		black
	)
	n := a.t.Routers()
	ends := homes(a.t)
	type frame struct{ r, next int }
	color := make([]uint8, n)
	for to := range n {
		if !ends[to] {
			continue
		}
		clear(color)
		color[to] = black
		for from := range n {
			if !ends[from] || color[from] != white {
				continue
			}
			color[from] = grey
			for path := []frame{{from, 0}}; len(path) > 0; {
				f := &path[len(path)-1]
				list := a.of(f.r, to)
				if len(list) == 0 {
					return fmt.Errorf("router %d has no route to router %d, for packets from router %d", f.r, to, from)
				}
				if f.next == len(list) {
					color[f.r] = black
					path = path[:len(path)-1]
					continue
				}
				next, _, _ := a.t.Peer(f.r, int(list[f.next].port))
				f.next++
				switch color[next] {
				case white:
					color[next] = grey
					path = append(path, frame{next, 0})
				case grey:
					text, on := "", false
					for _, g := range path {
						if on = on || g.r == next; on {
							text += fmt.Sprintf("%d -> ", g.r)
						}
					}
					return fmt.Errorf("packets to router %d may go in circles: %s%d", to, text, next)
				}
			}
		}
	}
	return nil
}
