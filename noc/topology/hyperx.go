package topology

import "fmt"

// HyperXSpec describes a HyperX.
type HyperXSpec struct {
	Dims          []int `yaml:"dims" doc:"Routers along each dimension"`
	Concentration int   `yaml:"concentration" jsonschema:"minimum=1" doc:"Terminals per router"`
}

// FullSpec describes a fully connected network.
type FullSpec struct {
	Routers       int `yaml:"routers" doc:"Routers, each joined to all others"`
	Concentration int `yaml:"concentration" jsonschema:"minimum=1" doc:"Terminals per router"`
}

// CrossbarSpec describes a single router.
type CrossbarSpec struct {
	Terminals int `yaml:"terminals" doc:"Terminals of the one router"`
}

func init() {
	add("hyperx", "A grid whose routers are fully connected along every dimension.",
		"Ahn, Binkert, Davis, McLaren, Schreiber, SC 2009, section 3", HyperXSpec{Dims: []int{4, 4}, Concentration: 4},
		func(s HyperXSpec) (Topology, error) { return NewHyperX(s) })
	add("fully_connected", "Every router is joined to every other.",
		"Dally and Towles, Principles and Practices of Interconnection Networks, 2004, chapter 3", FullSpec{Routers: 8, Concentration: 1},
		func(s FullSpec) (Topology, error) { return NewHyperX(HyperXSpec{[]int{s.Routers}, s.Concentration}) })
	add("crossbar", "One router with all terminals.",
		"Dally and Towles, Principles and Practices of Interconnection Networks, 2004, chapter 6", CrossbarSpec{Terminals: 8},
		func(s CrossbarSpec) (Topology, error) {
			b := bounds{what: "crossbar"}
			b.check("terminals", s.Terminals, 1, 1<<12)
			if err := b.err(); err != nil {
				return nil, err
			}
			return NewHyperX(HyperXSpec{[]int{1}, s.Terminals})
		})
}

// A HyperX is a grid with a channel between any two routers that differ in one
// coordinate. A crossbar and a fully connected network are its smallest cases.
// After its c terminals the ports of dimension 0 follow, then those of
// dimension 1; within a dimension they lead to the other routers in order.
type HyperX struct {
	dims, stride, first []int
	c, n, ports         int
}

// NewHyperX checks the spec and returns the HyperX.
func NewHyperX(s HyperXSpec) (*HyperX, error) {
	b := bounds{what: "hyperx"}
	x := &HyperX{dims: s.Dims, c: s.Concentration, n: 1}
	if x.c == 0 {
		x.c = 1
	}
	b.check("concentration", x.c, 1, 1<<12)
	b.check("number of dims", len(s.Dims), 1, 8)
	for i, k := range s.Dims {
		b.check(fmt.Sprintf("dims[%d]", i), k, 1, 1<<12)
	}
	if err := b.err(); err != nil {
		return nil, err
	}
	x.ports = x.c
	for _, k := range x.dims {
		x.stride = append(x.stride, x.n)
		x.first = append(x.first, x.ports)
		x.ports += k - 1
		if x.n *= k; x.n > MaxPorts {
			break
		}
	}
	b.product("ports", append([]int{x.ports}, x.dims...)...)
	return x, b.err()
}

// Dims is the number of routers along each dimension. The caller must not
// change it.
func (x *HyperX) Dims() []int { return x.dims }

// At is the coordinate of a router in dimension d.
func (x *HyperX) At(router, d int) int { return router / x.stride[d] % x.dims[d] }

// Port is the port of a router that leads to coordinate to of dimension d.
func (x *HyperX) Port(router, d, to int) int { return x.first[d] + slot(to, x.At(router, d)) }

// Routers implements Topology.
func (x *HyperX) Routers() int { return x.n }

// Terminals implements Topology.
func (x *HyperX) Terminals() int { return x.n * x.c }

// Ports implements Topology.
func (x *HyperX) Ports(int) int { return x.ports }

// Home implements Topology.
func (x *HyperX) Home(t int) (router, port int) { return t / x.c, t % x.c }

// Class implements Topology.
func (x *HyperX) Class(_, port int) Class {
	if port < x.c {
		return Terminal
	}
	return Local
}

// Peer implements Topology.
func (x *HyperX) Peer(router, port int) (r, p int, ok bool) {
	if port < x.c {
		return 0, 0, false
	}
	d := len(x.dims) - 1
	for x.first[d] > port {
		d--
	}
	at := x.At(router, d)
	to := skip(port-x.first[d], at)
	return router + (to-at)*x.stride[d], x.first[d] + slot(at, to), true
}
