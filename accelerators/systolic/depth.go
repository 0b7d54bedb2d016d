package systolic

import (
	"fmt"
	"strconv"

	"github.com/causeway-sim/causeway/configs/schema"
)

// A Depth is how many requests of a DMA engine may be without an answer; 0 (auto) is
// as many as keep the memory below the port busy.
type Depth int

// maxDepth is the most that a configuration may ask for, and mostAuto the most that
// auto makes of it.
const (
	maxDepth = 1 << 16
	mostAuto = 512
)

// UnmarshalText implements encoding.TextUnmarshaler.
func (d *Depth) UnmarshalText(b []byte) error {
	if string(b) == "auto" {
		*d = 0
		return nil
	}
	n, err := strconv.Atoi(string(b))
	if err != nil || n < 1 || n > maxDepth {
		return fmt.Errorf("%q (want 1 to %d, or auto)", b, maxDepth)
	}
	*d = Depth(n)
	return nil
}

// MarshalText implements encoding.TextMarshaler.
func (d Depth) MarshalText() ([]byte, error) {
	if d == 0 {
		return []byte("auto"), nil
	}
	return strconv.AppendInt(nil, int64(d), 10), nil
}

func init() {
	schema.Register[Depth](schema.Schema{"anyOf": []any{
		schema.Schema{"type": "integer", "minimum": 1, "maximum": maxDepth}, schema.Schema{"const": "auto"}}})
}

// most is the largest depth that may come of d.
func (d Depth) most() int {
	if d == 0 {
		return mostAuto
	}
	return int(d)
}

// leastAuto, and the bytes that auto takes a request to carry: rows of tiles are
// shorter than whole bursts.
//
// assumption: rows of 256 B, as tiles of transformers and convolutions have.
const (
	leastAuto = 16
	autoBytes = 256
)

// depth is how many requests may be under way: what a configuration says, or enough
// to cover the unloaded latency of the memory below at its nominal bandwidth, in
// requests of autoBytes or of a burst where that is less. One is issued per cycle, so
// that more than the latency in cycles never are under way in an idle memory.
func (k *core) depth() int {
	d := k.spec.DMA
	if d.Outstanding > 0 {
		return int(d.Outstanding)
	}
	m := k.reach()
	n := m.Latency
	if m.Bandwidth > 0 {
		n = min(n, (m.Bandwidth*m.Latency/m.Cycles+int64(min(d.Burst, autoBytes)))/int64(min(d.Burst, autoBytes))+1)
	}
	return int(min(max(n, leastAuto), mostAuto))
}
