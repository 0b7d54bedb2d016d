package coherent_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/components/stats"
	"github.com/causeway-sim/causeway/memory/cxl/coherence"
	"github.com/causeway-sim/causeway/memory/cxl/coherent"
	"github.com/causeway-sim/causeway/memory/cxl/flit"
	"github.com/causeway-sim/causeway/memory/cxl/hdm"
	"github.com/causeway-sim/causeway/memory/cxl/link"
	"github.com/causeway-sim/causeway/memory/cxl/pool"
	"github.com/causeway-sim/causeway/memory/cxl/route"
	"github.com/causeway-sim/causeway/memory/cxl/transit"
)

// Times of the rig, in ps.
const (
	port     = 20_000
	protocol = 15_000
	snoop    = 50_000
	memory   = 40_000
	flight   = 1000
)

// A rig is hosts with a cache of one line, each with a link to one device (db).
type rig struct {
	n     transit.Network
	s     *coherent.System
	pairs []route.Pair
	over  map[int32]int64 // latency of lines that are complete
	pins  int
}

type host struct {
	*rig
	index int32
}

func (h *host) Do(e transit.Event, t int64) error {
	l := h.n.Lines.At(e.ID)
	switch e.Step {
	case transit.Issue:
		h.n.Depart(e.ID, h.pairs[h.index].Down, t)
	case transit.Lookup:
		h.s.Hosts[h.index].Lookup(e.ID, t)
	case transit.Deliver:
		h.s.Deliver(e.ID, t)
	case transit.Complete:
		h.over[e.ID] = t - l.Start
	}
	return nil
}

func (h *host) Sent(l *transit.Line, at link.Times) { h.s.Sent(l, at) }

func (h *host) Arrived(i int32, l *transit.Line, by *transit.Hop, at link.Times) {
	h.s.Arrived(i, l, by, at)
}

type device struct{ *rig }

func (d *device) Do(e transit.Event, t int64) error {
	switch e.Step {
	case transit.Reply:
		l := d.n.Lines.At(e.ID)
		d.n.Depart(e.ID, d.pairs[l.Root].Up, t)
	case transit.Deliver:
		d.s.Deliver(e.ID, t)
	case transit.Access: // of the rig: the memory answers
		d.s.Devices[0].Complete(e.ID, 0, t)
	}
	for x := d.s.Devices[0]; !x.Jobs.Empty(); {
		d.n.Add(t+memory, x.Jobs.Start(t), 0, transit.Access)
	}
	return nil
}

func (d *device) Sent(l *transit.Line, at link.Times) { d.s.Sent(l, at) }

func (d *device) Arrived(i int32, l *transit.Line, by *transit.Hop, at link.Times) {
	d.s.Arrived(i, l, by, at)
}

func newRig(t *testing.T, hosts int) *rig {
	r := &rig{over: map[int32]int64{}}
	r.n.Devices, r.n.Ready = 1, transit.NewSet(1+hosts)
	r.n.Sinks = []transit.Sink{&device{r}}
	r.s = coherent.New(&r.n, hosts, 1)
	var err error
	r.s.Space, err = hdm.NewSpace([]uint64{hdm.Unit}, hdm.Range{Decoder: hdm.Decoder{Size: hdm.Unit, Ways: 1, Granularity: 256}, Devices: []int{0}})
	require.NoError(t, err)
	cfg := link.DefaultConfig()
	cfg.Mode, cfg.Rate, cfg.Latency = flit.Flit256, 64, flight
	cfg.Limits = flit.DefaultLimits(cfg.Mode)
	for c := range cfg.Credits {
		cfg.Credits[c] = 64
	}
	for i := range int32(hosts) {
		r.n.Sinks = append(r.n.Sinks, &host{r, i})
		require.NoError(t, r.n.AddHop(&transit.Hop{Latency: flight}, cfg))
		r.pairs = append(r.pairs, route.Pair{Down: r.n.Book.Add([]route.Leg{route.Down(int(i))}), Up: r.n.Book.Add([]route.Leg{route.Up(int(i))})})
		r.s.AddHost(i, coherent.HostSpec{Sets: 1, Ways: 1, Port: port, Snoop: snoop, NewLine: func(addr uint64) (int32, error) {
			k, l := r.n.Lines.New()
			l.Root, l.Addr = i, addr
			return k, nil
		}})
	}
	r.n.Seal()
	r.n.Tail = link.Never
	places := pool.NewDevice(64, []float64{1})
	r.s.AddDevice(0, coherent.DeviceSpec{
		Coherent: true, Model: coherence.HDMDB, Filter: coherence.NewFilter(4, 2), Sets: 1, Protocol: protocol, Pool: &places,
		Pin: func(bool, int64) { r.pins++ },
	})
	return r
}

