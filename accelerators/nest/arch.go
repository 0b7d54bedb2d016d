package nest

import (
	"errors"
	"fmt"
	"slices"
)

// An Arch is a tree of storage levels, outermost first, down to compute. All
// instances of a level are alike, so that the tree is a list with a fan-out from
// each level to the next.
type Arch struct {
	Levels  []Level
	Compute Compute
}

// A Mesh is how many instances there are along X and Y.
type Mesh struct{ X, Y int64 }

// Count is the number of instances.
func (m Mesh) Count() int64 { return m.X * m.Y }

// A Level is one level of storage, or a mere fan-out where no tensor is kept.
type Level struct {
	Name string
	Mesh Mesh // all instances of the machine

	Words    float64 // capacity of one instance in words; 0 is unlimited
	WordBits int     // bits of a word
	Block    float64 // words of one access, 1 or more
	Cluster  int64   // instances that share one access
	// Utilization is the share of the capacity that a mapping has to fill.
	Utilization float64
	// Buffering divides the capacity: 2 is double buffering.
	Buffering float64

	// Words that an instance can move per cycle; 0 is unlimited.
	ReadBandwidth, WriteBandwidth, SharedBandwidth float64

	Keep   Mask // tensors that have to be kept here
	Bypass Mask // tensors that must not be kept here

	// Multicast and Reduce say whether instances below may share what one read gave,
	// and whether what they add is summed on the way; both are there unless denied.
	NoMulticast, NoReduction bool
	// Forward says that instances below pass inputs on to each other: what one of them has,
	// or had in the iteration before, no other reads from here. They are fetched as if all
	// were one.
	Forward bool

	// UnrollX and UnrollY are the dimensions that may run along each axis of the
	// instances below; nil is any.
	UnrollX, UnrollY []int

	Energy   Actions
	Wire     float64 // pJ of a word between one instance and one below it
	Area     float64 // um^2 of one instance
	Metadata Metadata
}

// Metadata is the memory that formats of compressed tensors lie in.
type Metadata struct {
	Width int     // bits of one access; 0: there is none
	Bits  int     // of one item
	Depth float64 // accesses that one instance holds; 0 is unlimited
}

// Actions are energies in pJ: of one access of a block, of one access of metadata,
// and of one cycle of leakage. What is gated or skipped costs nothing but the
// Gated energies.
type Actions struct {
	Read, Write, Update, Leak                      float64
	GatedRead, GatedWrite, GatedUpdate             float64
	MetaRead, MetaWrite, MetaUpdate                float64
	GatedMetaRead, GatedMetaWrite, GatedMetaUpdate float64
	Decompress, Compress                           float64 // of one word
}

// Compute is the innermost level: units that do one point per cycle.
type Compute struct {
	Name        string
	Mesh        Mesh
	Energy      float64 // pJ of one point
	GatedEnergy float64 // pJ of one that is gated
	Area        float64 // um^2 of one instance
}

// Fanout is the mesh of instances below one instance of level l.
func (a *Arch) Fanout(l int) Mesh {
	in := a.mesh(l + 1)
	out := a.mesh(l)
	return Mesh{in.X / max(1, out.X), in.Y / max(1, out.Y)}
}

func (a *Arch) mesh(l int) Mesh {
	if l == len(a.Levels) {
		return a.Compute.Mesh
	}
	return a.Levels[l].Mesh
}

// Unrolls reports whether dimension d may run along an axis of the instances below.
func (l *Level) Unrolls(axis Axis, d int) bool {
	list := l.UnrollX
	if axis == SpaceY {
		list = l.UnrollY
	}
	return list == nil || slices.Contains(list, d)
}

// name is the level's name, that of compute included.
func (a *Arch) name(l int) string {
	if l == len(a.Levels) {
		return a.Compute.Name
	}
	return a.Levels[l].Name
}

// Area is that of the whole machine in um^2.
func (a *Arch) Area() float64 {
	sum := a.Compute.Area * float64(a.Compute.Mesh.Count())
	for i := range a.Levels {
		sum += a.Levels[i].Area * float64(a.Levels[i].Mesh.Count())
	}
	return sum
}

// Check finds what no machine can have, for tensors as many as given.
func (a *Arch) Check(tensors int) error {
	var errs []error
	bad := func(format string, args ...any) { errs = append(errs, fmt.Errorf(format, args...)) }
	if n := len(a.Levels); n == 0 || n > MaxLevels {
		bad("architecture has %d storage levels (want 1 to %d)", n, MaxLevels)
	}
	a.checkMeshes(bad)
	for i := range a.Levels {
		l := &a.Levels[i]
		l.check(bad)
		if i == 0 && l.Keep.Len() < tensors && l.Bypass != 0 {
			bad("level %s is the outermost and has to keep every tensor", l.Name)
		}
	}
	return errors.Join(errs...)
}

// checkMeshes finds meshes without instances, and those that the next outer one does not
// divide.
func (a *Arch) checkMeshes(bad func(format string, args ...any)) {
	for i := range len(a.Levels) + 1 {
		m := a.mesh(i)
		if m.X < 1 || m.Y < 1 || float64(m.X)*float64(m.Y) >= 1<<31 {
			bad("level %s has a mesh of %d x %d instances (want 1 or more each, fewer than 2^31)", a.name(i), m.X, m.Y)
			continue
		}
		if i == 0 {
			continue
		}
		if o := a.mesh(i - 1); o.X > 0 && o.Y > 0 && (m.X%o.X != 0 || m.Y%o.Y != 0) {
			bad("level %s has a mesh of %d x %d, which %s above with %d x %d does not divide", a.name(i), m.X, m.Y, a.name(i-1), o.X, o.Y)
		}
	}
}

// check finds what no level can have.
func (l *Level) check(bad func(format string, args ...any)) {
	switch {
	case l.WordBits < 1:
		bad("level %s has words of %d bits", l.Name, l.WordBits)
	case l.Block < 1:
		bad("level %s: an access is %g words (want 1 or more: a width of a word and more)", l.Name, l.Block)
	case l.Cluster < 1 || l.Mesh.Count()%l.Cluster != 0:
		bad("level %s: clusters of %d do not divide %d instances", l.Name, l.Cluster, l.Mesh.Count())
	case l.Buffering < 1:
		bad("level %s: multiple buffering is %g (want 1 or more)", l.Name, l.Buffering)
	case l.Words < 0 || l.ReadBandwidth < 0 || l.WriteBandwidth < 0 || l.SharedBandwidth < 0:
		bad("level %s: a capacity or bandwidth is negative", l.Name)
	}
	if l.Keep&l.Bypass != 0 {
		bad("level %s: a tensor is both kept and bypassed", l.Name)
	}
}
