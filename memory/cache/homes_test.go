package cache_test

import (
	"testing"

	"github.com/sarchlab/akita/v3/sim"
	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/components/clock"
	"github.com/causeway-sim/causeway/components/engine"
	"github.com/causeway-sim/causeway/memory"
	"github.com/causeway-sim/causeway/memory/cache"
	"github.com/causeway-sim/causeway/memory/inorder"
	"github.com/causeway-sim/causeway/memory/memtest"
)

// both are caches of either fidelity.
func both(t *testing.T, s cache.TimedSpec) []func(e *engine.Engine) node {
	return []func(e *engine.Engine) node{
		func(e *engine.Engine) node { return newTimed(t, e, s) },
		func(e *engine.Engine) node {
			c, err := cache.NewFunctional("LLC", e, s.Spec)
			require.NoError(t, err)
			return c
		},
	}
}

// Memories that take turns every few bytes get their parts of lines and bursts;
// the end of a line after the end of the memories belongs to no memory.
func TestHomesBelow(t *testing.T) {
	for _, c := range []struct {
		interleave, size uint64
		reads            [2]float64
		bytes            [2]float64
	}{
		{32, 1 << 20, [2]float64{6, 6}, [2]float64{192, 192}}, // half lines: 6 lines
		{128, 1 << 20, [2]float64{2, 1}, [2]float64{256, 128}},
		{128, 320 - 24, [2]float64{2, 1}, [2]float64{128 + 40, 128}},
	} {
		for _, build := range both(t, cache.DefaultTimedSpec()) {
			e := engine.New()
			llc := build(e)
			w := engine.NewWire("Lower", e)
			w.Attach(llc.GetPortByName("Bottom"), clock.GHz, engine.EndOptions{Buffer: 64})
			var ms []*inorder.Comp
			r := memory.Range{Size: c.size, Interleave: c.interleave, Paths: make([]memory.Path, 2)}
			for _, name := range []string{"Mem[0]", "Mem[1]"} {
				m := inorder.New(name, e, clock.GHz, 0, flat(9))
				w.Attach(m.GetPortByName("Top"), clock.GHz, engine.EndOptions{Buffer: 64})
				r.Ports = append(r.Ports, m.GetPortByName("Top"))
				ms = append(ms, m)
			}
			homes, err := memory.NewMap(r)
			require.NoError(t, err)
			require.NoError(t, llc.SetMap("bottom", homes))
			q := memtest.New("Core", e, clock.GHz, llc.GetPortByName("Top"), memtest.Request{Addr: 8, Bytes: min(370, c.size-8)})
			memtest.Wire(e, llc.GetPortByName("Top"), clock.GHz, q)
			q.Start()
			require.NoError(t, e.Run())
			require.Equal(t, 1, q.Done())
			require.Empty(t, llc.Stats().Verify())
			for i, m := range ms {
				require.Equal(t, c.bytes[i], metrics(m.Stats())["read_bytes"], "%+v, memory %d", c, i)
			}
			if _, ok := llc.(*cache.Functional); ok {
				for i, m := range ms {
					require.Equal(t, c.reads[i], metrics(m.Stats())["reads"], "%+v, memory %d", c, i)
				}
			}
		}
	}
}

// An address without a home ends the run with an error of the input.
func TestAddressWithoutAHome(t *testing.T) {
	for _, build := range both(t, cache.DefaultTimedSpec()) {
		e := engine.New()
		llc := build(e)
		m := newFlat(e, 9)
		w := engine.NewWire("Lower", e)
		w.Attach(llc.GetPortByName("Bottom"), clock.GHz, engine.EndOptions{})
		w.Attach(m.GetPortByName("Top"), clock.GHz, engine.EndOptions{})
		homes, err := memory.NewMap(memory.Range{Size: 4096, Ports: []sim.Port{m.GetPortByName("Top")}, Paths: make([]memory.Path, 1)})
		require.NoError(t, err)
		require.NoError(t, llc.SetMap("bottom", homes))
		q := memtest.New("Core", e, clock.GHz, llc.GetPortByName("Top"), memtest.Request{Addr: 8192, Bytes: 64})
		memtest.Wire(e, llc.GetPortByName("Top"), clock.GHz, q)
		q.Start()
		err = e.Run()
		require.ErrorContains(t, err, "LLC: address 0x2000, which")
		var bad interface{ BadInput() }
		require.ErrorAs(t, err, &bad)
	}
}
