package systolic

import (
	"testing"

	"github.com/sarchlab/akita/v3/sim"
	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/accelerators/mapping"
	"github.com/causeway-sim/causeway/accelerators/mapping/dma"
	"github.com/causeway-sim/causeway/accelerators/mapping/machine"
	"github.com/causeway-sim/causeway/accelerators/work"
	"github.com/causeway-sim/causeway/components/clock"
	"github.com/causeway-sim/causeway/components/engine"
	"github.com/causeway-sim/causeway/components/stats"
	"github.com/causeway-sim/causeway/components/units"
	"github.com/causeway-sim/causeway/memory"
	"github.com/causeway-sim/causeway/memory/cache"
	"github.com/causeway-sim/causeway/workloads/graph"
	"github.com/causeway-sim/causeway/workloads/schedule"
)

// meter marks the counters of cores, and finds that periods do not differ.
type meter struct {
	groups  []*stats.Group
	skipped uint64
}

func (m *meter) Mark() (x work.Mark) {
	for _, g := range m.groups {
		x.Counts = append(x.Counts, g.Tally())
	}
	return x
}
func (m *meter) Differ(_, _ [2]work.Mark) schedule.Difference { return schedule.Difference{} }
func (m *meter) Stores([2]work.Mark) []schedule.Store         { return nil }
func (m *meter) Repeat(from, to work.Mark, n uint64, _ units.Time) {
	m.skipped += n
	for i, g := range m.groups {
		g.Repeat(from.Counts[i], to.Counts[i], n)
	}
}

// Periods that are skipped leave the records of those that are simulated: every layer of every core has the
// same start, end and causes, and every metric is the same: of one core, of several within 1%. Periods begin
// together on all cores.
func TestSkippedPeriodsAreRecorded(t *testing.T) {
	const blocks = 9 // equal periods between a first and a last one
	for _, fidelity := range []string{"tile", "analytic"} {
		for _, n := range []int{1, 2, 3} {
			run := func(alike bool) (out [][]row, metrics []map[string]float64, skipped uint64) {
				ss := specs(1)
				for len(ss) < n {
					ss = append(ss, ss[0])
				}
				for i := range ss {
					ss[i].OnChip = "none"
				}
				c := newCluster(t, engine.New(), fidelity, ss...)
				m := &meter{}
				var members []work.Repeater
				shapes := []schedule.Shape{{Signature: 1}}
				for p := range uint64(blocks) {
					s := schedule.Shape{Signature: 2, Bytes: 100}
					if !alike {
						s.Signature += p
					}
					shapes = append(shapes, s)
				}
				shapes = append(shapes, schedule.Shape{Signature: 100})
				var of []int32
				for i, w := range c.cores {
					jobs := [][]dma.Step{steady(2, 4096, 10)}
					of = []int32{0}
					for p := range int32(blocks) {
						jobs = append(jobs, steady(3, 4096, int64(100*(i+1))), steady(2, 4096, 30))
						of = append(of, p+1, p+1)
					}
					jobs, of = append(jobs, steady(1, 4096, 5)), append(of, blocks+1)
					give(w.inside(), 1<<20, jobs...)
					m.groups = append(m.groups, w.Stats())
					members = append(members, w.(work.Repeater))
				}
				p := work.NewPeriods(members, shapes, m)
				for i, w := range members {
					require.NoError(t, w.Repeat(p, i, of))
				}
				for _, w := range c.cores {
					require.NoError(t, w.Start())
				}
				require.NoError(t, c.engine.Run())
				for _, w := range c.cores {
					require.Empty(t, w.Stats().Verify())
					require.Empty(t, w.Waiting())
					done, all := w.inside().Progress()
					require.Equal(t, all, done)
					require.Len(t, w.inside().layers, len(of))
					out, metrics = append(out, rows(w.inside())), append(metrics, metricMap(w))
				}
				for j := range of { // a period begins when all cores have ended the one before
					if j > 0 && of[j] != of[j-1] {
						for _, r := range out {
							require.Equal(t, out[0][j].start+out[0][j].book[dependency], r[j].start+r[j].book[dependency])
						}
					}
				}
				return out, metrics, m.skipped
			}
			want, metrics, none := run(false)
			require.Zero(t, none)
			got, repeated, skipped := run(true)
			require.Greater(t, skipped, uint64(3), "%s, %d cores", fidelity, n)
			if n == 1 {
				require.Equal(t, want, got, fidelity)
				require.Equal(t, metrics, repeated, fidelity)
			}
			for i := range got { // cores learn a cycle later that a simulated period has ended
				for j := range got[i] {
					require.Equal(t, [2]moved{want[i][j].read, want[i][j].written}, [2]moved{got[i][j].read, got[i][j].written})
				}
				require.InEpsilon(t, float64(last(want[i])), float64(last(got[i])), 0.01)
			}
		}
	}
	_, w := defaultBench().build(t, "tile")
	give(w.inside(), 0, steady(1, 4096, 1))
	giveShare(w.inside(), 0, work.Share{ID: 1}, steady(1, 4096, 1))
	require.ErrorContains(t, w.(work.Repeater).Repeat(nil, 0, nil), "Core has 2 workloads")
}

