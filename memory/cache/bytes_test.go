package cache_test

import (
	"fmt"
	"testing"

	"github.com/sarchlab/akita/v3/mem/mem"
	"github.com/sarchlab/akita/v3/sim"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/causeway-sim/causeway/components/clock"
	"github.com/causeway-sim/causeway/components/engine"
	"github.com/causeway-sim/causeway/components/units"
	"github.com/causeway-sim/causeway/memory"
	"github.com/causeway-sim/causeway/memory/cache"
	"github.com/causeway-sim/causeway/memory/dram"
	"github.com/causeway-sim/causeway/memory/ideal"
	"github.com/causeway-sim/causeway/memory/memtest"
)

// A hasty requester sends a list of reads and writes, several at a time and without
// regard to overlaps, and compares what it reads with a plain array.
type hasty struct {
	*sim.ComponentBase
	t       require.TestingT
	ticker  *engine.Ticker
	port    *engine.Port
	dst     sim.Port
	list    []op
	window  int
	next    int
	flying  int
	twin    []byte
	want    map[string][]byte
	answers int
}

type op struct {
	addr, bytes uint64
	write       bool
	control     memory.ControlOp // 0: a read or a write
	mask        []bool
	data        []byte
	gap         uint64 // cycles after the one before
}

func (h *hasty) NotifyRecv(now sim.VTimeInSec, _ sim.Port)     { h.ticker.WakeAfter(now) }
func (h *hasty) NotifyPortFree(now sim.VTimeInSec, _ sim.Port) { h.ticker.WakeAfter(now) }

func (h *hasty) Handle(e sim.Event) error {
	now := e.Time()
	for m := h.port.Retrieve(now); m != nil; m = h.port.Retrieve(now) {
		h.flying--
		h.answers++
		if d, ok := m.(*mem.DataReadyRsp); ok {
			require.Equal(h.t, h.want[d.RespondTo], d.Data, "read %s", d.RespondTo)
		}
	}
	if h.next == len(h.list) || h.flying == h.window || !h.port.CanSend() {
		return nil
	}
	o := h.list[h.next]
	id := fmt.Sprintf("q%d", h.next)
	var msg sim.Msg
	if o.control != 0 {
		c := &memory.ControlReq{Op: o.control, Addr: o.addr, Bytes: o.bytes}
		c.ID, c.Src, c.Dst, c.SendTime = id, h.port, h.dst, now
		msg = c
	} else if o.write {
		w := &mem.WriteReq{Address: o.addr, Data: o.data, DirtyMask: o.mask}
		w.ID, w.Src, w.Dst, w.SendTime = id, h.port, h.dst, now
		for i, b := range o.data {
			if o.mask == nil || o.mask[i] {
				h.twin[o.addr+uint64(i)] = b
			}
		}
		msg = w
	} else {
		r := &mem.ReadReq{Address: o.addr, AccessByteSize: o.bytes}
		r.ID, r.Src, r.Dst, r.SendTime = id, h.port, h.dst, now
		h.want[id] = append([]byte{}, h.twin[o.addr:o.addr+o.bytes]...)
		msg = r
	}
	require.Nil(h.t, h.port.Send(msg))
	h.flying++
	h.next++
	h.ticker.WakeAt(h.ticker.Cycle(now) + 1 + o.gap)
	return nil
}

const twinSize = 2048

func drawOps(t *rapid.T) []op {
	return rapid.SliceOfN(rapid.Custom(func(t *rapid.T) op {
		o := op{addr: rapid.Uint64Range(0, twinSize-1).Draw(t, "addr"), write: rapid.Bool().Draw(t, "write"), gap: rapid.Uint64Range(0, 20).Draw(t, "gap")}
		if rapid.IntRange(0, 11).Draw(t, "control") == 0 {
			o.control = rapid.SampledFrom([]memory.ControlOp{memory.Clean, memory.Flush}).Draw(t, "operation")
		}
		o.bytes = min(rapid.SampledFrom([]uint64{1, 3, 4, 16, 32, 64, 100, 200}).Draw(t, "bytes"), twinSize-o.addr)
		if o.write && o.control == 0 {
			o.data = rapid.SliceOfN(rapid.Byte(), int(o.bytes), int(o.bytes)).Draw(t, "data")
			if rapid.IntRange(0, 2).Draw(t, "masked") == 0 {
				o.mask = rapid.SliceOfN(rapid.Bool(), int(o.bytes), int(o.bytes)).Draw(t, "mask")
			}
		}
		return o
	}), 1, 150).Draw(t, "ops")
}

