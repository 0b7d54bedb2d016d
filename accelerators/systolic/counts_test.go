package systolic

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/sarchlab/akita/v3/sim"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/causeway-sim/causeway/accelerators/mapping/dma"
	"github.com/causeway-sim/causeway/accelerators/mapping/machine"
	"github.com/causeway-sim/causeway/accelerators/work"
	"github.com/causeway-sim/causeway/components/task"
	"github.com/causeway-sim/causeway/components/units"
	"github.com/causeway-sim/causeway/memory"
	"github.com/causeway-sim/causeway/workloads/graph"
	"github.com/causeway-sim/causeway/workloads/zoo"
)

// metricMap is the metrics of a core by name.
func metricMap(w worker) map[string]float64 {
	out := map[string]float64{}
	for _, m := range w.Stats().Metrics() {
		out[m.Name] = m.Value
	}
	return out
}

// smallDecoder is two layers of a transformer, attention as one operator or as its parts.
func smallDecoder(t require.TestingT, fused bool) *graph.Graph {
	g, err := zoo.Decoder{Name: "small", Layers: 2, Hidden: 48, Heads: 4, KVHeads: 2, FF: 80, Words: 30}.Graph(zoo.Params{Sequence: 20})
	require.NoError(t, err)
	g.SetDTypes(graph.Uniform(graph.Int8))
	if fused {
		g = g.FuseAttention(g.Chains())
	}
	return g
}

// A metric that is also a column of the layers is the sum of the column, and ratios are those of the sums.
func TestMetricsAreTheSumsOfTheLayers(t *testing.T) {
	for _, fused := range []bool{true, false} {
		g := smallDecoder(t, fused)
		for _, fidelity := range []string{"tile", "analytic"} {
			b := defaultBench()
			b.spec.SRAM = machine.SRAM{Ifmap: 2 << 10, Filter: 2 << 10, Ofmap: 2 << 10}
			b.spec.OnChip = "all"
			b.mem.Bandwidth = units.Bandwidth(20e9 * 8)
			w := splitShare(t, g, b.spec)
			w.Arrival = 3 * units.Microsecond
			k, _ := b.network(t, fidelity, w)
			table, got := k.Layers(), metricMap(k)
			require.Len(t, table.Rows, len(w.Program.Jobs))
			sums, shared := map[string]float64{}, 0
			for i, c := range table.Columns {
				if c.Unit == "" || c.Unit == "%" || c.Unit == "GB/s" || c.Name == "start" {
					continue
				}
				for _, r := range table.Rows {
					switch v := r[i].(type) {
					case uint64:
						sums[c.Name] += float64(v)
					case int64:
						sums[c.Name] += float64(v)
					case float64:
						sums[c.Name] += v
					}
				}
				if want, ok := got[c.Name]; ok && c.Name != "energy" && c.Name != "energy_static" { // of which idle cycles have a part
					require.InDelta(t, sums[c.Name], want, 1e-6*max(1, want), "%s: %s", fidelity, c.Name)
					shared++
				}
			}
			require.GreaterOrEqual(t, shared, 25)
			require.EqualValues(t, 3000, got["idle_cycles"])
			require.Equal(t, sums["cycles"]+3000, got["total_cycles"])
			require.Equal(t, got["ifmap_read_bytes"]+got["filter_read_bytes"]+got["ofmap_read_bytes"], got["read_bytes"])
			require.Equal(t, got["ofmap_write_bytes"], got["write_bytes"])
			require.InEpsilon(t, (got["read_bytes"]+got["write_bytes"])/got["total_cycles"], got["bandwidth"], 1e-12, "at 1 GHz")
			peak := float64(b.spec.Rows * b.spec.Cols)
			require.InEpsilon(t, 100*got["macs"]/got["total_cycles"]/peak, got["utilization"], 1e-12)
			require.InEpsilon(t, 100*got["macs"]/got["array_cycles"]/peak, got["compute_utilization"], 1e-12)
			require.Equal(t, peak, got["peak_macs"])
			require.InEpsilon(t, 20, got["peak_bandwidth"], 1e-12)
			require.InEpsilon(t, 20, got["peak_bytes"], 1e-12)
			require.EqualValues(t, g.MACs(), got["macs"])
			require.Contains(t, got, "score_bytes")
			require.Equal(t, fused, got["score_bytes"] == 0)
			require.LessOrEqual(t, got["score_bytes"], got["read_bytes"]+got["write_bytes"])
			require.LessOrEqual(t, got["spill_bytes"], got["read_bytes"]+got["write_bytes"])
			require.Positive(t, got["on_chip_bytes"])
			require.Positive(t, got["on_chip_peak"])
			require.NotContains(t, got, "skipped_macs")
		}
	}
}

