package experiment

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/causeway-sim/causeway/configs"
)

// A LayerRange is a range of layers as a configuration writes it: 0..3 or 2.
type LayerRange struct {
	first, last int
	given       bool
}

// UnmarshalText implements encoding.TextUnmarshaler.
func (r *LayerRange) UnmarshalText(b []byte) error {
	from, to, two := strings.Cut(string(b), "..")
	if !two {
		to = from
	}
	first, e1 := strconv.Atoi(from)
	last, e2 := strconv.Atoi(to)
	if e1 != nil || e2 != nil || first < 0 || last < first {
		return fmt.Errorf("%q (want a range of layers as 0..3, or one number)", b)
	}
	*r = LayerRange{first, last, true}
	return nil
}

// MarshalText implements encoding.TextMarshaler.
func (r LayerRange) MarshalText() ([]byte, error) {
	if !r.given {
		return nil, nil
	}
	return fmt.Appendf(nil, "%d..%d", r.first, r.last), nil
}

func init() {
	configs.RegisterSchema[LayerRange](configs.Schema{"anyOf": []any{
		configs.Schema{"type": "string", "pattern": `^[0-9]+(\.\.[0-9]+)?$`}, configs.Schema{"type": "integer", "minimum": 0}}})
}

// keepLayers leaves the layers of the graph that the key layers names.
func (w *workload) keepLayers() error {
	r := w.spec.Layers
	if !r.given {
		return nil
	}
	g, err := w.graph.Layers(r.first, r.last)
	if err != nil {
		return w.at.Get("layers").Errorf(nil, "%v", err)
	}
	w.graph = g
	return nil
}