// Whatever is read through a small cache and memory is what a plain array holds, for
// overlapping requests under way at once, lines cleaned and flushed between them, masks, sectors, every write policy and both
// fidelities; and after a flush the memory holds the array.
func TestBytesAreThoseOfAnArray(t *testing.T) {
	often(t, 5, func(t *rapid.T) {
		e := engine.New()
		spec := cache.DefaultTimedSpec()
		spec.Functional, spec.Size, spec.Ways = true, 512, rapid.SampledFrom([]int{1, 2, 4}).Draw(t, "ways")
		spec.Line, spec.Sectors = 64, rapid.SampledFrom([]int{1, 4}).Draw(t, "sectors")
		spec.Write = rapid.SampledFrom([]string{"back", "through", "around"}).Draw(t, "write policy")
		spec.Policy.Name = rapid.SampledFrom([]string{"lru", "srrip"}).Draw(t, "policy")
		spec.Prefetch.Name = rapid.SampledFrom([]string{"none", "next_line"}).Draw(t, "prefetch")
		spec.Burst = 128
		spec.Allocate = rapid.SampledFrom([]string{"miss", "fill"}).Draw(t, "allocate")
		spec.Posted, spec.Banks = rapid.Bool().Draw(t, "posted"), rapid.SampledFrom([]int{1, 2}).Draw(t, "banks")
		spec.MSHRs, spec.WriteBuffer = rapid.IntRange(1, 4).Draw(t, "mshrs"), rapid.IntRange(1, 4).Draw(t, "buffer")
		spec.Flush.Op = "flush"
		type node interface {
			sim.Component
			SetMap(string, *memory.Map) error
			Finish(sim.VTimeInSec) bool
		}
		var llc node
		var err error
		if rapid.Bool().Draw(t, "timed") {
			llc, err = cache.NewTimed("LLC", e, spec)
		} else {
			llc, err = cache.NewFunctional("LLC", e, spec.Spec)
		}
		require.NoError(t, err)
		var below sim.Component
		var bytes *mem.Storage
		if rapid.Bool().Draw(t, "dram") {
			s := dram.DefaultSpec()
			s.Functional = true
			d, err := dram.NewComp("Memory", e, s)
			require.NoError(t, err)
			below, bytes = d, d.Storage()
		} else {
			m := ideal.MakeBuilder().WithEngine(e).WithLatency(rapid.Uint64Range(0, 60).Draw(t, "latency")).WithData().Build("Memory")
			below, bytes = m, m.Keep()
		}
		h := &hasty{ComponentBase: sim.NewComponentBase("Requester"), t: t, twin: make([]byte, twinSize), want: map[string][]byte{},
			list: drawOps(t), window: rapid.IntRange(1, 12).Draw(t, "window"), dst: llc.GetPortByName("Top")}
		for i := range h.twin {
			h.twin[i] = byte(i * 7)
		}
		require.NoError(t, bytes.Write(0, h.twin))
		h.ticker = engine.NewTicker(e, clock.GHz, h)
		h.port = engine.NewPort(h, "Requester.Mem", 64)
		homes, err := memory.NewMap(memory.Range{Size: 1 << 20, Ports: []sim.Port{below.GetPortByName("Top")}, Paths: make([]memory.Path, 1)})
		require.NoError(t, err)
		require.NoError(t, llc.SetMap("bottom", homes))
		for i, ends := range [][]sim.Port{{h.port, h.dst}, {llc.GetPortByName("Bottom"), below.GetPortByName("Top")}} {
			w := engine.NewWire(fmt.Sprintf("Wire[%d]", i), e)
			for _, p := range ends {
				w.Attach(p, clock.GHz, engine.EndOptions{Latency: 1, Buffer: 64})
			}
		}
		h.ticker.WakeAt(0)
		require.NoError(t, e.Run())
		require.Equal(t, len(h.list), h.answers, "every request is answered")
		for llc.Finish(e.CurrentTime()) {
			require.NoError(t, e.Run())
		}
		got, err := bytes.Read(0, twinSize)
		require.NoError(t, err)
		require.Equal(t, h.twin, got, "after the flush the memory holds all")
	})
}

// A cache that carries bytes over a memory that does not says so.
func TestBytesWantAMemoryWithBytes(t *testing.T) {
	e := engine.New()
	spec := cache.DefaultTimedSpec()
	spec.Functional, spec.Latency = true, units.InCycles(20)
	llc, err := cache.NewTimed("LLC", e, spec)
	require.NoError(t, err)
	below := ideal.MakeBuilder().WithEngine(e).Build("Memory")
	h := &hasty{ComponentBase: sim.NewComponentBase("Requester"), t: t, twin: make([]byte, 64), want: map[string][]byte{}, list: []op{{bytes: 8}}, window: 1, dst: llc.GetPortByName("Top")}
	h.ticker, h.port = engine.NewTicker(e, clock.GHz, h), engine.NewPort(h, "Requester.Mem", 64)
	homes, err := memory.NewMap(memory.Range{Size: 1 << 20, Ports: []sim.Port{below.GetPortByName("Top")}, Paths: make([]memory.Path, 1)})
	require.NoError(t, err)
	require.NoError(t, llc.SetMap("bottom", homes))
	for i, ends := range [][]sim.Port{{h.port, h.dst}, {llc.GetPortByName("Bottom"), below.GetPortByName("Top")}} {
		w := engine.NewWire(fmt.Sprintf("Wire[%d]", i), e)
		for _, p := range ends {
			w.Attach(p, clock.GHz, engine.EndOptions{Latency: 1, Buffer: 64})
		}
	}
	h.ticker.WakeAt(0)
	require.ErrorContains(t, e.Run(), "LLC: functional: the memory below answered a read of 64 bytes at 0x0 with 0 (functional: true is wanted there too)")
}

