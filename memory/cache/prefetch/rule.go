package prefetch

import (
	"fmt"

	"github.com/causeway-sim/causeway/components/registry"
)

// An Access is one access to a line, as a Rule sees it.
type Access struct {
	Line    uint64
	Stream  uint64 // see StreamOf
	Cycle   uint64 // of the cache; 0 in a cache without time
	Slot    int    // set*ways+way of a line that is there, else -1
	Lines   int    // of the request
	Hit     bool   // the line is there, or has its way and is under way
	Pending bool   // it is under way
	First   bool   // it was brought by a prefetch, and this is the first access to it
	Write   bool
	Tensor  Tensor
}

// Calls reports whether a tagged prefetch follows: after a miss, and after the first access to a line that
// was prefetched.
func (a *Access) Calls() bool { return !a.Hit || a.First }

// A Tensor is what the software says of the tensor that an access belongs to, in lines.
type Tensor struct {
	First, End uint64 // its lines are from First on and before End; equal: unknown
	Tile       uint64 // lines loaded together; 0: unknown
	Again      bool   // its bytes will be accessed again after this access
}

// StreamOf names the stream of an access: its program counter, or the requester and its tensor where there
// is none.
func StreamOf(pc uint64, core uint16, tensor uint32) uint64 {
	if pc != 0 {
		return pc ^ uint64(core)*fibonacci
	}
	return (uint64(core)<<32|uint64(tensor)+1)*fibonacci>>16 | 1
}

// fibonacci is 2^64 over the golden ratio.
const fibonacci = 0x9e3779b97f4a7c15

// A Rule finds lines that will be asked for. Calls come from one goroutine, and none of them allocates once
// its buffers have grown.
type Rule interface {
	// Access notes an access, and appends the lines that it calls for to out, the most urgent first.
	Access(a *Access, out []uint64) []uint64
	// Most returns how many lines an access calls for at most.
	Most() int
}

// An Evicter is a Rule that is told of evictions.
type Evicter interface{ Evict(line uint64) }

// A Timer is a Rule that measures how long lines take. It wants a cache with time.
type Timer interface {
	// Issue notes that a prefetch is sent below, which an access of a stream called for.
	Issue(line, stream, cycle uint64)
	// Fill notes that a line has come to a slot. It is prefetched if no access has asked for it yet.
	Fill(line uint64, slot int, cycle uint64, prefetched bool)
}

// A Resumer is a Rule that calls again for the lines that were not taken.
type Resumer interface {
	// Took notes that the first n lines that the last access called for are there or under way.
	Took(n int)
}

// A Geometry is the shape of a rule's cache.
type Geometry struct {
	Line  uint64 // bytes of a line
	Slots int    // lines of the cache
}

// A Factory makes a rule; nil is none. spec has the type of its entry's Spec.
type Factory func(g Geometry, spec any) (Rule, error)

// All holds every rule by name.
var All = registry.New[Factory]("prefetcher")

// add registers a rule with keys that check themselves.
func add[S interface{ check() error }](name, doc, source string, def S, build func(g Geometry, s S) (Rule, error)) {
	All.Add(registry.Entry[Factory]{Name: name, Doc: doc, Source: source, Spec: def, New: func(g Geometry, spec any) (Rule, error) {
		s, err := registry.SpecOf(spec, def)
		if err != nil {
			return nil, fmt.Errorf("prefetcher %s: %w", name, err)
		}
		if err := s.check(); err != nil {
			return nil, err
		}
		return build(g, s)
	}})
}

// newRule makes the rule called name.
func newRule(name string, spec any, g Geometry) (Rule, error) {
	e, err := All.Find(name)
	if err != nil {
		return nil, err
	}
	return e.New(g, spec)
}

// pageBytes is a page, which the physical addresses of most rules do not leave.
const pageBytes = 4 << 10

// pageShift returns log2 of the lines of a page.
func pageShift(line uint64) (n uint) {
	for line<<n < pageBytes {
		n++
	}
	return n
}

// within returns an error if a key is outside of its bounds.
func within(key string, n, least, most int) error {
	if n < least || n > most {
		return fmt.Errorf("%s is %d (want %d to %d)", key, n, least, most)
	}
	return nil
}

// powerOfTwo returns an error if a key is none, or outside of its bounds.
func powerOfTwo(key string, n, least, most int) error {
	if n < least || n > most || n&(n-1) != 0 {
		return fmt.Errorf("%s is %d (want a power of two from %d to %d)", key, n, least, most)
	}
	return nil
}