// What is not known of a core has no metric: scores without attention, bytes that stay without on_chip, skipped
// products without sparsity.
func TestMetricsOfNothing(t *testing.T) {
	b := defaultBench()
	b.spec.OnChip = "none"
	k, _ := b.network(t, "tile", shareOf(t, product(20, 20, 20, graph.Int8), b.spec))
	got := metricMap(k)
	for _, name := range []string{"score_bytes", "on_chip_bytes", "on_chip_peak", "spill_bytes", "skipped_macs"} {
		require.NotContains(t, got, name)
	}
	_, k = b.build(t, "tile")
	for _, name := range []string{"utilization", "compute_utilization", "bandwidth"} {
		require.NotContains(t, metricMap(k), name, "of a core that has not worked")
	}
	require.EqualValues(t, 16*16, metricMap(k)["peak_macs"])
}

// Transfers of tensors that stay on the chip are taken out of the steps and counted, the first tensor's too; scratch
// memory and other tensors pass.
func TestWhatStaysIsNotMoved(t *testing.T) {
	l := &layer{}
	k := &residentFilter{&list{steps: []dma.Step{{
		Loads:  []dma.Transfer{{Tensor: 0, RowBytes: 5, Rows: 2, Planes: 1}, {Tensor: 1, RowBytes: 7, Rows: 1, Planes: 1}, {Tensor: dma.Scratch, RowBytes: 3, Rows: 1, Planes: 1}},
		Stores: []dma.Transfer{{Tensor: 2, RowBytes: 11, Rows: 1, Planes: 3}, {Tensor: 1, RowBytes: 1, Rows: 1, Planes: 1}},
	}}}, []bool{true, false, true}, l}
	var s dma.Step
	require.True(t, k.Next(&s))
	require.Equal(t, []graph.TensorID{1, dma.Scratch}, []graph.TensorID{s.Loads[0].Tensor, s.Loads[1].Tensor})
	require.Len(t, s.Loads, 2)
	require.Len(t, s.Stores, 1)
	require.EqualValues(t, 1, s.Stores[0].Tensor)
	require.EqualValues(t, 5*2+11*3, l.kept)
	require.False(t, k.Next(&s))
}

// All metrics of a core are there before it runs, and none is there twice.
func TestMetricNames(t *testing.T) {
	want := strings.Fields(`total_cycles idle_cycles stall_network_cycles compute_cycles stall_wait_ifmap_cycles stall_wait_filter_cycles
		stall_wait_ofmap_cycles stall_store_cycles stall_dependency_cycles array_cycles macs skipped_macs vector_ops utilization
		compute_utilization ifmap_read_bytes filter_read_bytes ofmap_read_bytes ofmap_write_bytes read_bytes write_bytes score_bytes bandwidth
		ifmap_sram_reads filter_sram_reads ofmap_sram_reads ofmap_sram_writes on_chip_bytes on_chip_peak spill_bytes
		area area_sram area_array area_registers peak_macs skew_registers time_to_full peak_bandwidth peak_bytes
		energy energy_mac energy_vector energy_register energy_skew energy_clock energy_static energy_sram
		useful_cycles mapping_loss_cycles fill_cycles drain_cycles`)
	for _, fidelity := range []string{"tile", "analytic"} {
		_, k := defaultBench().build(t, fidelity)
		var got []string
		for _, m := range k.Stats().Declared() {
			got = append(got, m.Name)
		}
		require.ElementsMatch(t, want, got)
	}
}