// A planner that maps every product alike: a load, so many cycles, a store.
type planner struct{ priced bool }

func (p planner) Plan(r *machine.Product) (*machine.Own, error) {
	out := r.Graph.Tensor(r.Out).Bytes()
	in := r.Graph.Tensor(r.Op.In[0]).Bytes()
	o := &machine.Own{Steps: 1, Cycles: 77, MACs: r.Matrix.MACs(), Units: 10, Used: 5, Traffic: dma.Traffic{Ifmap: in, Output: out}}
	if p.priced {
		o.Compute, o.Storage = 300, 50
	}
	o.Walk = func() machine.Stepper {
		return &list{steps: []dma.Step{{
			Loads: []dma.Transfer{{Buffer: dma.Ifmap, Tensor: r.Op.In[0], RowBytes: in, Rows: 1, Planes: 1}}, Cycles: 77, MACs: o.MACs,
			Stores: []dma.Transfer{{Buffer: dma.Ofmap, Tensor: r.Out, RowBytes: out, Rows: 1, Planes: 1}},
		}}}
	}
	return o, nil
}

func (p planner) Attend(r *machine.Product) (*machine.Own, error) { return p.Plan(r) }

// A core whose products a planner maps takes the planner's cycles and energies and has no array: no metric of
// one. Both fidelities agree. Area is that of its levels and units, as far as it is known.
func TestPlannedCore(t *testing.T) {
	for _, priced := range []bool{true, false} {
		var want []row
		for _, fidelity := range []string{"tile", "analytic"} {
			b := defaultBench()
			b.spec.Rows, b.spec.Cols = 1, 10
			x := Priced{Energies: priced, Vector: 2, Area: 3, Units: 10, Process: "45nm"}
			if !priced {
				x = Priced{}
			}
			b.planned = func(e sim.Engine, fidelity string) worker {
				if fidelity == "analytic" {
					return NewPlannedAnalytic("Planned", e, b.spec, planner{priced}, x)
				}
				return NewPlanned("Planned", e, b.spec, planner{priced}, x)
			}
			e, w := b.build(t, fidelity)
			g := product(4, 5, 6, graph.Int8)
			core := w.inside().Core(graph.Uniform(graph.Int8))
			require.Zero(t, core.Gemv)
			programs, err := mapping.Split(g, []machine.Core{core}, mapping.DefaultSpec())
			require.NoError(t, err)
			require.NoError(t, work.IssueAll(w, work.Share{Graph: g, Program: programs[0], Base: func(id graph.TensorID) uint64 { return uint64(id+1) << 20 }}))
			require.NoError(t, w.Start())
			require.NoError(t, e.Run())
			require.Empty(t, w.Stats().Verify())
			r := rows(w.inside())
			require.Len(t, r, 1)
			require.EqualValues(t, 77, r[0].book[compute])
			if want == nil {
				want = r
			}
			require.Equal(t, want, r)
			got := metricMap(w)
			require.EqualValues(t, 4*5*6, got["macs"])
			for _, of := range []string{"ifmap_sram_reads", "skew_registers", "time_to_full", "area_registers", "on_chip_bytes"} {
				require.NotContains(t, got, of)
			}
			table := w.Layers()
			said := joined(w.(interface{ Assumptions() []string }).Assumptions())
			require.Contains(t, said, "has no energy")
			require.NotContains(t, said, "Dataflow")
			if !priced {
				require.NotContains(t, got, "energy")
				require.NotContains(t, got, "area")
				require.Nil(t, table.Rows[0][table.Index("energy")])
				continue
			}
			require.EqualValues(t, 300, got["energy_mac"])
			require.EqualValues(t, 50, got["energy_sram"])
			require.EqualValues(t, 3, got["area_sram"])
			require.InEpsilon(t, 10*419e-6, got["area_array"], 1e-9, "ten int8 multipliers and adders of 45 nm")
			require.InEpsilon(t, 3+10*419e-6, got["area"], 1e-9)
			require.InEpsilon(t, 350+got["energy_static"], got["energy"], 1e-9)
			require.Positive(t, got["energy_static"])
		}
	}
}

