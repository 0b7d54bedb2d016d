package topology

import "fmt"

// PodSpec describes a slice of a pod: cubes of chips that optical circuit switches join to a
// three-dimensional torus.
type PodSpec struct {
	Cubes            []int   `yaml:"cubes" doc:"Cubes of the slice along x, y and z"`
	Side             int     `yaml:"side" jsonschema:"minimum=1" doc:"Chips along each edge of a cube, a router with one terminal each"`
	Pod              int     `yaml:"pod" jsonschema:"minimum=1" doc:"Cubes of the whole pod: those that the slice does not need are spare"`
	FailedCubes      int     `yaml:"failed_cubes" jsonschema:"minimum=0" doc:"Cubes of the pod that are down, 0 is none; the switches put spare ones in their places"`
	FailedSwitches   []int   `yaml:"failed_switches" doc:"Optical switches that are down, 0 is the first. Switch side*side*d + a + side*b carries, of all cubes, the channels along dimension d that leave the face at (a, b)"`
	Hosts            int     `yaml:"hosts" jsonschema:"minimum=1" doc:"Hosts of a cube, all of which it needs"`
	HostAvailability float64 `yaml:"host_availability" doc:"Share of the time in which a host is up, for the figures of availability; 0: none"`
}

func init() {
	add("pod", "A torus of cubes that optical switches join, so that any cubes of a pod make a slice.",
		"Jouppi et al., TPU v4, ISCA 2023, section 2; Zu et al., Resiliency at Scale, NSDI 2024, section 3",
		PodSpec{Cubes: []int{2, 2, 2}, Side: 4, Pod: 64, Hosts: 16}, NewPod)
}

// A Pod is the torus of a slice. Channels inside cubes are Local; those between cubes, through an
// optical switch, are Global.
type Pod struct {
	*Grid
	spec PodSpec
}

// NewPod checks the spec and returns a Pod, or a List without the channels of failed switches.
// Failed cubes have no effect while there are spare ones.
func NewPod(s PodSpec) (Topology, error) {
	b := bounds{what: "pod"}
	b.check("number of cubes", len(s.Cubes), 3, 3)
	need := 1
	dims := make([]int, len(s.Cubes))
	for i, n := range s.Cubes {
		b.check(fmt.Sprintf("cubes[%d]", i), n, 1, 1<<8)
		need *= max(1, min(n, 1<<8))
		dims[i] = n * s.Side
	}
	b.check("side", s.Side, 1, 64)
	b.check("pod", s.Pod, 1, 1<<24)
	b.check("failed_cubes", s.FailedCubes, 0, s.Pod)
	b.check("hosts", s.Hosts, 1, 1<<16)
	if !(s.HostAvailability >= 0 && s.HostAvailability <= 1) {
		b.errorf("host_availability is %g (want 0 to 1)", s.HostAvailability)
	}
	for i, x := range s.FailedSwitches {
		b.check(fmt.Sprintf("failed_switches[%d]", i), x, 0, 3*s.Side*s.Side-1)
	}
	if up := s.Pod - s.FailedCubes; len(b.bad) == 0 && need > up {
		b.errorf("the slice needs %d cubes, and %d of %d are up", need, up, s.Pod)
	}
	if err := b.err(); err != nil {
		return nil, err
	}
	g, err := NewGrid(GridSpec{Dims: dims, Concentration: 1}, true)
	if err != nil {
		return nil, err
	}
	p := &Pod{g, s}
	if len(s.FailedSwitches) == 0 {
		return p, nil
	}
	return Without(p, p.switched(s.FailedSwitches))
}

// Class implements Topology.
func (p *Pod) Class(router, port int) Class {
	c := p.Grid.Class(router, port)
	if c == Local && p.optical(router, port) {
		return Global
	}
	return c
}

// optical reports whether a channel leaves its cube. Along one cube the torus closes
// through a switch.
func (p *Pod) optical(router, port int) bool {
	d, down := (port-1)/2, (port-1)%2
	x := p.At(router, d) % p.spec.Side
	return down == 0 && x == p.spec.Side-1 || down == 1 && x == 0
}

// switched lists the channels that pass these switches, each by its lower end.
func (p *Pod) switched(switches []int) (out [][2]int) {
	face := p.spec.Side * p.spec.Side
	down := make([]bool, 3*face)
	for _, s := range switches {
		down[s] = true
	}
	for r := range p.Routers() {
		for d := range 3 {
			a, b := p.At(r, (d+1)%3)%p.spec.Side, p.At(r, (d+2)%3)%p.spec.Side
			if d == 1 { // faces along y count x first
				a, b = b, a
			}
			port := p.Up(d)
			if _, _, ok := p.Peer(r, port); ok && p.optical(r, port) && down[face*d+a+p.spec.Side*b] {
				out = append(out, [2]int{r, port})
			}
		}
	}
	return out
}

// AsGrid returns t as a grid, or nil if it is none.
func AsGrid(t Topology) *Grid {
	switch t := t.(type) {
	case *Grid:
		return t
	case *Pod:
		return t.Grid
	}
	return nil
}
