package collective

import (
	"errors"
	"fmt"
	"strings"

	"github.com/causeway-sim/causeway/components/registry"
)

// A Request is the parameters of a collective.
type Request struct {
	Operation Operation
	Ranks     int
	Bytes     int64 // see Operation; 1 at least, but for Barrier
	Element   int64 // size of an element; 0 is 4 B
	Root      int   // Broadcast, ReduceTo, Gather, Scatter

	alone bool // of Turning
}

// The limits of a Request.
const (
	MaxRanks = 1 << 20
	MaxBytes = 1 << 50
)

func (r *Request) check() error {
	if r.Element == 0 {
		r.Element = 4
	}
	var bad []error
	want := func(ok bool, format string, args ...any) {
		if !ok {
			bad = append(bad, fmt.Errorf(format, args...))
		}
	}
	want(r.Operation < operations, "operation %d (want 0 to %d)", r.Operation, operations-1)
	want(r.Ranks >= 1 && r.Ranks <= MaxRanks, "ranks is %d (want 1 to %d)", r.Ranks, MaxRanks)
	if r.Operation == Barrier {
		want(r.Bytes == 0, "bytes is %d (want 0: a barrier moves none)", r.Bytes)
	} else {
		want(r.Bytes >= 1 && r.Bytes <= MaxBytes, "bytes is %d (want 1 to %d)", r.Bytes, int64(MaxBytes))
	}
	want(r.Element >= 1 && r.Element <= 1<<20, "element is %d B (want 1 to %d)", r.Element, 1<<20)
	want(r.Root >= 0 && r.Root < max(1, r.Ranks), "root is %d (want 0 to %d)", r.Root, r.Ranks-1)
	return errors.Join(bad...)
}

// A Factory makes the schedule of a checked request. spec has the type of its entry's Spec; nil
// is the defaults.
type Factory func(r Request, spec any) (*Schedule, error)

// All holds every algorithm by name.
var All = registry.New[Factory]("collective algorithm")

// New makes the schedule of the algorithm called name; a nil spec is the defaults. Errors are an
// unknown name, an *OperationError, and impossible requests or parameters.
func New(name string, r Request, spec any) (*Schedule, error) {
	e, err := All.Find(name)
	if err != nil {
		return nil, err
	}
	if err := r.check(); err != nil {
		return nil, fmt.Errorf("collective %s: %w", name, err)
	}
	s, err := e.New(r, spec)
	if err != nil {
		return nil, fmt.Errorf("collective %s: %w", name, err)
	}
	return s, nil
}

// An OperationError is the error of New for an operation that the algorithm does not have.
type OperationError struct {
	Operation Operation
	Want      []Operation
}

func (e *OperationError) Error() string {
	names := make([]string, len(e.Want))
	for i, o := range e.Want {
		names[i] = o.String()
	}
	return fmt.Sprintf("it does not do %s (want one of: %s)", e.Operation, list(names))
}

// Pipeline is the part of a spec that all algorithms share.
type Pipeline struct {
	Chunks int `yaml:"chunks" doc:"Parts that the data is cut into, each a collective of its own" jsonschema:"minimum=1"`
	Active int `yaml:"active" doc:"Chunks that a rank works on at a time; 0 is all" jsonschema:"minimum=0"`
	// Scratch is the library's memory, for whose allocation a player may add time.
	Scratch float64 `yaml:"scratch" jsonschema:"minimum=0" doc:"Memory that the library takes for a collective and gives back after it, in multiples of the collective's bytes; 0: none. Kind ranks charges for it by scratch"`
	// Blocking is for libraries that call sends one after the other.
	Blocking bool `yaml:"blocking" doc:"A rank begins a send when its send before it has ended (nic.inject of ranks says when that is), besides what the data ask for"`
	// Steps is for algorithms with steps.
	Steps string `yaml:"steps" jsonschema:"enum=free,enum=ordered,enum=strict" doc:"Order of a rank's sends by the algorithm's steps: free begins a send when its data are there; ordered when every send of the rank's earlier steps has begun besides; strict when they have ended. See nic.interfaces"`
	Apart bool   `yaml:"apart" doc:"A rank spreads sums only when all of its own are made, as if an all_gather followed a reduce_scatter; else each part goes on as soon as it is summed up. Of all_reduce"`
}

