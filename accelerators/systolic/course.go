package systolic

import (
	"github.com/causeway-sim/causeway/components/stats"
	"github.com/causeway-sim/causeway/memory"
)

// courses offers what the core does when: multiply-accumulates while the array works on
// their step, bytes at the rate at which the memories and links carry them.
func (k *core) courses(g *stats.Group) {
	g.Course("macs", stats.One, "Multiply-accumulates, spread over the steps that do them.", func() float64 {
		if k.spec.Sparsity.On() {
			return 0 // skipped ones take no time
		}
		return k.peak() / k.clock.Nanoseconds(1)
	}, &k.did)
	g.Course("moved_bytes", stats.Byte, "Bytes read and written, as they pass.", func() float64 {
		if k.routes == nil {
			return 0
		}
		return k.routes.BothWays()
	}, &k.moved)
}

// spread has the work and the bytes of a layer that was not walked done evenly over its time.
func (k *core) spread(l *layer, from, end uint64) {
	a, b := k.clock.Nanoseconds(from), k.clock.Nanoseconds(end)
	k.did.Add(float64(l.macs), a, b)
	k.moved.Add(float64(l.read.sum()+l.written.sum()), a, b)
}

// skipped spreads what the next so many cycles move, which are not walked since they repeat
// what came before, evenly over them.
func (k *core) skipped(l *lane, cycles uint64, sent memory.Traffic) {
	span := k.clock.Nanoseconds(cycles)
	from := l.pace.Skip(span)
	k.moved.Add(float64(sent.ReadBytes+sent.WriteBytes), from, from+span)
}