// A run that is continued by Repeat has the metrics of one in which as many workloads more came.
func TestRepeatedWorkloadsAreCounted(t *testing.T) {
	const period, more = 200 * units.Microsecond, 3
	g := product(40, 24, 56, graph.Int8)
	b := defaultBench()
	b.spec.Vector.Lanes = 4
	run := func(n int, repeat uint64) map[string]float64 {
		e, k := b.build(t, "tile")
		for i := range n {
			w := shareOf(t, g, b.spec)
			w.ID, w.Arrival = int32(i), units.Time(i+1)*period
			require.NoError(t, work.IssueAll(k, w))
		}
		require.NoError(t, k.Start())
		x := e.(interface{ RunUntil(sim.VTimeInSec) error })
		require.NoError(t, x.RunUntil(300e-6))
		from := k.Stats().Tally()
		require.NoError(t, x.RunUntil(500e-6))
		to := k.Stats().Tally()
		require.NoError(t, e.Run())
		if repeat > 0 {
			k.Stats().Repeat(from, to, repeat)
		}
		return metricMap(k)
	}
	require.InDeltaMapValues(t, run(2+more, 0), run(2, more), 1e-6)
}

// steady is a job of n steps of one aligned burst for each operand, computed for some cycles, whose results are a burst too.
func steady(n int, burst int64, cycles int64) (job []dma.Step) {
	for i := range int64(n) {
		job = append(job, dma.Step{Cycles: cycles, Loads: []dma.Transfer{load(dma.Ifmap, i*burst, burst), load(dma.Filter, i*burst, burst)}, Stores: []dma.Transfer{load(dma.Ofmap, i*burst, burst)}})
	}
	return job
}

// What a core has done at the end is what it had planned: bursts and steps. A job of many steps is planned
// from its first.
func TestActivityIsAsPlanned(t *testing.T) {
	for _, n := range []int{1, 2, 7, walkedSteps, walkedSteps + 3, 3 * walkedSteps} {
		b := defaultBench()
		e, w := b.build(t, "tile")
		job := steady(n, int64(b.spec.DMA.Burst), 3)
		give(w.inside(), 1<<20, job)
		w.inside().jobs[0].Plan.Steps = int64(n)
		require.EqualValues(t, 4*n, w.(*Tile).Planned(), n)
		require.Zero(t, w.(*Tile).Activity())
		require.NoError(t, w.Start())
		require.NoError(t, e.Run())
		require.EqualValues(t, 4*n, w.(*Tile).Activity(), n)
	}
	b := defaultBench() // three rows of a burst and a half, in two planes
	_, w := b.build(t, "tile")
	x := dma.Transfer{RowBytes: 6144, Rows: 3, Stride: 1 << 14, Planes: 2, PlaneStride: 1 << 20}
	give(w.inside(), 1<<20, []dma.Step{{Loads: []dma.Transfer{x}}})
	require.EqualValues(t, 1+2*3*2, w.(*Tile).Planned())
}

// The core knows how long its reads take: with one request at a time each takes the latency of the memory
// and of the links.
func TestReadsAreTimed(t *testing.T) {
	b := defaultBench()
	b.spec.DMA.Outstanding, b.mem.Latency, b.there, b.back = 1, units.InCycles(30), 2, 3
	e, w := b.build(t, "tile")
	give(w.inside(), 1<<20, steady(5, int64(b.spec.DMA.Burst), 3))
	require.NoError(t, w.Start())
	require.NoError(t, e.Run())
	n, cycles := w.(*Tile).Reads(1 << 20)
	require.EqualValues(t, 10, n, "stores are none")
	require.EqualValues(t, 10*(2+30+3), cycles)
	n, cycles = w.(*Tile).Reads(1 << 50)
	require.Zero(t, n+cycles, "of no memory")
}

// Hints say how often each byte of a tensor is still loaded: what is left, after the burst at hand, over the
// size of the tensor, rounded.
func TestRemainingReuse(t *testing.T) {
	for _, c := range []struct {
		left, size int64
		n          uint64
		store      bool
		want       uint32
	}{
		{300, 100, 0, false, 3}, {300, 100, 50, false, 3}, {300, 100, 51, false, 2}, {300, 100, 100, false, 2},
		{100, 100, 50, false, 1}, {100, 100, 51, false, 0}, {100, 100, 200, false, 0},
		{100, 100, 100, true, 1}, {0, 100, 100, true, 0}, {1 << 40, 1, 0, false, 1<<32 - 1},
	} {
		r := reuse{[]int64{0, c.left}, []int64{1, c.size}}
		require.Equal(t, c.want, r.remainingReuse(1, c.n, c.store), "%+v", c)
	}
}

