package topology

import "fmt"

// GridSpec describes a mesh or torus.
type GridSpec struct {
	Dims          []int `yaml:"dims" doc:"Routers along each dimension"`
	Concentration int   `yaml:"concentration" jsonschema:"minimum=1" doc:"Terminals per router"`
}

// RingSpec describes a ring.
type RingSpec struct {
	Size          int `yaml:"size" doc:"Routers"`
	Concentration int `yaml:"concentration" jsonschema:"minimum=1" doc:"Terminals per router"`
}

func init() {
	def := GridSpec{Dims: []int{8, 8}, Concentration: 1}
	src := "Dally and Towles, Principles and Practices of Interconnection Networks, 2004, chapter 5"
	add("mesh", "A grid of any dimension whose edges are open.", src, def,
		func(s GridSpec) (Topology, error) { return NewGrid(s, false) })
	add("torus", "A grid of any dimension whose edges wrap around.", src, def,
		func(s GridSpec) (Topology, error) { return NewGrid(s, true) })
	add("ring", "A torus of one dimension.", src, RingSpec{Size: 8, Concentration: 1},
		func(s RingSpec) (Topology, error) { return NewGrid(GridSpec{[]int{s.Size}, s.Concentration}, true) })
}

// A Grid is a mesh or torus. Router x0 + k0*(x1 + k1*(...)) is at (x0, x1, ...).
// After its c terminals, port c+2d leads up dimension d, port c+2d+1 down.
type Grid struct {
	dims, stride []int
	c, n         int
	wrap         bool
}

// NewGrid checks the spec and returns a mesh, or a torus if wrap is set.
func NewGrid(s GridSpec, wrap bool) (*Grid, error) {
	b := bounds{what: "mesh"}
	if wrap {
		b.what = "torus"
	}
	g := &Grid{dims: s.Dims, c: s.Concentration, wrap: wrap}
	if g.c == 0 {
		g.c = 1
	}
	b.check("concentration", g.c, 1, 1<<12)
	b.check("number of dims", len(s.Dims), 1, 8)
	for i, k := range s.Dims {
		b.check(fmt.Sprintf("dims[%d]", i), k, 1, 1<<20)
	}
	if err := b.err(); err != nil {
		return nil, err
	}
	g.stride = make([]int, len(g.dims))
	g.n = 1
	for d, k := range g.dims {
		g.stride[d] = g.n
		g.n *= k
		if g.n > MaxPorts {
			break
		}
	}
	b.product("ports", append([]int{g.c + 2*len(g.dims)}, g.dims...)...)
	return g, b.err()
}

// Dims is the number of routers along each dimension. The caller must not
// change it.
func (g *Grid) Dims() []int { return g.dims }

// Wraps reports whether the grid is a torus.
func (g *Grid) Wraps() bool { return g.wrap }

// Concentration is the number of terminals per router.
func (g *Grid) Concentration() int { return g.c }

// At is the coordinate of a router in dimension d.
func (g *Grid) At(router, d int) int { return router / g.stride[d] % g.dims[d] }

// Up returns the port to the next router of dimension d; Up+1 is the port to the previous one.
func (g *Grid) Up(d int) int { return g.c + 2*d }

// Routers implements Topology.
func (g *Grid) Routers() int { return g.n }

// Terminals implements Topology.
func (g *Grid) Terminals() int { return g.n * g.c }

// Ports implements Topology.
func (g *Grid) Ports(int) int { return g.c + 2*len(g.dims) }

// Home implements Topology.
func (g *Grid) Home(t int) (router, port int) { return t / g.c, t % g.c }

// Class implements Topology.
func (g *Grid) Class(router, port int) Class {
	if port < g.c {
		return Terminal
	}
	if _, _, ok := g.Peer(router, port); ok {
		return Local
	}
	return Unused
}

// Peer implements Topology. A dimension of one router has no channels.
func (g *Grid) Peer(router, port int) (r, p int, ok bool) {
	if port < g.c {
		return 0, 0, false
	}
	d, down := (port-g.c)/2, (port-g.c)%2
	k, x := g.dims[d], g.At(router, d)
	y := x + 1 - 2*down
	if y < 0 || y == k {
		if !g.wrap || k == 1 {
			return 0, 0, false
		}
		y = (y + k) % k
	}
	return router + (y-x)*g.stride[d], g.c + 2*d + 1 - down, true
}