func joined(list []string) (s string) {
	for _, x := range list {
		s += x + "\n"
	}
	return s
}

// Cycles without a job count as waiting for a transfer where the next job reads what one has carried, else as idle.
func TestAwaitedCycles(t *testing.T) {
	for _, carried := range []bool{false, true} {
		e, w := defaultBench().build(t, "tile")
		k := w.inside()
		give(k, 1<<20, steady(1, 4096, 10), steady(1, 4096, 10))
		k.jobs[1].arrival, k.jobs[1].issued.Carried = 5000, carried
		require.NoError(t, w.Start())
		require.NoError(t, e.Run())
		require.Empty(t, w.Stats().Verify())
		r, got := rows(k), metricMap(w)
		gap := float64(5000 - r[0].end)
		require.Equal(t, map[bool]float64{false: gap}[carried], got["idle_cycles"])
		require.Equal(t, map[bool]float64{true: gap}[carried], got["stall_network_cycles"])
	}
}

// The core knows that a cache is below it, and plans with the bandwidth and latency of what its map says.
func TestMemoryBelowIsKnown(t *testing.T) {
	e := engine.New()
	k := New("Core", e, defaultBench().spec)
	require.Zero(t, k.memoryBelow(), "no map")
	llc, err := cache.NewFunctional("LLC", e, cache.DefaultSpec())
	require.NoError(t, err)
	far := New("Far", e, defaultBench().spec) // has a port that asks, and none that answers a memory request
	for name, c := range map[string]struct {
		port   sim.Port
		caches bool
	}{"cache": {llc.GetPortByName("Top"), true}, "core": {far.mem, true}, "plain": {engine.NewPort(nil, "Plain", 1), false}} {
		path := memory.Path{Clock: clock.Hz(5e8), Request: 3, Response: 4, Latency: 10, Bandwidth: 16e9}
		m, err := memory.NewMap(memory.Range{Size: 1 << 30, Ports: []sim.Port{c.port}, Paths: []memory.Path{path}})
		require.NoError(t, err)
		require.NoError(t, k.SetMap("mem", m))
		below := k.memoryBelow()
		require.Equal(t, c.caches, below.Caches, name)
		require.EqualValues(t, 2*(3+10)+4, below.Latency)
		require.EqualValues(t, 2, below.Bandwidth/below.Cycles, "bytes per cycle")
		require.Equal(t, int64(k.spec.DMA.Burst), below.Burst)
		require.EqualValues(t, k.depth(), below.Outstanding)
	}
	m, err := memory.NewMap(memory.Range{Size: 1 << 30, Ports: []sim.Port{engine.NewPort(nil, "Bare", 1)}, Paths: make([]memory.Path, 1)})
	require.NoError(t, err)
	require.NoError(t, k.SetMap("mem", m))
	require.Zero(t, k.memoryBelow(), "a map without paths")
	require.ErrorContains(t, k.SetMap("other", m), `no requesting port "other"`)
}

// A layer that keeps something on the chip is walked, whatever its steps; one of whose tensors none stays is estimated.
func TestLayersThatKeepResultsAreWalked(t *testing.T) {
	g := smallDecoder(t, true)
	b := defaultBench()
	b.spec.OnChip = "all"
	w := splitShare(t, g, b.spec)
	_, k := b.build(t, "analytic")
	require.NoError(t, work.IssueAll(k, w))
	k.inside().takeAhead()
	k.inside().mostWalked = 0
	stays, not := 0, 0
	for i := range k.inside().jobs {
		j := &k.inside().jobs[i]
		kept := false
		for _, op := range j.All() {
			for _, ids := range [][]graph.TensorID{g.Ops[op].In, g.Ops[op].Out} {
				for _, id := range ids {
					kept = kept || id != graph.None && w.Program.Residents.Stays[id]
				}
			}
		}
		if kept {
			stays++
		} else {
			not++
			k.inside().mostWalked = j.Plan.Steps
			require.False(t, k.inside().long(j), "as many steps as are walked")
			k.inside().mostWalked--
			require.True(t, k.inside().long(j), "one step more")
			k.inside().mostWalked = 0
		}
		require.Equal(t, !kept, k.inside().long(j), j.Op)
	}
	require.Positive(t, stays)
	k.inside().mostWalked = 1 << 40
	require.Empty(t, k.inside().estimated())
	k.inside().mostWalked = 0
	require.Len(t, k.inside().estimated(), not)
}

