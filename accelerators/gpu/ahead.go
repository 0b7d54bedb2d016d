package gpu

import (
	"fmt"
	"strconv"

	"github.com/causeway-sim/causeway/accelerators/gpu/kernel"
	"github.com/causeway-sim/causeway/accelerators/gpu/library"
	"github.com/causeway-sim/causeway/configs/schema"
	"github.com/causeway-sim/causeway/workloads/graph"
)

// FetchAhead is the steps of a main loop whose operands are fetched ahead; ruled (auto): kernels go by
// their rules.
type FetchAhead int

const ruled FetchAhead = -1

// mostAhead bounds the steps that can be asked for.
const mostAhead = 4096

// UnmarshalText implements encoding.TextUnmarshaler.
func (f *FetchAhead) UnmarshalText(b []byte) error {
	if string(b) == auto {
		*f = ruled
		return nil
	}
	n, err := strconv.Atoi(string(b))
	if err != nil || n < 0 || n > mostAhead {
		return fmt.Errorf("%q (want 0 to %d, or auto)", b, mostAhead)
	}
	*f = FetchAhead(n)
	return nil
}

// MarshalText implements encoding.TextMarshaler.
func (f FetchAhead) MarshalText() ([]byte, error) {
	if f == ruled {
		return []byte(auto), nil
	}
	return strconv.AppendInt(nil, int64(f), 10), nil
}

func init() {
	schema.Register[FetchAhead](schema.Schema{"anyOf": []any{
		schema.Schema{"type": "integer", "minimum": 0, "maximum": mostAhead}, schema.Schema{"const": auto}}})
}

// machine is the GPU for operators of a kind over elements of a type, before a memory as slow as is asked.
func (c *record) machine(kind graph.Kind, d graph.DType) kernel.Machine {
	m := c.spec.machine(kind, d)
	m.Memory = c.slowed(m.Memory)
	return m
}

// chipOf is the chip that kernels of a library run on, before such a memory.
func (c *record) chipOf(m *kernel.Machine) library.Chip {
	x := c.spec.chip(m)
	x.Memory = c.slowed(x.Memory)
	if m.L2 == 0 {
		x.L2Bandwidth = x.Memory
	}
	return x
}

// slowed is the bandwidth of a memory as slow as is asked.
func (c *record) slowed(bytes float64) float64 {
	if c.slowness == 0 {
		return unbounded
	}
	return bytes / c.slowness
}