// access begins one line of a host and returns it when all is over.
func (r *rig) access(t *testing.T, root int32, addr uint64, write bool, at int64) (latency int64, l *transit.Line) {
	i, l := r.n.Lines.New()
	l.Root, l.Addr, l.Write = root, addr, write
	l.Begin(at)
	r.n.Add(at, i, r.n.Host(root), transit.Lookup)
	require.NoError(t, r.n.Run(link.Never-1))
	latency, ok := r.over[i]
	require.True(t, ok)
	l = r.n.Lines.At(i)
	sum := int64(0)
	for _, v := range l.Parts {
		sum += v
	}
	require.Equal(t, latency, sum, "the parts are the whole")
	require.Zero(t, r.s.Devices[0].Busy())
	for _, h := range r.n.Hops {
		require.NoError(t, h.Settled())
	}
	return latency, l
}

// A read that misses takes the port, the link, the device and its memory, there and back;
// the next finds the line in the host's cache and takes no time.
func TestReadAndHit(t *testing.T) {
	r := newRig(t, 1)
	miss, l := r.access(t, 0, 64, false, 0)
	require.EqualValues(t, port, l.Parts[transit.Port])
	require.EqualValues(t, port, l.Parts[transit.Return])
	require.EqualValues(t, 2*protocol, l.Parts[transit.Device])
	require.EqualValues(t, 2*flight, l.Parts[transit.Wire])
	require.EqualValues(t, memory, l.Parts[transit.DRAM])
	require.Equal(t, 1, r.pins)
	hit, _ := r.access(t, 0, 64, false, 10*miss)
	require.Zero(t, hit)
	require.EqualValues(t, 1, r.s.Hosts[0].Count.Hits)
}

// A line that another host may have modified is snooped first: the reader waits for port,
// snoop and link of the other, which is in its part Device. The other answers in 90 ns,
// from pin to pin.
// Reference: CXL 3.1, table 13-2 (BISnp to BIRsp).
func TestSnoop(t *testing.T) {
	alone, _ := newRig(t, 2).access(t, 0, 64, false, 0)
	r := newRig(t, 2)
	r.access(t, 1, 64, false, 0) // has it exclusive
	shared, l := r.access(t, 0, 64, false, 10*alone)
	require.EqualValues(t, 1, r.s.Devices[0].Count.Snoops)
	require.EqualValues(t, 1, r.s.Hosts[1].Count.Snoops)
	const around, flits = 2*protocol + 2*port + snoop + 2*flight, 4 * 2000
	require.InDelta(t, alone+around+flits/2, shared, flits/2)
	require.InDelta(t, 2*protocol+around+flits/2, l.Parts[transit.Device], flits/2)
	require.EqualValues(t, memory, l.Parts[transit.DRAM])
	g := stats.NewGroup("Root")
	r.s.Hosts[1].Stats(g)
	for _, m := range g.Metrics() {
		if m.Name == "snoop_latency_mean" {
			require.InDelta(t, (2*port+snoop)/1000, m.Value, 2, "one flit may be under way")
		}
	}
}

// A cache of one line writes a modified line back when it takes another.
func TestWriteBack(t *testing.T) {
	r := newRig(t, 1)
	r.access(t, 0, 64, true, 0)
	r.access(t, 0, 128, false, 1_000_000)
	require.EqualValues(t, 1, r.s.Hosts[0].Count.Writebacks)
	require.EqualValues(t, 1, r.s.Devices[0].Count.Writes)
}
