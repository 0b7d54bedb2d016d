package synthetic

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"

	"github.com/causeway-sim/causeway/components/registry"
	"github.com/causeway-sim/causeway/components/units"
	"github.com/causeway-sim/causeway/workloads/graph"
	"github.com/causeway-sim/causeway/workloads/trace"
)

// A Chase follows a ring of pointers, one per line, repeatedly, as lat_mem_rd of lmbench does.
// Each core has its own ring.
type Chase struct {
	Size  units.Bytes `yaml:"size" doc:"Bytes of each core's ring"`
	Line  units.Bytes `yaml:"line" doc:"Distance of the pointers"`
	Order string      `yaml:"order" jsonschema:"enum=page,enum=random,enum=stride" doc:"page: another page each time, pages and lines in random order (lat_mem_rd -t); random: any line next; stride: by address"`
	Page  units.Bytes `yaml:"page" doc:"Bytes of a page of order page"`
	Count uint64      `yaml:"count" doc:"Accesses of each core; 0 is without end, for nodes with limit or until"`
	Cores int         `yaml:"cores" jsonschema:"minimum=1" doc:"Number of cores"`
	Seed  uint64      `yaml:"seed" doc:"Of the order"`

	pages, words []uint32 // in the order of a round
}

// ChaseOrders are the values of Chase.Order.
var ChaseOrders = []string{"page", "random", "stride"}

// DefaultChase follows 1 MiB of pointers, one in each line of 64 B.
func DefaultChase() Chase {
	return Chase{Size: 1 << 20, Line: 64, Order: "page", Page: 4 << 10, Cores: 1}
}

func init() {
	Layers.Add(registry.Entry[func(any) Layer]{
		Name:   "chase",
		Doc:    "A ring of pointers, followed again and again: the load latency of a working set.",
		Source: "McVoy and Staelin, lmbench, USENIX 1996 (lat_mem_rd; order page is its option -t)",
		Spec:   DefaultChase(),
		New:    func(spec any) Layer { c := spec.(Chase); return &c },
	})
}

// maxPointers bounds the table of a random order: 4 GiB of lines of 64 B.
const maxPointers = 1 << 26

// Check implements Layer.
func (c *Chase) Check() error {
	var errs []error
	bad := func(format string, args ...any) { errs = append(errs, fmt.Errorf(format, args...)) }
	if c.Line < 1 || c.Line > 1<<20 {
		bad("line is %s (want 1B to 1MiB)", c.Line)
	} else if c.Size < c.Line || c.Size%c.Line != 0 || c.Size > 1<<40 {
		bad("size is %s in lines of %s (want a multiple, at most 1TiB)", c.Size, c.Line)
	}
	if !slices.Contains(ChaseOrders, c.Order) {
		bad("order is %q (want one of: page, random, stride)", c.Order)
	}
	if c.Order == "page" && (c.Page < c.Line || c.Page%max(c.Line, 1) != 0) {
		bad("page is %s in lines of %s (want a multiple)", c.Page, c.Line)
	}
	if len(errs) == 0 && c.table() > maxPointers {
		bad("size is %s: order %s draws %d places (want at most %d)", c.Size, c.Order, c.table(), maxPointers)
	}
	if c.Cores < 1 || c.Cores > 1<<16 {
		bad("cores is %d (want 1 to 65536)", c.Cores)
	}
	return errors.Join(errs...)
}

func (c *Chase) idle() (keys []string, why string) {
	switch c.Order {
	case "page":
		return nil, ""
	case "stride":
		keys = append(keys, "seed")
	}
	return append(keys, "page"), "on order " + c.Order
}

// table is how many places are drawn.
func (c *Chase) table() uint64 {
	switch c.Order {
	case "page":
		return max(uint64(c.Size/c.Page), uint64(c.Page/c.Line))
	case "random":
		return c.Period()
	}
	return 0
}

// On implements Layer.
func (c *Chase) On() int { return c.Cores }

// Tensors implements Layer.
func (c *Chase) Tensors() []trace.Tensor {
	return []trace.Tensor{{Name: "ring", Kind: graph.Activation, Bytes: uint64(c.Size) * uint64(c.Cores)}}
}

// Endless implements Endless.
func (c *Chase) Endless() bool { return c.Count == 0 }

// Period implements Periodic: the lines of the ring.
func (c *Chase) Period() uint64 { return uint64(c.Size / c.Line) }

// At implements Layer.
func (c *Chase) At(core int, i uint64) (Block, bool) {
	if c.Count > 0 && i >= c.Count {
		return Block{}, false
	}
	return Block{Offset: uint64(core)*uint64(c.Size) + c.place(i%c.Period()), Bytes: min(uint64(c.Line), 8)}, true
}

// place is where the i-th pointer of a round lies.
//
// In order page round r of a page's lines takes line r + p of the p-th page, in the orders
// drawn for pages and for lines; what lies after the last whole page comes at the end. A
// ring of less than a page is in random order.
func (c *Chase) place(i uint64) uint64 {
	c.draw()
	line := uint64(c.Line)
	switch c.Order {
	case "stride":
		return i * line
	case "random":
		return uint64(c.words[i]) * line
	}
	n, p := uint64(c.Page)/line, uint64(c.Size/c.Page)
	if p == 0 {
		return uint64(c.words[i]) * line
	}
	if i >= n*p {
		return i * line
	}
	round, page := i/p, i%p
	return uint64(c.pages[page])*uint64(c.Page) + uint64(c.words[(round+page)%n])*line
}

// draw makes the orders. They depend on the seed alone.
func (c *Chase) draw() {
	if c.words != nil || c.Order == "stride" {
		return
	}
	r := rand.New(rand.NewPCG(mix(c.Seed), mix(c.Seed+1)))
	if c.Order == "random" || c.Size < c.Page {
		c.words = shuffled(r, c.Period())
		return
	}
	c.pages, c.words = shuffled(r, uint64(c.Size/c.Page)), shuffled(r, uint64(c.Page/c.Line))
}

func shuffled(r *rand.Rand, n uint64) []uint32 {
	s := make([]uint32, n)
	for i := range s {
		s[i] = uint32(i)
	}
	r.Shuffle(len(s), func(i, j int) { s[i], s[j] = s[j], s[i] })
	return s
}
