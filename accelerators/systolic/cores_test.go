package systolic

import (
	"fmt"
	"testing"

	"github.com/sarchlab/akita/v3/sim"
	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/accelerators/mapping"
	"github.com/causeway-sim/causeway/accelerators/mapping/dma"
	"github.com/causeway-sim/causeway/accelerators/work"
	"github.com/causeway-sim/causeway/components/clock"
	"github.com/causeway-sim/causeway/components/engine"
	"github.com/causeway-sim/causeway/components/units"
	"github.com/causeway-sim/causeway/memory"
	"github.com/causeway-sim/causeway/memory/ideal"
	"github.com/causeway-sim/causeway/workloads/player/issue"
)

// A cluster is some cores on one memory, with a node that tells them what is done.
type cluster struct {
	engine sim.Engine
	cores  []worker
	issuer *issue.Ahead
}

func newCluster(t require.TestingT, e sim.Engine, fidelity string, specs ...Spec) *cluster {
	return newClusterOn(t, e, 100e9*8, fidelity, specs...)
}

// newClusterOn is newCluster with a memory of a bandwidth, 0 for no limit.
func newClusterOn(t require.TestingT, e sim.Engine, limit units.Bandwidth, fidelity string, specs ...Spec) *cluster {
	c := &cluster{engine: e, issuer: issue.NewAhead("Issuer", e, clock.GHz)}
	s := ideal.DefaultSpec()
	s.Latency, s.Bandwidth = units.InCycles(50), limit
	m := ideal.New("Mem", e, s)
	p := m.PortSpecs()[0].Ports[0]
	mw, sw := engine.NewWire("MemWire", e), engine.NewWire("IssuerWire", e)
	mw.Attach(p, clock.GHz, engine.EndOptions{Buffer: 1024})
	sw.Attach(c.issuer.Port(), clock.GHz, engine.EndOptions{Buffer: 64})
	lat, bw := m.Nominal()
	mp, err := memory.NewMap(memory.Range{Size: 1 << 44, Ports: []sim.Port{p},
		Paths: []memory.Path{{Clock: clock.GHz, Request: 1, Response: 1, Latency: lat, Bandwidth: bw}}})
	require.NoError(t, err)
	for i, s := range specs {
		name := sim.BuildNameWithIndex("", "Core", i)
		var w worker = New(name, e, s)
		if fidelity == "analytic" {
			w = NewAnalytic(name, e, s)
		}
		mw.Attach(w.inside().mem, s.Clock.Clock, engine.EndOptions{Buffer: 64})
		sw.Attach(w.Ops(), s.Clock.Clock, engine.EndOptions{Buffer: 64})
		require.NoError(t, w.SetMap("mem", mp))
		c.cores = append(c.cores, w)
	}
	return c
}

// chain gives every core its share of n layers, each of which needs the whole
// layer before.
func (c *cluster) chain(n int) {
	layers := make([]mapping.Join, n)
	for l := range layers {
		for i := range c.cores {
			layers[l].Members = append(layers[l].Members, mapping.Token{Op: int32(l), Core: int32(i)})
		}
	}
	for i, w := range c.cores {
		k := w.inside()
		var jobs [][]dma.Step
		for l := range n {
			at := int64(l*len(c.cores)+i) << 20
			jobs = append(jobs, []dma.Step{
				{Loads: []dma.Transfer{load(dma.Filter, at, 30000), load(dma.Ifmap, at+40000, 10000)}, Cycles: int64(1000 * (len(c.cores) - i))},
				{Loads: []dma.Transfer{load(dma.Filter, at+50000, 3000)}, Cycles: 70, Stores: []dma.Transfer{load(dma.Ofmap, at+60000, 8000)}},
			})
		}
		p := mapping.Program{Core: i, Jobs: make([]mapping.Job, n)}
		for l := range p.Jobs {
			j := &p.Jobs[l]
			j.Awaited = true
			if l > 0 {
				j.After = []*mapping.Join{&layers[l-1]}
			}
		}
		giveShare(k, 0, work.Share{Program: p, Issuer: c.issuer.Port()}, jobs...)
		if err := c.issuer.Issued(w, 0, &k.known[0].Program); err != nil {
			panic(err)
		}
	}
}

