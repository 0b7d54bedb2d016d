package topology

// FatTreeSpec describes a k-ary n-tree.
type FatTreeSpec struct {
	K int `yaml:"k" doc:"Ports down, and ports up, of each router"`
	N int `yaml:"n" doc:"Levels"`
}

func init() {
	add("fat_tree", "A k-ary n-tree: n levels of routers with k ports down and k ports up, k^n terminals.",
		"Petrini and Vanneschi, IPPS 1997, section 2", FatTreeSpec{K: 4, N: 2},
		func(s FatTreeSpec) (Topology, error) { return NewFatTree(s) })
}

// A FatTree is a k-ary n-tree. Router l*k^(n-1)+w is at level l, 0 being next to the terminals,
// with the n-1 digits of w to base k. Routers of levels l and l+1 face each other if their words
// differ in digit l at most. Ports 0..k-1 lead down, k..2k-1 up; the top level has no ports up.
type FatTree struct{ k, n, width int }

// NewFatTree checks the spec and returns the tree.
func NewFatTree(s FatTreeSpec) (FatTree, error) {
	b := bounds{what: "fat_tree"}
	b.check("k", s.K, 2, 1<<12)
	b.check("n", s.N, 1, 24)
	if err := b.err(); err != nil {
		return FatTree{}, err
	}
	f := FatTree{s.K, s.N, 1}
	for range s.N - 1 {
		if f.width *= s.K; f.width > MaxPorts {
			break
		}
	}
	b.product("ports", f.width, s.N, 2*s.K)
	return f, b.err()
}

// K is the number of ports down of each router.
func (f FatTree) K() int { return f.k }

// Levels is the number of levels of routers.
func (f FatTree) Levels() int { return f.n }

// Level is the level of a router, 0 next to the terminals.
func (f FatTree) Level(router int) int { return router / f.width }

// Digit is digit d of a router's word.
func (f FatTree) Digit(router, d int) int { return router % f.width / f.weight(d) % f.k }

func (f FatTree) weight(d int) int {
	w := 1
	for range d {
		w *= f.k
	}
	return w
}

// Routers implements Topology.
func (f FatTree) Routers() int { return f.n * f.width }

// Terminals implements Topology.
func (f FatTree) Terminals() int { return f.width * f.k }

// Ports implements Topology.
func (f FatTree) Ports(router int) int {
	if f.Level(router) == f.n-1 {
		return f.k
	}
	return 2 * f.k
}

// Home implements Topology.
func (f FatTree) Home(t int) (router, port int) { return t / f.k, t % f.k }

// Class implements Topology.
func (f FatTree) Class(router, port int) Class {
	if f.Level(router) == 0 && port < f.k {
		return Terminal
	}
	return Local
}

// Peer implements Topology. Port j leads to the router whose digit is j.
func (f FatTree) Peer(router, port int) (r, p int, ok bool) {
	l := f.Level(router)
	if port < f.k {
		if l == 0 {
			return 0, 0, false
		}
		own := f.Digit(router, l-1)
		return router - f.width + (port-own)*f.weight(l-1), f.k + own, true
	}
	own := f.Digit(router, l)
	return router + f.width + (port-f.k-own)*f.weight(l), own, true
}