// An estimated layer would have sent the bytes of its mapping, in requests of a burst for each operand.
func TestEstimatedLayersAreCharged(t *testing.T) {
	b := defaultBench()
	b.spec.SRAM = machine.SRAM{Ifmap: 8 << 10, Filter: 8 << 10, Ofmap: 8 << 10}
	b.spec.DMA.Burst = 1000
	w, p := shareOfProduct(t, b, product(300, 200, 500, graph.Int8), "traffic")
	e, k := b.build(t, "analytic")
	k.inside().mostWalked = 1
	require.NoError(t, work.IssueAll(k, w))
	require.NoError(t, k.Start())
	require.NoError(t, e.Run())
	require.Len(t, k.inside().estimated(), 1)
	bursts := func(bytes ...int64) (n uint64) {
		for _, b := range bytes {
			n += uint64((b + 999) / 1000)
		}
		return n
	}
	x := &p.Traffic
	require.Equal(t, memory.Traffic{
		ReadBytes: uint64(x.Ifmap + x.Filter + x.Psum), WriteBytes: uint64(x.Spill + x.Output),
		Reads: bursts(x.Ifmap, x.Filter, x.Psum), Writes: bursts(x.Spill + x.Output),
	}, k.(memory.UnsentReporter).Unsent()[0].Traffic)
}

// What is skipped of a long transfer is seen by an observer as what is walked: all of it, while it passes.
func TestSkippedBurstsAreObserved(t *testing.T) {
	b := defaultBench()
	b.mem.Bandwidth = units.Bandwidth(8e9 * 100)
	const n = 4000
	e, w := b.build(t, "analytic")
	bytes := w.Stats().Observable()[1].Watch()
	give(w.inside(), 1<<20, []dma.Step{{Loads: []dma.Transfer{load(dma.Ifmap, 0, n*4096)}, Cycles: 10}})
	require.NoError(t, w.Start())
	require.NoError(t, e.Run())
	require.Greater(t, w.(*Analytic).model.skipped, uint64(n/2))
	end := float64(last(rows(w.inside())))
	require.InEpsilon(t, n*4096, bytes.Sum(), 1e-9)
	for at := 0.1; at < 0.85; at += 0.1 {
		require.InEpsilon(t, 0.1*n*4096, bytes.Between(at*end, (at+0.1)*end), 0.02, "at %g of the time", at)
	}
}

// Operands and results have the types of their tensors; what is missing has that of the first operand.
func TestWidthsOfAnOperator(t *testing.T) {
	g := &graph.Graph{}
	tensor := func(d graph.DType) graph.TensorID { return g.Add(graph.Tensor{Name: "x", Shape: []int{1}, DType: d}) }
	a, b, c := tensor(graph.FP16), tensor(graph.Int4), tensor(graph.FP32)
	k := &core{}
	for _, x := range []struct {
		in, out []graph.TensorID
		want    [3]graph.DType
	}{
		{[]graph.TensorID{a, b}, []graph.TensorID{c}, [3]graph.DType{graph.FP16, graph.Int4, graph.FP32}},
		{[]graph.TensorID{a}, nil, [3]graph.DType{graph.FP16, graph.FP16, graph.FP16}},
		{[]graph.TensorID{a, graph.None}, []graph.TensorID{b}, [3]graph.DType{graph.FP16, graph.FP16, graph.Int4}},
		{nil, []graph.TensorID{c}, [3]graph.DType{graph.Int8, graph.Int8, graph.FP32}},
	} {
		p, q, r := k.widths(g, &graph.Op{In: x.in, Out: x.out})
		require.Equal(t, x.want, [3]graph.DType{p, q, r})
	}
}

// Each timing makes a core of its own; what it takes besides is what its keys are.
func TestTimingsAreBuilt(t *testing.T) {
	for _, keys := range []string{"timing: physical", "timing: scalesim", "timing: eyeriss", "timing: nvdla", "timing: gemmini", "timing: kernel, fidelity: analytic"} {
		s, _, err := fromConfig(t, "schema: causeway/1\nnodes:\n  - {name: Core, kind: systolic, rows: 8, cols: 8, "+keys+"}\n  - {name: Mem, kind: memory, fidelity: ideal}\nlinks: [Core -> Mem]\n")
		require.NoError(t, err, keys)
		_, works := s.Node("Core").(work.Executor)
		require.True(t, works, keys)
		_, physical := s.Node("Core").(*Tile)
		require.Equal(t, keys == "timing: physical", physical, keys)
	}
}
