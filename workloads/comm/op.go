package comm

import (
	"fmt"

	"github.com/causeway-sim/causeway/components/units"
)

// A Kind says what an operation does.
type Kind uint8

// The kinds of operations.
const (
	Join       Kind = iota // takes no time: a point that others wait for
	Compute                // keeps the rank's processor busy
	Send                   // a message to Peer
	Recv                   // a message from Peer
	Collective             // with all of Group
	Load                   // reads Bytes of memory
	Store                  // writes Bytes of memory
)

var kindNames = [...]string{"join", "compute", "send", "recv", "collective", "load", "store"}

func (k Kind) String() string { return kindNames[k] }

// A Coll is the pattern of a collective operation. Op.Bytes counts what the
// comments say, at each rank of the group; n is the size of the group.
type Coll uint8

// The collectives.
const (
	Barrier       Coll = iota
	AllReduce          // the vector
	Reduce             // the vector
	Broadcast          // the vector
	AllGather          // what each rank gives; each ends with n times that
	ReduceScatter      // the vector; each ends with a share of 1/n
	AllToAll           // what each rank gives to all together, 1/n to each
	Gather             // what each rank gives
	Scatter            // what each rank gets
)

var collNames = [...]string{"barrier", "all_reduce", "reduce", "broadcast", "all_gather", "reduce_scatter", "all_to_all", "gather", "scatter"}

func (c Coll) String() string { return collNames[c] }

// Host is the Unit of computations on a rank's host, in parallel with those of the rank.
const Host = 1

// Wildcards of a receive.
const (
	AnySource = -1
	AnyTag    = -1
)

// An Op is one operation of a rank. It starts when all its dependencies are met.
type Op struct {
	Kind Kind
	Coll Coll // of a Collective
	// Sync makes a Send end no sooner than its Recv begins, whatever its size.
	Sync bool
	// Unit is the processor of the rank that a Compute keeps busy: those of one
	// unit take turns.
	Unit  uint8
	Peer  int32      // rank of the other side; root of a collective; AnySource
	Tag   int64      // of a message; AnyTag
	Group int32      // index in Program.Groups: the communicator
	Bytes uint64     // of a message or memory access; of a Collective see Coll
	Time  units.Time // of a Compute
	Work  float64    // floating-point operations of a Compute whose time is not known
	end   uint32     // of its dependencies in the rank's list
}

// A Dep is a dependency of an operation on the end or the start of another.
type Dep uint32

// After is the dependency on the end of operation i.
func After(i int) Dep { return Dep(i) << 1 }

// With is the dependency on the start of operation i.
func With(i int) Dep { return Dep(i)<<1 | 1 }

// Op returns the operation that the dependency waits for.
func (d Dep) Op() int { return int(d >> 1) }

// Start reports whether the dependency is on the start, not the end.
func (d Dep) Start() bool { return d&1 == 1 }

func (o *Op) String() string {
	switch o.Kind {
	case Send:
		return fmt.Sprintf("send of %s to rank %d, tag %d", units.Bytes(o.Bytes), o.Peer, o.Tag)
	case Recv:
		from, tag := fmt.Sprintf("rank %d", o.Peer), fmt.Sprintf("tag %d", o.Tag)
		if o.Peer == AnySource {
			from = "any rank"
		}
		if o.Tag == AnyTag {
			tag = "any tag"
		}
		return fmt.Sprintf("recv of %s from %s, %s", units.Bytes(o.Bytes), from, tag)
	case Collective:
		return fmt.Sprintf("%s of %s", o.Coll, units.Bytes(o.Bytes))
	}
	return o.Kind.String()
}

// Same reports whether two operations are equal but for their dependencies.
func (o *Op) Same(b *Op) bool {
	x, y := *o, *b
	x.end, y.end = 0, 0
	return x == y
}