// A write waits at the port while it overlaps a read that has not copied its bytes, from its first
// byte to its last, and no longer: what lies beside the read is written at once.
func TestWritesWaitForReadsTheyOverlap(t *testing.T) {
	s := cache.DefaultTimedSpec()
	s.Functional = true
	for _, c := range []struct {
		read  uint64 // bytes at 64 that are being read
		addr  uint64 // of a write of 8 bytes meanwhile
		waits bool
	}{{16, 55, false}, {16, 56, false}, {16, 57, true}, {16, 64, true}, {16, 79, true}, {16, 80, false}, {1, 56, false}, {1, 57, true}, {1, 64, true}, {1, 65, false}} {
		e := engine.New()
		c1, err := cache.NewTimed("LLC", e, s)
		require.NoError(t, err)
		m := ideal.MakeBuilder().WithEngine(e).WithLatency(500).WithData().Build("Memory")
		r := memtest.New("Core", e, clock.GHz, c1.GetPortByName("Top"),
			memtest.Request{Addr: 0, Bytes: 64, Write: true}, // a line that is here
			memtest.Request{Cycle: 1000, Addr: 64, Bytes: c.read}, memtest.Request{Cycle: 1010, Addr: c.addr, Bytes: 8, Write: true})
		homes, err := memory.NewMap(memory.Range{Size: 1 << 20, Ports: []sim.Port{m.GetPortByName("Top")}, Paths: make([]memory.Path, 1)})
		require.NoError(t, err)
		require.NoError(t, c1.SetMap("bottom", homes))
		memtest.Wire(e, r.Dst, clock.GHz, r)
		w := engine.NewWire("Lower", e)
		for _, p := range []sim.Port{c1.GetPortByName("Bottom"), m.GetPortByName("Top")} {
			w.Attach(p, clock.GHz, engine.EndOptions{Latency: 1, Buffer: 64})
		}
		r.Start()
		require.NoError(t, e.Run())
		require.Equal(t, c.waits, r.Answer[2] > r.Answer[1], "a write at %d is answered in cycle %d, the read in %d", c.addr, r.Answer[2], r.Answer[1])
	}
}

// With allocate: fill, a part of a sector is written while its line is under way for another sector. A read of the sector
// that comes after the line has the bytes that were written, and else those of the memory.
func TestBytesOfAPartlyWrittenSector(t *testing.T) {
	for _, list := range [][]op{
		{{addr: 0, bytes: 16, gap: 60}, {addr: 20, bytes: 4, write: true, data: []byte{1, 2, 3, 4}, gap: 400}, {addr: 16, bytes: 16}},
		{{addr: 48, bytes: 32, gap: 60}, {addr: 36, bytes: 4, write: true, data: []byte{1, 2, 3, 4}}, {addr: 84, bytes: 4, write: true, data: []byte{5, 6, 7, 8}, gap: 400}, {addr: 32, bytes: 64}, {addr: 30, bytes: 70}},
	} {
		e := engine.New()
		spec := cache.DefaultTimedSpec()
		spec.Functional, spec.Sectors, spec.Allocate = true, 4, "fill"
		llc, err := cache.NewTimed("LLC", e, spec)
		require.NoError(t, err)
		m := ideal.MakeBuilder().WithEngine(e).WithLatency(200).WithData().Build("Memory")
		h := &hasty{ComponentBase: sim.NewComponentBase("Requester"), t: t, twin: make([]byte, 256), want: map[string][]byte{}, list: list, window: 8, dst: llc.GetPortByName("Top")}
		for i := range h.twin {
			h.twin[i] = byte(i + 100)
		}
		require.NoError(t, m.Keep().Write(0, h.twin))
		h.ticker, h.port = engine.NewTicker(e, clock.GHz, h), engine.NewPort(h, "Requester.Mem", 64)
		homes, err := memory.NewMap(memory.Range{Size: 1 << 20, Ports: []sim.Port{m.GetPortByName("Top")}, Paths: make([]memory.Path, 1)})
		require.NoError(t, err)
		require.NoError(t, llc.SetMap("bottom", homes))
		for i, ends := range [][]sim.Port{{h.port, h.dst}, {llc.GetPortByName("Bottom"), m.GetPortByName("Top")}} {
			w := engine.NewWire(fmt.Sprintf("Wire[%d]", i), e)
			for _, p := range ends {
				w.Attach(p, clock.GHz, engine.EndOptions{Latency: 1, Buffer: 64})
			}
		}
		h.ticker.WakeAt(0)
		require.NoError(t, e.Run())
		require.Equal(t, len(list), h.answers)
	}
}
