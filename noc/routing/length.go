package routing

// lengths are the hop counts that the two paths are weighed with.
func (a *ugal) lengths(r, home, via int, p *Packet) (minimal, other int) {
	switch {
	case a.absolute:
		return a.absoluteLengths(r, home, via)
	case !a.actual:
		return 1, 2
	case a.router:
		return a.hops(r, home, p), a.hops(r, via, p) + a.hops(via, home, p)
	}
	exit, port := a.d.Exit(a.d.Group(r), a.d.Group(via), int(p.Link))
	entry, _, _ := a.d.Peer(exit, port)
	return a.hops(r, home, p), a.hops(r, entry, p) + a.hops(entry, home, p)
}

// absoluteLengths counts as FOGSim 2021 does (generatorModule::determinePaths):
// as if the arrangement were the absolute one, whatever it is, and as if the
// first leg ended at the drawn router without a local hop.
func (a *ugal) absoluteLengths(r, home, via int) (minimal, other int) {
	// owns reports whether router x would own the channel to a group.
	owns := func(x, group int) int {
		from := a.d.Group(x)
		i := group
		if group > from {
			i--
		}
		if i/a.d.H() == x%a.d.A() {
			return 0
		}
		return 1
	}
	between := func(x, y int) int {
		switch {
		case x == y:
			return 0
		case a.d.Group(x) == a.d.Group(y):
			return 1
		}
		return 1 + owns(x, a.d.Group(y)) + owns(y, a.d.Group(x))
	}
	return between(r, home), 1 + owns(r, a.d.Group(via)) + between(via, home)
}