// An operand that an operator reads twice is loaded once; one that a fused operator gets from the operator
// before it is not loaded at all.
func TestLoadsAreForeseen(t *testing.T) {
	g := &graph.Graph{Name: "sum"}
	tensor := func(name string) graph.TensorID {
		return g.Add(graph.Tensor{Name: name, Shape: []int{8, 8}, DType: graph.Int8})
	}
	a, b, c := tensor("a"), tensor("b"), tensor("c")
	g.Append(graph.Op{Name: "twice", In: []graph.TensorID{a, a}, Out: []graph.TensorID{b}, Kind: graph.Elementwise{Func: "add", Elements: 64, Inputs: 2, OpsPer: 1}})
	g.Append(graph.Op{Name: "other", In: []graph.TensorID{a, b}, Out: []graph.TensorID{c}, Kind: graph.Elementwise{Func: "add", Elements: 64, Inputs: 2, OpsPer: 1}})
	b1 := defaultBench()
	w := shareOf(t, g, b1.spec)
	s := &share{Share: w}
	require.Equal(t, []int64{128, 64, 0}, predictReuse(s).left)
	s.Program.Jobs = s.Program.Jobs[:1]
	s.Program.Jobs[0].Fused = []int{1}
	require.Equal(t, []int64{128, 0, 0}, predictReuse(s).left)
}

// What a core says of a job before the run is what the run takes of bytes and energy, and no less than
// arithmetic and memory need.
func TestPlansAreCarriedOut(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		g, b := drawLayer(t), drawCore(t)
		b.mem.Bandwidth = units.Bandwidth(rapid.Uint64Range(1e9, 1e12).Draw(t, "bit/s"))
		w := shareOf(t, g, b.spec)
		w.Tensors = work.Describe(g)
		_, k := b.build(t, "tile")
		require.NoError(t, k.Prepare(w))
		cost := k.inside().Plan(w.ID, 0)
		ran, r := b.network(t, "tile", w)
		l := &ran.inside().layers[0]
		require.Equal(t, r[0].read.sum()+r[0].written.sum(), cost.Bytes)
		require.InEpsilon(t, l.energy.Total(), cost.Energy, 1e-9)
		seconds := float64(cost.Time) / float64(units.Second)
		require.GreaterOrEqual(t, seconds*(1+1e-9)+1e-12, 8*float64(cost.Bytes)/float64(b.mem.Bandwidth))
		require.GreaterOrEqual(t, seconds*(1+1e-9)+1e-12, b.spec.Clock.Nanoseconds(uint64(l.job.Plan.Cycles))*1e-9)
		require.LessOrEqual(t, seconds, 1.5*b.spec.Clock.Nanoseconds(max(last(r), uint64(l.job.Plan.Time)))*1e-9)
	})
}

// A tensor in pieces is moved where its pieces lie.
func TestTensorsInPieces(t *testing.T) {
	g := product(64, 32, 64, graph.Int8) // operands of 8 and of 4 entries, and results of 4
	for n, fidelity := range []string{"tile", "analytic", "tile", "analytic", "tile"} {
		tensor := graph.TensorID(n / 2)
		b := defaultBench()
		w := shareOf(t, g, b.spec)
		x := &memory.Spread{Entry: 512, Base: []uint64{1 << 30}, Pieces: []memory.Piece{{From: 0, N: 2, At: 100}, {From: 2, N: 6, At: 7}}}
		w.Spread = func(id graph.TensorID) *memory.Spread { return map[graph.TensorID]*memory.Spread{tensor: x}[id] }
		e, k := b.build(t, fidelity)
		var bytes [2]uint64 // of each piece
		k.inside().mem.AcceptHook(spy{func(addr, size uint64, _ bool, _ memory.Hint) {
			if addr >= 1<<30 {
				entry := (addr - 1<<30) / 512
				require.True(t, entry == 100 || entry == 101 || entry >= 7 && entry < 13)
				bytes[map[bool]int{false: 1}[entry >= 100]] += size
			}
		}})
		require.NoError(t, work.IssueAll(k, w))
		require.Equal(t, uint64(1<<30+100*512), k.inside().known[w.ID].base.of(tensor))
		require.NoError(t, k.Start())
		require.NoError(t, e.Run())
		require.Empty(t, k.Stats().Verify())
		if fidelity == "tile" {
			require.Equal(t, [2]uint64{2 * 512, uint64(g.Tensors[tensor].Bytes()) - 2*512}, bytes)
		}
	}
}