// run returns everything the cores have to say, as text.
func (c *cluster) run(t require.TestingT) (out string) {
	for _, w := range c.cores {
		require.NoError(t, w.Start())
	}
	require.NoError(t, c.engine.Run())
	for _, w := range c.cores {
		require.Empty(t, w.Waiting())
		require.Empty(t, w.Stats().Verify())
		out += fmt.Sprintf("%s %+v\n%v\n", w.Name(), rows(w.inside()), w.Stats().Metrics())
	}
	require.Empty(t, c.issuer.Stats().Verify())
	return out + fmt.Sprint(c.issuer.Stats().Metrics())
}

func specs(n int) (out []Spec) {
	for i := range n {
		s := defaultBench().spec
		s.Clock = units.Frequency{Clock: clocks[i%2]}
		out = append(out, s)
	}
	return out
}

// The same cores under every engine and tie order say the same.
func TestEnginesAgree(t *testing.T) {
	for _, fidelity := range []string{"tile", "analytic"} {
		run := func(e sim.Engine) string {
			c := newCluster(t, e, fidelity, specs(3)...)
			c.chain(5)
			return c.run(t)
		}
		want := run(engine.New())
		require.Equal(t, want, run(sim.NewSerialEngine()), fidelity)
		require.Equal(t, want, run(sim.NewParallelEngine()), fidelity)
		for seed := range uint64(20) {
			require.Equal(t, want, run(engine.New(engine.Shuffle(seed))), "%s, seed %d", fidelity, seed)
		}
	}
}

// A core waits for the slowest of the others: one cycle to the issuer, one
// back.
func TestCoresWaitForEachOther(t *testing.T) {
	for _, fidelity := range []string{"tile", "analytic"} {
		c := newCluster(t, engine.New(), fidelity, specs(1)[0], specs(1)[0], specs(1)[0])
		c.chain(3)
		c.run(t)
		for i, w := range c.cores {
			r := rows(w.inside())
			for l := 1; l < 3; l++ {
				begin := r[l-1].end
				for other, o := range c.cores {
					if other != i {
						begin = max(begin, rows(o.inside())[l-1].end+2)
					}
				}
				require.Equal(t, begin, r[l].start+r[l].book[dependency], "%s %d %d", fidelity, i, l)
			}
			require.Equal(t, i > 0, r[1].book[dependency] > 2)
		}
	}
}

// A core whose partner never comes says so.
func TestWhoIsNeverDoneIsNamed(t *testing.T) {
	e := engine.New()
	c := newCluster(t, e, "tile", specs(2)...)
	c.chain(2)
	c.cores[1].inside().jobs = nil
	e.Watch(c.cores[0])
	require.NoError(t, c.cores[0].Start())
	err := e.Run()
	require.ErrorContains(t, err, "Core[0] waits for Issuer.Executors: layer layer needs layer layer of core 1")
}

// Of many cores the report names those that are not done.
func TestWhoOfManyIsNeverDoneIsNamed(t *testing.T) {
	e := engine.New()
	c := newCluster(t, e, "tile", specs(5)...)
	c.chain(3)
	c.cores[3].inside().jobs = nil
	for _, w := range c.cores {
		e.Watch(w)
	}
	e.Watch(c.issuer)
	for i, w := range c.cores {
		if i != 3 {
			require.NoError(t, w.Start())
		}
	}
	err := e.Run()
	require.ErrorContains(t, err, "Core[0] waits for Issuer.Executors: layer layer needs layer layer of 4 other cores")
	require.ErrorContains(t, err, "Issuer waits for Core[3]: operator 0 of core 3 is not done")
	require.NotContains(t, err.Error(), "Issuer waits for Core[0]")
}

// Each core sends and gets one message for a layer that it takes part in, however many others do.
func TestMessagesGrowWithCores(t *testing.T) {
	const layers = 4
	for _, n := range []int{2, 16, 17, 64, 256} {
		c := newCluster(t, engine.New(), "analytic", specs(n)...)
		c.chain(layers)
		c.run(t)
		count := map[string]float64{}
		for _, m := range c.issuer.Stats().Metrics() {
			count[m.Name] = m.Value
		}
		require.Equal(t, float64(layers*n), count["done_heard"], n)
		require.Equal(t, float64((layers-1)*n), count["done_passed"], n)
	}
}
