package comm

import (
	"fmt"
	"math/bits"
	"slices"
	"strings"

	"github.com/causeway-sim/causeway/components/integer"
)

// Resizing says how Resize changes the number of ranks.
type Resizing struct {
	// Ranks is the new number of ranks: a multiple or a divisor of the present one.
	Ranks int
	// Block is the number of consecutive ranks that hold one copy of the model. Communicators
	// inside a block are copied with it, others grow. 0: there is only the communicator of all
	// ranks.
	Block int
	// Keep is one of Keeps; "" is the first.
	Keep string
}

// Keeps are the values of Resizing.Keep: what stays constant when a communicator changes its size.
// shares: the data between two ranks, so a reduce_scatter and an all_to_all have more data with
// more ranks. vectors: the data of all ranks together, so an all_gather, a gather and a scatter
// have less per rank. An all_reduce, a reduce and a broadcast keep their size with both.
var Keeps = []string{"shares", "vectors"}

// Resize returns p for another number of ranks, as if it were data parallel. With n ranks in p,
// rank r of the result does what rank r%n does in p. Computations and memory accesses are the
// same. A message goes to the rank at the same distance inside the same copy. Collectives follow
// Resizing; the communicator of all ranks always grows. With fewer ranks the first ones remain;
// messages to removed ranks, and communicators that do not repeat over them, are an error.
// Shrinking a grown program gives it back. p is not changed; with the same number of ranks the
// result is p.
func Resize(p *Program, to Resizing) (*Program, error) {
	z := &resizer{p: p, n: len(p.Ranks), m: to.Ranks, block: to.Block, vectors: to.Keep == "vectors"}
	if err := z.check(to); err != nil {
		return nil, err
	}
	if z.m == z.n {
		return p, nil
	}
	if err := p.Check(); err != nil {
		return nil, err
	}
	if err := z.mapGroups(); err != nil {
		return nil, err
	}
	if err := z.checkMessages(); err != nil {
		return nil, err
	}
	out := &Program{Ranks: make([]Rank, z.m), Groups: z.groups, Parts: p.Parts}
	for i := range out.Ranks {
		if err := z.rank(&out.Ranks[i], i); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// A resizer is one call of Resize.
type resizer struct {
	p       *Program
	n, m    int // ranks before and after
	block   int
	vectors bool
	groups  [][]int32    // after
	place   []groupPlace // by group before
}

func (z *resizer) check(to Resizing) error {
	if to.Keep != "" && !slices.Contains(Keeps, to.Keep) {
		return fmt.Errorf("keep: unknown %q (want one of: %s)", to.Keep, strings.Join(Keeps, ", "))
	}
	divisors := integer.Divisors(z.n)
	if z.block != 0 && !slices.Contains(divisors, z.block) {
		return fmt.Errorf("block is %d (want a divisor of %d, the ranks there are: %s)", z.block, z.n, list(divisors))
	}
	fewer := slices.DeleteFunc(divisors, func(d int) bool { return z.block > 0 && d%z.block != 0 })
	if grows := z.m > 0 && z.m%z.n == 0 && z.m <= MaxRanks; !grows && !slices.Contains(fewer, z.m) {
		return fmt.Errorf("ranks is %d (want one of: %s, or a multiple of %d up to %d)", z.m, list(fewer), z.n, MaxRanks)
	}
	if z.m == z.n || z.block != 0 {
		return nil
	}
	for _, g := range z.p.Groups[1:] {
		if len(g) > 1 && len(g) < z.n {
			return fmt.Errorf("block is missing: there are communicators of some ranks, such as %s, and nothing says which of them grow (want a divisor of %d, the ranks that hold the model once: %s)",
				nameRanks(g), z.n, list(divisors))
		}
	}
	return nil
}

func list[T int | int32](numbers []T) string {
	return strings.Trim(strings.ReplaceAll(fmt.Sprint(numbers), " ", ", "), "[]")
}

// checkMessages finds messages between ranks that stay and ranks that go.
func (z *resizer) checkMessages() error {
	if z.m > z.n {
		return nil
	}
	for n := range z.p.Ranks {
		r := &z.p.Ranks[n]
		for i := range r.ops {
			o := &r.ops[i]
			if (o.Kind == Send || o.Kind == Recv) && o.Peer != AnySource && int(o.Peer)/z.m != n/z.m {
				return fmt.Errorf("rank %d: %s: rank %d is not among the same %d ranks, so that they cannot be on their own", n, r.label(i), o.Peer, z.m)
			}
		}
	}
	return nil
}

// rank makes rank number of the result.
func (z *resizer) rank(to *Rank, number int) error {
	r := &z.p.Ranks[number%z.n]
	*to = Rank{ops: slices.Clone(r.ops), deps: r.deps, names: slices.Clip(r.names)}
	replica := number / z.n
	for i := range to.ops {
		o := &to.ops[i]
		switch o.Kind {
		case Send, Recv:
			if o.Peer != AnySource {
				o.Peer += int32(replica * z.n)
			}
			o.Group = z.place[o.Group].of(replica)
		case Collective:
			if err := z.collective(o, replica); err != nil {
				return fmt.Errorf("rank %d: %s: %w", number%z.n, r.label(i), err)
			}
		}
	}
	return nil
}

func (z *resizer) collective(o *Op, replica int) (err error) {
	g := &z.place[o.Group]
	switch {
	case !o.Coll.rooted():
	case g.more > 0:
		o.Peer += int32(replica * z.n)
	case g.size < g.was:
		o.Peer %= int32(z.m)
	}
	o.Group = g.of(replica)
	o.Bytes, err = z.bytes(o, g)
	return err
}

func (c Coll) rooted() bool { return c == Reduce || c == Broadcast || c == Gather || c == Scatter }

// bytes is Op.Bytes of a collective whose group went from g.was to g.size ranks.
func (z *resizer) bytes(o *Op, g *groupPlace) (uint64, error) {
	times, by := uint64(1), uint64(1)
	switch o.Coll {
	case ReduceScatter, AllToAll:
		if !z.vectors {
			times, by = uint64(g.size), uint64(g.was)
		}
	case AllGather, Gather, Scatter:
		if z.vectors {
			times, by = uint64(g.was), uint64(g.size)
		}
	}
	high, low := bits.Mul64(o.Bytes, times)
	if high >= by {
		return 0, fmt.Errorf("has %d bytes, %d/%d of which are too many", o.Bytes, times, by)
	}
	bytes, rest := bits.Div64(high, low, by)
	if rest != 0 {
		return 0, fmt.Errorf("has %d bytes, %d/%d of which are no whole number (keep is one of: %s)", o.Bytes, times, by, strings.Join(Keeps, ", "))
	}
	return bytes, nil
}