// A taskLog keeps what a core reports.
type taskLog struct {
	begun  []task.Event
	ended  map[task.ID]sim.VTimeInSec
	causes map[task.ID][]task.Cause
}

func (l *taskLog) Task(_ *task.Stream, e task.Event) {
	switch e.Phase {
	case task.Begin:
		l.begun = append(l.begun, e)
	case task.End:
		l.ended[e.ID] = e.At
	}
}

func (l *taskLog) Cause(_ *task.Stream, c task.Cause) { l.causes[c.Task] = append(l.causes[c.Task], c) }

// Each layer is a task that lasts as long as its row says. Below it is a tile for each step, and below that
// its computing and its bursts, whose bytes are those of the layer. What the layer waited for fills its time
// without a gap: each cause as many cycles as in its row.
func TestTasksOfALayer(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		b := drawBench(t)
		b.spec.OnChip = "outputs" // no burst is of the next layer
		jobs := [][]dma.Step{drawJob(t), drawJob(t)}
		e, w := b.build(t, "tile")
		give(w.inside(), 1<<20, jobs...)
		log := &taskLog{ended: map[task.ID]sim.VTimeInSec{}, causes: map[task.ID][]task.Cause{}}
		stream := task.NewStream(e, []task.Reporter{w.(task.Reporter)}, log)
		require.NoError(t, w.Start())
		require.NoError(t, e.Run())
		stream.Close()
		got := rows(w.inside())
		cycles := func(at sim.VTimeInSec) uint64 {
			return uint64(math.Round(float64(at) * 1e9 / b.spec.Clock.Nanoseconds(1)))
		}
		count := map[task.Kind]int{}
		parent := map[task.ID]task.Event{}
		layerOf := map[task.ID]int{}
		bytes := make([]uint64, len(jobs))
		texts := map[string]uint64{}
		for _, x := range log.begun {
			parent[x.ID] = x
		}
		for _, x := range log.begun {
			end, ok := log.ended[x.ID]
			require.True(t, ok, "every task ends: %v %q", x.Kind, stream.Text(x.ID, x.What))
			up := parent[x.Parent]
			switch x.Kind {
			case task.Layer:
				i := count[task.Layer]
				layerOf[x.ID] = i
				require.Equal(t, []uint64{got[i].start, got[i].end}, []uint64{cycles(x.At), cycles(end)})
				var sum stalls
				causes := log.causes[x.ID]
				slices.SortFunc(causes, func(a, b task.Cause) int { return cmp.Compare(a.From, b.From) })
				from := got[i].start
				for _, c := range causes {
					require.Equal(t, from, cycles(c.From))
					require.Less(t, c.From, c.To)
					from = cycles(c.To)
					which := slices.Index(causeWords[:], stream.Text(x.ID, c.What))
					require.GreaterOrEqual(t, which, 0)
					sum[which] += from - cycles(c.From)
					if cause(which) >= waitIfmap && cause(which) <= waitOfmap {
						require.Equal(t, "load "+dma.Buffer(cause(which)-waitIfmap).String(), stream.Text(c.By, parent[c.By].What), "the burst that was waited for")
					}
				}
				require.Equal(t, got[i].end, from)
				require.Equal(t, got[i].book, sum)
			case task.Tile:
				require.Equal(t, task.Layer, up.Kind)
				layerOf[x.ID] = layerOf[x.Parent]
			case task.Compute:
				require.Equal(t, task.Tile, up.Kind)
				require.Equal(t, end, log.ended[x.Parent], "a tile ends with its computing")
			case task.Burst:
				require.Equal(t, task.Tile, up.Kind)
				bytes[layerOf[x.Parent]] += x.Bytes
				texts[stream.Text(x.ID, x.What)] += x.Bytes
			}
			count[x.Kind]++
		}
		require.Equal(t, len(jobs), count[task.Layer])
		steps := len(jobs[0]) + len(jobs[1])
		require.Equal(t, []int{steps, steps}, []int{count[task.Tile], count[task.Compute]})
		for i := range jobs {
			require.Equal(t, got[i].read.sum()+got[i].written.sum(), bytes[i])
		}
		for i := range buffers {
			b := dma.Buffer(i)
			require.Equal(t, got[0].read[b]+got[1].read[b], texts["load "+b.String()])
			require.Equal(t, got[0].written[b]+got[1].written[b], texts["store "+b.String()])
		}
	})
}

