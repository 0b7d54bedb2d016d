package nest

// A Description is what files say of a nest, in whichever form: the machine, what it
// computes, and what is known of the mapping.
type Description struct {
	Problem     Problem
	Arch        Arch
	Sparse      *Sparse     // nil: the machine does not know of zeros
	Mapping     *Mapping    // nil: none is given
	Constraints Constraints // what is left open to a search
	// Energies and Areas report whether any were given.
	Energies, Areas bool
}

// Search is the machine that a search maps to: what constraints keep and bypass at a
// level is what the level keeps and bypasses.
func (d *Description) Search() Arch {
	a := d.Arch
	a.Levels = append([]Level(nil), a.Levels...)
	for i := range a.Levels {
		x := &d.Constraints.Levels[i]
		a.Levels[i].Keep, a.Levels[i].Bypass = x.Keep, x.Bypass
	}
	return a
}
