package seat

import "github.com/causeway-sim/causeway/components/stats"

// KindBytes counts the bytes of transfers by the Func of their graph.Transfer. The zero value is
// ready.
type KindBytes struct{ AllReduce, AllGather, ReduceScatter, AllToAll, Send uint64 }

func (k *KindBytes) of(f string) *uint64 {
	switch f {
	case "all_reduce":
		return &k.AllReduce
	case "all_gather":
		return &k.AllGather
	case "reduce_scatter":
		return &k.ReduceScatter
	case "all_to_all":
		return &k.AllToAll
	case "send":
		return &k.Send
	}
	return nil
}

// Add counts n bytes of a transfer. Other values of Func are not counted.
func (k *KindBytes) Add(f string, n uint64) {
	if count := k.of(f); count != nil {
		*count += n
	}
}

// Declare adds a metric such as all_reduce_bytes for each of these values of Func. A run that has no
// such transfer has no such metric.
func (k *KindBytes) Declare(g *stats.Group, funcs ...string) {
	for _, f := range funcs {
		n := k.of(f)
		g.Value(f+"_bytes", stats.Byte, "Of transfer_bytes, those of this collective.", func() (float64, bool) { return float64(*n), *n > 0 })
	}
}