// A core that waits says what for, by the layer, the step and the requests; an idle or finished one says nothing.
func TestWaitingIsNamed(t *testing.T) {
	_, w := defaultBench().build(t, "analytic")
	require.Empty(t, w.Waiting())
	give(w.inside(), 0, steady(1, 4096, 1))
	require.Equal(t, "Core waits for Core: job 0 has not begun", w.Waiting()[0].String())
	c := newCluster(t, nil, "analytic", specs(2)...)
	c.chain(2)
	c.cores[0].inside().at = 1
	require.Contains(t, fmt.Sprint(c.cores[0].Waiting()), "layer layer needs layer layer of core 1")
}

// The report says what a core takes for granted: what always holds, and what its keys ask for.
func TestAssumptionsOfKeys(t *testing.T) {
	for what, c := range map[string]struct {
		change func(s *Spec)
		said   bool
	}{
		"weights of its first two steps are loaded ahead":        {func(s *Spec) { s.OnChip = "all" }, true},
		"nothing is loaded ahead across layers":                  {func(s *Spec) { s.OnChip = "outputs" }, true},
		"is that of a 45nm process":                              {func(s *Spec) { s.Energy.Process = "45nm" }, true},
		"does not hide all of a fold's fill and drain":           {func(s *Spec) { s.Overlap = Overlap{Preload: true} }, true},
		"Dataflow ws does not hide":                              {func(s *Spec) { s.Overlap = Overlap{Preload: true, Drain: true} }, false},
		"second way of weights into the array (key gemv: auto)":  {func(s *Spec) { s.Gemv = 0 }, true},
		"second way of weights into the array":                   {func(s *Spec) { s.Gemv = 1 }, false},
		"fetched once, a part by each":                           {func(*Spec) {}, false},
		"exchange partial sums":                                  {func(*Spec) {}, false},
		"takes a fixed number of operations per element of each": {func(*Spec) {}, true},
	} {
		b := defaultBench()
		c.change(&b.spec)
		_, w := b.build(t, "tile")
		said := strings.Join(w.(interface{ Assumptions() []string }).Assumptions(), "\n")
		require.Equal(t, c.said, strings.Contains(said, what), "%s\n%s", what, said)
	}
}

// Progress is counted in cycles of the mapping, and the core names the layer that it works on.
func TestProgressOfACore(t *testing.T) {
	e, w := defaultBench().build(t, "tile")
	k := w.inside()
	give(k, 0, steady(3, 4096, 100), steady(2, 4096, 50))
	done, all := k.Progress()
	require.Equal(t, []int64{0, 400}, []int64{done, all})
	require.Empty(t, k.CurrentWork(), "nothing has begun")
	require.NoError(t, w.Start())
	x := e.(interface{ RunUntil(sim.VTimeInSec) error })
	require.NoError(t, x.RunUntil(5e-9))
	require.Equal(t, "Core at layer layer (1 of 2)", k.CurrentWork())
	require.Empty(t, w.Stats().Verify(), "what is under way is not checked yet")
	require.NoError(t, x.RunUntil(sim.VTimeInSec(float64(k.free+1)*1e-9)))
	require.NoError(t, e.Run())
	done, all = k.Progress()
	require.Equal(t, []int64{400, 400}, []int64{done, all})
	require.Empty(t, k.CurrentWork())
	require.Equal(t, "cycles of the array", k.Unit())
}

// The number of a core is the one in brackets at the end of its name.
func TestNumberOfACore(t *testing.T) {
	for name, want := range map[string]uint16{"Core": 0, "Core[3]": 3, "Chip[2].Core[17]": 17, "Chip[2].Core": 2, "[9]": 0, "Core[]": 0} {
		require.Equal(t, want, elementOf(name), name)
	}
}