// Spec is the spec of algorithms with only the keys of Pipeline.
type Spec struct {
	Pipeline `yaml:",inline"`
}

var one = Spec{Pipeline{Chunks: 1, Steps: StepsFree}}

// maxChunks is the most chunks of a spec.
const maxChunks = 1 << 24

// maxScratch bounds the memory of a library, in multiples of a collective's bytes.
const maxScratch = 1 << 10

func (p Pipeline) check(r Request) error {
	var bad []error
	if p.Chunks < 1 || p.Chunks > maxChunks {
		bad = append(bad, fmt.Errorf("chunks is %d (want 1 to %d)", p.Chunks, maxChunks))
	} else if units := (r.Bytes + r.Element - 1) / r.Element; int64(p.Chunks) > units {
		bad = append(bad, fmt.Errorf("chunks is %d (want 1 to %d, one element each)", p.Chunks, units))
	}
	if p.Apart && r.Operation != AllReduce {
		bad = append(bad, fmt.Errorf("apart has no effect on %s (used by: %s)", r.Operation, AllReduce))
	}
	if p.Apart && p.Active > 0 {
		bad = append(bad, fmt.Errorf("active is %d and apart is set (want active 0: no chunk ends before all are summed up)", p.Active))
	}
	bad = append(bad, p.checkSteps())
	if !(p.Scratch >= 0 && p.Scratch <= maxScratch) {
		bad = append(bad, fmt.Errorf("scratch is %v (want 0 to %d)", p.Scratch, maxScratch))
	}
	if p.Active < 0 || p.Active > maxChunks {
		bad = append(bad, fmt.Errorf("active is %d (want 0 to %d)", p.Active, maxChunks))
	}
	return errors.Join(bad...)
}

// A pipelined spec knows its Pipeline.
type pipelined interface{ pipeline() Pipeline }

func (p Pipeline) pipeline() Pipeline { return p }

// Scratch returns Pipeline.Scratch of an algorithm's spec: the library's memory in multiples of a
// collective's bytes.
func Scratch(spec any) float64 {
	if p, ok := spec.(pipelined); ok {
		return p.pipeline().Scratch
	}
	return 0
}

// A filler is a spec that fills up the data of a chunk. The function may be nil.
type filler interface {
	filled(r Request) (func(bytes int64) int64, error)
}

// An algorithm writes the messages of one chunk.
type algorithm[S any] func(c *chunk, s S) error

// add registers an algorithm. does maps each operation to what carries it out.
func add[S pipelined](name, doc, source string, def S, does map[Operation]algorithm[S]) {
	All.Add(registry.Entry[Factory]{Name: name, Doc: doc, Source: source, Spec: def, New: func(r Request, spec any) (*Schedule, error) {
		s, err := registry.SpecOf(spec, def)
		if err != nil {
			return nil, err
		}
		run, ok := does[r.Operation]
		if !ok {
			e := &OperationError{Operation: r.Operation}
			for _, o := range Operations() {
				if does[o] != nil {
					e.Want = append(e.Want, o)
				}
			}
			return nil, e
		}
		b := newBuilder(name, r)
		b.alone = r.alone
		if r.Operation == Barrier {
			p := s.pipeline()
			if !p.stepped() {
				p.Steps = "" // free, by its name or not
			}
			if p != (Pipeline{Chunks: 1}) {
				return nil, errors.New("chunks, active, scratch, blocking, steps and apart have no effect on a barrier (want chunks 1, active 0)")
			}
			err := run(&chunk{b: b, n: r.Ranks, root: r.Root}, s)
			return b.s, err
		}
		if err := s.pipeline().check(r); err != nil {
			return nil, err
		}
		if f, ok := any(s).(filler); ok {
			if b.fill, err = f.filled(r); err != nil {
				return nil, err
			}
		}
		err = b.chunks(s.pipeline(), func(c *chunk) error { return run(c, s) })
		return b.s, err
	}})
}

func list(names []string) string { return strings.Join(names, ", ") }
