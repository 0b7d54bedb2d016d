package network

import (
	"fmt"

	"github.com/sarchlab/akita/v3/sim"
)

// Skip is what is found and not simulated again.
type Skip string

// The values of Skip.
const (
	SkipOff   Skip = "off"
	SkipExact Skip = "exact"
)

// Skips lists the values of Skip.
func Skips() []string { return []string{string(SkipOff), string(SkipExact)} }

// A Fold says which terminals and channels have equal states at all times, so that one of each set
// is simulated. Messages enter at represented terminals alone; they may go to all.
type Fold struct {
	Times    int32   // terminals that a represented one stands for, itself included
	Terminal []int32 // by terminal: the one that stands for it
	Channel  []int32 // by channel: the one that stands for it; -1: no message takes it
	Element  []int32 // by channel: how it differs from that; see package symmetry of ranks
	// Ordered: messages that come to a channel at the same instant by channels of the same Element
	// have the same order at each of the equal channels.
	Ordered bool
}

// A Folder is a network that can simulate one of several equal parts.
type Folder interface {
	// Skip is what the configuration asks for.
	Skip() Skip
	// Foldable returns an error if the network cannot, or if it has ends for which mine is false.
	Foldable(mine func(sim.Port) bool) error
	// Numbered is how many channels there are, those of terminals included: they have numbers from 0 on.
	Numbered() int
	// Route appends the channels of a message, in order. It is an error if they depend on anything
	// but the two terminals.
	Route(src, dst int32, out []int32) ([]int32, error)
	// Alike reports whether two channels have the same latency and rate.
	Alike(a, b int32) bool
	// Fold makes the network simulate represented terminals, before the first message.
	Fold(f *Fold)
	// Unfolded notes why it was not asked to.
	Unfolded(why string)
}

// Unequal is the error of a folded network in which parts turn out not to be equal: two messages
// come to a channel at the same instant, and their order is not the same everywhere.
type Unequal struct{ Why string }

func (u *Unequal) Error() string { return u.Why }

// Unequal returns the error's text.
func (u *Unequal) Unequal() string { return u.Why }

// Skip implements Folder.
func (c *Comp) Skip() Skip { return c.skip }

// SetSkip sets what the configuration asks for.
func (c *Comp) SetSkip(s Skip) {
	c.skip = s
	if s != SkipOff {
		c.Unfolded("no node of kind ranks sends its messages alone (used by: kind ranks)")
	}
}

// Folded implements system.Folded: one of several equal terminals is simulated.
func (c *Comp) Folded() bool { return c.fold != nil }

// Unfolded implements Folder.
func (c *Comp) Unfolded(why string) {
	c.skipped = fmt.Sprintf("%s.skip: %s has no effect, every rank is simulated: %s.", c.Name(), c.skip, why)
}

// CanFold is the part of Foldable that is the shell's.
func (c *Comp) CanFold(mine func(sim.Port) bool) error {
	if c.quantum > 0 {
		return fmt.Errorf("simulation.quantum divides the system")
	}
	for t, shared := range c.shared {
		if shared {
			return fmt.Errorf("several ports share terminal %d", t)
		}
	}
	var other sim.Port
	for p := range c.table {
		if !mine(p) && (other == nil || p.Name() < other.Name()) {
			other = p
		}
	}
	if other != nil {
		return fmt.Errorf("%s is on the network, too", other.Name())
	}
	return nil
}

// UseFold sets the fold of the shell.
func (c *Comp) UseFold(f *Fold) {
	c.fold, c.times = f, uint64(f.Times)
	c.skipped = fmt.Sprintf("%s.skip: %s: each simulated rank stands for %d that do the same at the same times.", c.Name(), c.skip, f.Times)
}