// What no core can have is refused with its key, from the first value outside of its bounds on.
func TestSpecBounds(t *testing.T) {
	fp := graph.MXFP4
	for _, c := range []struct {
		key             string
		outside, inside func(s *Spec)
	}{
		{"rows is 0", func(s *Spec) { s.Rows = 0 }, func(s *Spec) { s.Rows = 1 }},
		{"rows is 65537", func(s *Spec) { s.Rows = 1<<16 + 1 }, func(s *Spec) { s.Rows = 1 << 16 }},
		{"cols is -1", func(s *Spec) { s.Cols = -1 }, func(s *Spec) { s.Cols = 1 }},
		{"vector.lanes is 0", func(s *Spec) { s.Vector.Lanes = 0 }, func(s *Spec) { s.Vector.Lanes = 1 }},
		{"vector.lanes is", func(s *Spec) { s.Vector.Lanes = 1<<20 + 1 }, func(s *Spec) { s.Vector.Lanes = 1 << 20 }},
		{"stages is 65", func(s *Spec) { s.Stages = 65 }, func(s *Spec) { s.Stages = 64 }},
		{"dma.outstanding is -1", func(s *Spec) { s.DMA.Outstanding = -1 }, func(s *Spec) { s.DMA.Outstanding = 0 }},
		{"dma.outstanding is 65537", func(s *Spec) { s.DMA.Outstanding = maxDepth + 1 }, func(s *Spec) { s.DMA.Outstanding = maxDepth }},
		{"dma.burst is 0B", func(s *Spec) { s.DMA.Burst = 0 }, func(s *Spec) { s.DMA.Burst = 1 }},
		{"dma.burst is", func(s *Spec) { s.DMA.Burst = memory.MaxBurst + 1 }, func(s *Spec) { s.DMA.Burst = memory.MaxBurst }},
		{"sram.ofmap is 1B", func(s *Spec) { s.SRAM.Ofmap = 1 }, func(s *Spec) { s.SRAM.Ofmap = 2 }},
		{"sram.filter is", func(s *Spec) { s.SRAM.Filter = 1<<40 + 1 }, func(s *Spec) { s.SRAM.Filter = 1 << 40 }},
		{`on_chip is "some"`, func(s *Spec) { s.OnChip = "some" }, func(s *Spec) { s.OnChip = "" }},
		{`timing is "fast"`, func(s *Spec) { s.Timing = "fast" }, func(s *Spec) { s.Timing = KernelTiming }},
		{`vector.norms is "never"`, func(s *Spec) { s.Vector.Norms = "never" }, func(s *Spec) { s.Vector.Norms = "beside" }},
		{"clock is missing", func(s *Spec) { s.Clock = units.Frequency{} }, nil},
		{"accumulator is mxfp4, a block format", func(s *Spec) { s.Accumulator = &fp }, nil},
		{"energy.process unknown", func(s *Spec) { s.Energy.Process = "1nm" }, func(s *Spec) { s.Energy.Process = "45nm" }},
		{"scalesim_dram has no effect", func(s *Spec) { s.ScaleSimDRAM = true }, func(s *Spec) { s.ScaleSimDRAM, s.Timing = true, ScaleSim }},
		{`dataflow is "rs"`, func(s *Spec) { s.Dataflow = "rs" }, func(s *Spec) { s.Dataflow = "os" }},
		{"dataflow is dip with", func(s *Spec) { s.Dataflow, s.Rows, s.Cols = "dip", 16, 8 }, func(s *Spec) { s.Dataflow, s.Rows, s.Cols = "dip", 8, 8 }},
		{"overlap.first has no effect", func(s *Spec) { s.Overlap = Overlap{First: true} }, func(s *Spec) { s.Overlap = Overlap{First: true, Preload: true} }},
	} {
		s := DefaultSpec()
		c.outside(&s)
		require.ErrorContains(t, s.Check(), c.key)
		if c.inside != nil {
			s = DefaultSpec()
			c.inside(&s)
			require.NoError(t, s.Check(), "inside of %q", c.key)
		}
	}
}

// Each timing has the levers that it reads.
func TestLeversOfTimings(t *testing.T) {
	for timing, want := range map[string][]string{
		Physical:     {"rows", "cols", "clock", "sram", "vector.lanes", "dma.outstanding"},
		ScaleSim:     {"rows", "cols", "clock", "sram"},
		KernelTiming: {"rows", "cols", "clock", "arrays", "vmem", "kernels.launch"},
	} {
		var keys []string
		for _, l := range levers(Spec{Timing: timing}) {
			keys = append(keys, l.Keys...)
		}
		require.Equal(t, want, keys, timing)
	}
}
