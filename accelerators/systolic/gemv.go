package systolic

import (
	"fmt"
	"strconv"

	"github.com/causeway-sim/causeway/configs/schema"
	"github.com/causeway-sim/causeway/workloads/graph"
)

// A Gemv is how many rows of weights enter the array per cycle on the GEMV path
// (mapping/gemv.go): 0 (auto) is as many as the memory below can bring, 1 (none) the edge
// of the array alone.
type Gemv int

// UnmarshalText implements encoding.TextUnmarshaler.
func (g *Gemv) UnmarshalText(b []byte) error {
	switch string(b) {
	case "auto":
		*g = 0
		return nil
	case "none":
		*g = 1
		return nil
	}
	n, err := strconv.Atoi(string(b))
	if err != nil || n < 1 || n > 1<<16 {
		return fmt.Errorf("%q (want rows per cycle, 1 to %d, auto or none)", b, 1<<16)
	}
	*g = Gemv(n)
	return nil
}

// MarshalText implements encoding.TextMarshaler.
func (g Gemv) MarshalText() ([]byte, error) {
	switch g {
	case 0:
		return []byte("auto"), nil
	case 1:
		return []byte("none"), nil
	}
	return strconv.AppendInt(nil, int64(g), 10), nil
}

func init() {
	schema.Register[Gemv](schema.Schema{"anyOf": []any{
		schema.Schema{"type": "integer", "minimum": 1, "maximum": 1 << 16}, schema.Schema{"enum": []any{"auto", "none"}}}})
}

// gemv is the rows of weights that enter per cycle for a network of types d; 0 where
// there is no such path. auto is twice what the memory brings, so that tiles at the
// edge, which load less and take as long, keep up with it.
func (k *core) gemv(d graph.DTypes) int {
	rows := int(k.spec.Gemv)
	switch m := k.reach(); {
	case rows == 1:
		return 0
	case rows == 0 && m.Bandwidth == 0:
		rows = k.spec.Rows
	case rows == 0:
		row := 8 * m.Cycles * min(d.Weight.Bytes(int64(k.spec.Cols)), d.KV.Bytes(int64(k.spec.Cols)), d.Activation.Bytes(int64(k.spec.Cols)))
		rows = int((2*8*m.Bandwidth + row - 1) / row)
	}
	return min(rows, k.spec.Rows)
}
