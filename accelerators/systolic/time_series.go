package systolic

import (
	"github.com/causeway-sim/causeway/accelerators/mapping/dma"
	"github.com/causeway-sim/causeway/components/stats"
	"github.com/causeway-sim/causeway/memory"
)

// timeSeries offers what the core does when: multiply-accumulates while the array works on
// their step, bytes at the rate at which the memories and links carry them.
func (k *core) timeSeries(g *stats.Group) {
	g.TimeSeries("macs", stats.One, "Multiply-accumulates, spread over the steps that do them.", func() float64 {
		if k.spec.Sparsity.On() {
			return 0 // skipped ones take no time
		}
		return k.peak() / k.clock.Nanoseconds(1)
	}, &k.did)
	g.TimeSeries("moved_bytes", stats.Byte, "Bytes read and written, as they pass.", func() float64 {
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

// Activity implements system.Active.
func (t *Tile) Activity() int64 { return t.active }

// Planned implements system.Active: it walks the jobs of the core. Of a job of many steps it
// walks the first, and takes the others as them.
func (t *Tile) Planned() (n int64) {
	for i := range t.jobs {
		n += t.jobs[i].activity(int64(t.spec.DMA.Burst))
	}
	return n
}

// walkedSteps is how many steps of a job are walked to count its activity.
const walkedSteps = 1 << 12

// activity is about how many bursts and steps a job has. The alignment of bursts is not looked at.
func (j *job) activity(burst int64) int64 {
	own := layer{job: j}
	w := own.steps()
	var s dma.Step
	steps, bursts := int64(0), int64(0)
	for steps < walkedSteps && w.Next(&s) {
		steps++
		for _, list := range [][]dma.Transfer{s.Loads, s.Stores} {
			for k := range list {
				c := list[k].Contiguous()
				bursts += c.Rows * c.Planes * ((c.RowBytes + burst - 1) / burst)
			}
		}
	}
	if n := j.Plan.Steps; steps == walkedSteps && n > steps {
		return n + int64(float64(bursts)*float64(n)/float64(steps))
	}
	return steps + bursts
}
