package demand

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/causeway-sim/causeway/configs/schema"
)

// A Layers is a range of layers in the syntax of a configuration: 0..3 or 2.
type Layers struct {
	First, Last int
	Given       bool
}

// UnmarshalText implements encoding.TextUnmarshaler.
func (r *Layers) UnmarshalText(b []byte) error {
	from, to, two := strings.Cut(string(b), "..")
	if !two {
		to = from
	}
	first, e1 := strconv.Atoi(from)
	last, e2 := strconv.Atoi(to)
	if e1 != nil || e2 != nil || first < 0 || last < first {
		return fmt.Errorf("%q (want a range of layers as 0..3, or one number)", b)
	}
	*r = Layers{first, last, true}
	return nil
}

// MarshalText implements encoding.TextMarshaler.
func (r Layers) MarshalText() ([]byte, error) {
	if !r.Given {
		return nil, nil
	}
	return fmt.Appendf(nil, "%d..%d", r.First, r.Last), nil
}

func init() {
	schema.Register[Layers](schema.Schema{"anyOf": []any{
		schema.Schema{"type": "string", "pattern": `^[0-9]+(\.\.[0-9]+)?$`}, schema.Schema{"type": "integer", "minimum": 0}}})
}

// keepLayers leaves the layers of the graph that the key layers names.
func (w *Workload) keepLayers() error {
	r := w.Spec.Layers
	if !r.Given {
		return nil
	}
	g, err := w.Graph.Layers(r.First, r.Last)
	if err != nil {
		return w.At.Get("layers").Errorf(nil, "%v", err)
	}
	w.Graph = g
	return nil
}
