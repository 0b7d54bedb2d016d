package mapping

import (
	"fmt"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/causeway-sim/causeway/accelerators/dataflow"
	"github.com/causeway-sim/causeway/accelerators/mapping/attention"
	"github.com/causeway-sim/causeway/accelerators/mapping/dma"
	"github.com/causeway-sim/causeway/accelerators/mapping/machine"
	"github.com/causeway-sim/causeway/accelerators/mapping/product"
	"github.com/causeway-sim/causeway/accelerators/mapping/tile"
	"github.com/causeway-sim/causeway/accelerators/mapping/walk"
	"github.com/causeway-sim/causeway/workloads/graph"
	"github.com/causeway-sim/causeway/workloads/zoo"
)

// Results that stay, against a recount: in the order in which they are made, one stays if each job of its life has room
// for it besides those before it, and spills otherwise. The peak is the most bytes that stay at a time.
func TestResultsStayInOrder(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 8).Draw(t, "jobs")
		room := rapid.SliceOfN(rapid.Int64Range(0, 20), n, n).Draw(t, "room")
		count := rapid.IntRange(0, 8).Draw(t, "results")
		a := allocation{room: room, free: slices.Clone(room), stays: make([]bool, count), spills: make([]bool, count), life: &graph.Lifetimes{Of: make([]graph.Lifetime, count)}}
		for i := range count {
			from := rapid.IntRange(0, n-1).Draw(t, "from")
			a.could = append(a.could, residency{graph.TensorID(i), int32(from), int32(rapid.IntRange(from, n-1).Draw(t, "to")), rapid.Int64Range(1, 12).Draw(t, "bytes")})
			a.life.Of[i].Storage = graph.TensorID(i)
		}
		a.inOrder()
		r := a.residents()
		taken := make([]int64, n)
		for _, x := range a.could {
			fits := true
			for k := x.from; k <= x.to; k++ {
				fits = fits && taken[k]+x.bytes <= room[k]
			}
			require.Equal(t, [2]bool{fits, !fits}, [2]bool{r.Stays[x.id], r.Spills[x.id]}, "%+v", x)
			for k := x.from; fits && k <= x.to; k++ {
				taken[k] += x.bytes
			}
		}
		require.Equal(t, slices.Max(taken), r.Peak)
	})
}

// Who carries out operators: one core, several of which each needs what others made, or several each with its own part. A
// result may stay where the same core, or each core its own part, makes and reads it.
func TestWhoMakesAndReads(t *testing.T) {
	job := func(op int, local bool) Job { return Job{Op: op, Local: local} }
	g := &graph.Graph{Ops: make([]graph.Op, 6)}
	first, second := Program{Jobs: []Job{job(0, true), job(1, false), job(2, true), {Op: 3, Fused: []int{5}}}}, Program{Core: 1, Jobs: []Job{job(0, true), job(1, true), job(2, false)}}
	require.Equal(t, []int{apart, apart, together, 0, nobody, 0}, makers(g, []Program{first, second}, false))
	parts := Program{Jobs: []Job{{Op: 0, Part: 0}, {Op: 0, Part: 1}, {Op: 1}}}
	require.Equal(t, []int{1, 0, nobody, nobody, nobody, nobody}, makers(g, []Program{parts}, true), "slices are another core's")

	b := graph.NewBuilder("chain")
	x := b.Input("x", 4, 4)
	for i := range 3 {
		x = b.Linear(fmt.Sprint("fc", i), x, 4)
	}
	b.Output(x)
	g, err := b.Graph()
	require.NoError(t, err)
	life, err := g.Lifetimes(nil)
	require.NoError(t, err)
	between := []graph.TensorID{g.Ops[0].Out[0], g.Ops[1].Out[0]}
	for _, c := range []struct {
		who  []int
		want [2]bool
	}{{[]int{0, 0, 0}, [2]bool{true, true}}, {[]int{0, 0, 1}, [2]bool{true, false}}, {[]int{apart, apart, 0}, [2]bool{true, false}}, {[]int{together, together, 1}, [2]bool{}}, {[]int{1, 0, 0}, [2]bool{false, true}}, {[]int{0, nobody, nobody}, [2]bool{true, false}}} {
		same := sameCore(g, life, c.who)
		require.Equal(t, c.want, [2]bool{same[between[0]], same[between[1]]}, c.who)
	}
}

// Room is what two tiles of each operand leave free of its buffer, and never less than nothing.
func TestRoomBesidesTiles(t *testing.T) {
	p := &Plan{Matrix: true, own: &machine.Own{Footprint: [3]int64{10, 20, 60}}}
	require.EqualValues(t, (100-20)+(50-40)+0, p.room(machine.SRAM{Ifmap: 100, Filter: 50, Ofmap: 100}))
	for _, small := range []machine.SRAM{{Ifmap: 20, Filter: 40, Ofmap: 120}, {}} {
		require.Zero(t, p.room(small))
	}
}

// By hand: four operators of which slices save time on the first two, by results of 100 bytes that the second makes and
// the third reads, at 10 bytes a cycle.
func TestWhereSlicesEnd(t *testing.T) {
	program := func(stays bool) *outline {
		p := &Program{Residents: &Residents{Stays: []bool{stays}}}
		for i := range 4 {
			p.Jobs = append(p.Jobs, Job{Op: i})
		}
		return &outline{p: p}
	}
	w := &single{g: &graph.Graph{Ops: make([]graph.Op, 4)}, cores: []machine.Core{{Memory: machine.Memory{Bandwidth: 10, Cycles: 1}}},
		whole: &allocation{jobs: []int{0, 1, 2, 3}, could: []residency{{0, 1, 2, 100}}}}
	end := func(sliced, whole [4]int64, staysSliced, staysWhole bool) int {
		a, b := program(staysSliced), program(staysWhole)
		a.times, b.times = sliced[:], whole[:]
		return w.firstWhole(a, b)
	}
	require.Equal(t, 2, end([4]int64{5, 5, 20, 20}, [4]int64{10, 10, 10, 10}, false, false), "nothing stays")
	require.Equal(t, 1, end([4]int64{5, 5, 20, 20}, [4]int64{10, 10, 10, 10}, true, false), "the 10 cycles of the result undo the 5 of its maker")
	require.Equal(t, 1, end([4]int64{5, 5, 20, 20}, [4]int64{10, 10, 10, 10}, false, true))
	require.Equal(t, 2, end([4]int64{5, 0, 20, 20}, [4]int64{10, 20, 10, 10}, true, false), "20 cycles for 10")
	require.Equal(t, 1, end([4]int64{5, 0, 30, 20}, [4]int64{10, 20, 10, 10}, true, true), "20 for 20: no gain")
	require.Equal(t, 3, end([4]int64{5, 9, 9, 20}, [4]int64{10, 10, 10, 10}, true, true), "the result is made and read in slices")
	require.Equal(t, 4, end([4]int64{9, 9, 9, 9}, [4]int64{10, 10, 10, 10}, true, true))
	require.Zero(t, end([4]int64{10, 11, 10, 10}, [4]int64{10, 10, 10, 10}, false, false), "never faster")

	w.g.Tensors = make([]graph.Tensor, 2)
	w.whole.life = &graph.Lifetimes{Of: []graph.Lifetime{{Storage: 0}, {Storage: 0}}}
	w.cores[0].SRAM = machine.SRAM{Ifmap: 10, Filter: 20, Ofmap: 3}
	require.Equal(t, []bool{false, false}, w.hopes(3), "33 of 100 bytes are as many as the buffers have")
	require.Equal(t, []bool{true, true}, w.hopes(4), "a view is its storage")
}

// Other tiles are worth a search where at least a sixteenth of the traffic stays on the chip.
func TestWhatIsSparedByStaying(t *testing.T) {
	p := &Plan{Traffic: dma.Traffic{Ifmap: 10, Filter: 130, Output: 20}}
	p.tiles.At = product.Place{A: 0, B: 1, C: 2}
	stays := func(ids ...int) *Residents {
		r := &Residents{Stays: make([]bool, 3)}
		for _, i := range ids {
			r.Stays[i] = true
		}
		return r
	}
	require.True(t, p.spares(stays(0)), "10 of 160")
	require.True(t, p.spares(stays(1)))
	require.True(t, p.spares(stays(2)))
	require.False(t, p.spares(stays()))
	p.Traffic.Filter++
	require.False(t, p.spares(stays(0)), "10 of 161")
	require.True(t, p.spares(stays(0, 2)))
	p.tiles.At.A = graph.None
	require.False(t, p.spares(stays(0)))
}

// The time of a plan is remembered by its solution and by what stays of its operands: it is that of a walk each time.
func TestTimesOfJobsAreThoseOfWalks(t *testing.T) {
	g, err := zoo.Build("resnet18", zoo.Params{Image: 32, Batch: 2})
	require.NoError(t, err)
	g.SetDTypes(graph.Uniform(graph.Int8))
	core := attentionCore("ws", 16, 16, 16, true)
	core.OnChip, core.Memory = machine.KeepAll, machine.Memory{Bandwidth: 8, Cycles: 1, Latency: 50, Burst: 256, Outstanding: 8, Home: "Mem"}
	programs, err := Split(g, []machine.Core{core}, DefaultSpec())
	require.NoError(t, err)
	p := &programs[0]
	w := &single{x: NewMapper(), g: g, cores: []machine.Core{core}, known: map[walkKey]int64{}}
	none := &Residents{Stays: make([]bool, len(g.Tensors))}
	differ := 0
	for _, r := range []*Residents{p.Residents, none, nil} {
		for i := range p.Jobs {
			require.Equal(t, p.Jobs[i].Plan.without(r, &core), w.time(p.Jobs[i].Plan, r), g.Ops[p.Jobs[i].Op].Name)
			if r == none && w.time(p.Jobs[i].Plan, p.Residents) < w.time(p.Jobs[i].Plan, r) {
				differ++
			}
		}
	}
	require.Greater(t, differ, 5)
	require.Less(t, len(w.known), 3*len(p.Jobs), "layers that are alike are walked once")
	// Sums over jobs, by operator and in all.
	o := &outline{p: p}
	w.measure(o)
	total := int64(0)
	for i := range p.Jobs {
		require.Equal(t, p.Jobs[i].Part == 0, o.each[i] > 0)
		total += w.time(p.Jobs[i].Plan, p.Residents)
	}
	require.Equal(t, total, o.total)
	sum := int64(0)
	for _, n := range o.times {
		sum += n
	}
	require.Equal(t, total, sum)
}

// Requests of a plan are counted transfer by transfer, and its loads keep the memory busy by their bytes and requests.
func TestRequestsOfPlans(t *testing.T) {
	memory := machine.Memory{Bandwidth: 16, Cycles: 1, Latency: 70, Burst: 256, Outstanding: 8, Home: "Mem"}
	for _, kind := range []graph.Kind{graph.MatMul{Batch: 1, M: 100, N: 70, K: 300}, graph.Attention{Batch: 2, Group: 2, Queries: 40, Keys: 60, Size: 16, Value: 16}} {
		g, op := one(kind, graph.Uniform(graph.Int8), false)
		core := attentionCore("ws", 8, 8, 4, true)
		core.Memory = memory
		p, err := Map(op, g, core, "time")
		require.NoError(t, err)
		requests, busy, steps := int64(0), int64(0), int64(0)
		for st := range p.All() {
			steps++
			for _, list := range [][]dma.Transfer{st.Loads, st.Stores} {
				for i := range list {
					x := list[i].Contiguous()
					requests += x.Planes * x.Rows * ((x.RowBytes + 255) / 256)
				}
			}
			one := int64(0)
			for i := range st.Loads {
				x := st.Loads[i].Contiguous()
				one += memory.Busy(x.Bytes(), memory.Requests(x.Rows*x.Planes, x.RowBytes))
			}
			require.Equal(t, one, p.LoadTime(st.Loads))
			busy += one
		}
		require.Equal(t, p.Steps, steps)
		require.Equal(t, requests, p.requests(&memory))
		require.Positive(t, busy)
		require.EqualValues(t, 70, p.Latency())
		cycles, _, _ := walk.Run(p.Walk(), walk.Engine{Mem: &memory, Kept: p.tiles.Kept}, walk.Most, machine.Overflow)
		require.Equal(t, cycles, p.Estimate())
		// Bytes of operands by their place.
		sum := int64(0)
		for i := range op.In {
			n, ok := p.Loads(i)
			require.True(t, ok)
			sum += n
		}
		require.Equal(t, p.Traffic.Ifmap+p.Traffic.Filter, sum)
		if _, ok := kind.(graph.Attention); ok {
			n, _ := p.Loads(0)
			require.Equal(t, g.Tensor(op.In[0]).Bytes(), n, "queries are read once")
		}
		_, ok := p.Loads(3)
		require.False(t, ok)
	}
}

// What a core's own planner says is the plan: units without work are mapping loss, and its walk is the plan's.
func TestPlansOfOtherPlanners(t *testing.T) {
	g, op := one(graph.MatMul{Batch: 1, M: 4, N: 5, K: 6}, graph.Uniform(graph.Int8), false)
	own := &machine.Own{Tile: dma.Tile{Batch: 1, M: 2, N: 3, K: 4}, Steps: 7, Cycles: 50, MACs: 120, Units: 16, Used: 12, Traffic: dma.Traffic{Ifmap: 24, Filter: 30, Output: 20}, Scratch: 9,
		Footprint: [3]int64{1, 2, 3}, Walk: func() machine.Stepper { return nothing{} }}
	p := OwnPlan(own, op, 0, 33)
	require.Equal(t, []int64{7, 7, 50, 120, 33, 9, 50}, []int64{p.Steps, p.Folds, p.Cycles, p.MACs, p.Vector, p.Scratch, p.Time})
	require.True(t, p.Matrix)
	require.Equal(t, own.Tile, p.Tile)
	require.Equal(t, own.Traffic, p.Traffic)
	require.Same(t, own, p.Own())
	require.Empty(t, p.Resident())
	parts := p.Parts()
	require.InDelta(t, 7.5, parts.Useful, 1e-12)
	require.InDelta(t, 42.5, parts.Mapping, 1e-12)
	rows, _ := p.Filled()
	require.Equal(t, 12.0, rows)
	require.Equal(t, "12 of 16 units", p.FilledText())
	own.Used = 16
	require.Equal(t, "all", p.FilledText())
	require.EqualValues(t, 120, p.Work())
	a, b, c := p.Footprint()
	require.Equal(t, [3]int64{1, 2, 3}, [3]int64{a, b, c})
	require.EqualValues(t, 50, p.Estimate())
	for range p.All() {
		require.Fail(t, "a step")
	}
	_, err := NewMapper().Map(op, g, machine.Core{Planner: planner{own}}, "time", Rule{})
	require.NoError(t, err)
	for _, rule := range []Rule{{Tile: dma.Tile{M: 1}}, {Order: "mnk"}, {Resident: "ifmap"}} {
		_, err = NewMapper().Map(op, g, machine.Core{Planner: planner{own}}, "time", rule)
		require.ErrorContains(t, err, "a rule for tiles is for systolic arrays")
	}
	all := product.Whole(graph.Matrix{Batch: 1, M: 4, N: 5, K: 6})
	for _, change := range []func(s *product.Share){func(s *product.Share) { s.Row.To = 3 }, func(s *product.Share) { s.N.To = 3 }, func(s *product.Share) { s.Batch.To = 0 }, func(s *product.Share) { s.Image.To = 0 },
		func(s *product.Share) { s.Fetches[1].Of = 2 }, func(s *product.Share) { s.Sum.Of = 2 }} {
		part := all
		change(&part)
		_, err = NewMapper().planExternally(op, g, machine.Core{Planner: planner{own}}, Rule{}, &part, nil)
		require.ErrorContains(t, err, "carries out whole operators")
	}
	_, err = NewMapper().planExternally(op, g, machine.Core{Planner: planner{own}}, Rule{}, &all, nil)
	require.NoError(t, err)
}

type nothing struct{}

func (nothing) Next(*dma.Step) bool { return false }

type planner struct{ own *machine.Own }

func (p planner) Plan(*machine.Product) (*machine.Own, error)   { return p.own, nil }
func (p planner) Attend(*machine.Product) (*machine.Own, error) { return p.own, nil }

// What is skipped by a pattern, and work in words of the array, by hand.
func TestSkippedAndRatedWork(t *testing.T) {
	p := &Plan{Matrix: true, MACs: 1000, tiles: tile.Schedule{H: &machine.Machine{Rate: machine.Rate{Num: 4, Den: 1}}}}
	require.EqualValues(t, 250, p.Work())
	require.Zero(t, p.Skipped())
	p.skips = graph.Pattern{N: 1, M: 4}
	require.EqualValues(t, 750, p.Skipped())
	p.Matrix = false
	require.Zero(t, p.Work())
	require.Empty(t, p.FilledText())
	require.Equal(t, dataflow.Parts{}, p.Parts())
	require.Zero(t, p.RegisterBytes())
	// An attention's array is filled as its folds are on average.
	fill := &attention.Schedule{}
	fill.Loop.Rows, fill.Loop.Cols, fill.Loop.Folds = 60, 30, 4
	p = &Plan{Matrix: true, attn: fill}
	rows, cols := p.Filled()
	require.Equal(t, []float64{15, 7.5}, []float64{rows, cols})
}

// Of a plan of many steps the first stand for all: its requests and its time are nearly those of all its steps.
func TestFirstStepsStandForAll(t *testing.T) {
	g, op := one(graph.MatMul{Batch: 1, M: 1100, N: 1100, K: 128}, graph.Uniform(graph.Int8), false)
	core := machine.Core{Array: dataflow.Array{Rows: 8, Cols: 8}, Dataflow: "ws", SRAM: machine.SRAM{Ifmap: 256, Filter: 256, Ofmap: 512}, Accumulator: graph.Int32, Lanes: 64,
		Memory: machine.Memory{Bandwidth: 16, Cycles: 1, Latency: 70, Burst: 256, Outstanding: 8, Home: "Mem"}}
	p, err := Map(op, g, core, "traffic")
	require.NoError(t, err)
	require.Greater(t, p.Steps, int64(2*walk.Most))
	requests, memory := int64(0), core.Memory
	for st := range p.All() {
		for _, list := range [][]dma.Transfer{st.Loads, st.Stores} {
			for i := range list {
				x := list[i].Contiguous()
				requests += memory.Requests(x.Rows*x.Planes, x.RowBytes)
			}
		}
	}
	require.InEpsilon(t, requests, p.requests(&memory), 0.02)
	all, _, _ := walk.Run(p.Walk(), walk.Engine{Mem: &memory}, p.Steps, machine.Overflow)
	require.InEpsilon(t, all, p.Estimate(), 0.05)
	require.InEpsilon(t, all, p.without(nil, &core), 0.1)
}

// Operators that micro-batches do not divide, and all that read what these make, come at the end; what is fused goes with its
// product.
func TestWhatAPipelineDoesAtTheEnd(t *testing.T) {
	b := graph.NewBuilder("m")
	b.Symbol("batch", 2)
	x := b.Elementwise("relu1", "relu", b.Linear("fc1", b.Input("x", 2, 8), 8))
	y := b.Elementwise("relu2", "relu", b.Linear("odd", b.Input("y", 7, 8), 8)) // seven rows
	z := b.Softmax("soft", y)
	b.Output(b.Linear("fc2", x, 8), b.Linear("reads", z, 8))
	g, err := b.Graph()
	require.NoError(t, err)
	g.SetDTypes(graph.Uniform(graph.Int8))
	fused, by := fusible(g, true, false)
	p := NewMapper().newPipeline(newSplitter(g, "layer", 2), equalCores(2), Spec{Split: "layer", Objective: "time", Fuse: true, MicroBatches: 2}, fused, by)
	got := map[string]bool{}
	for i := range g.Ops {
		got[g.Ops[i].Name] = p.late[i]
	}
	require.Equal(t, map[string]bool{"fc1": false, "relu1": false, "odd": true, "relu2": true, "soft": true, "fc2": false, "reads": true}, got)
}

// A product keeps all of its epilogue where that takes no longer than what is free of it and the others apart.
func TestEpiloguesThatSave(t *testing.T) {
	g, err := zoo.Decoder{Name: "small", Layers: 1, Hidden: 64, Heads: 4, KVHeads: 2, FF: 96, Words: 10}.Graph(zoo.Params{Sequence: 48})
	require.NoError(t, err)
	g.SetDTypes(graph.Uniform(graph.Int8))
	saved, kept := 0, 0
	for _, kib := range []int64{1, 2, 8} {
		for _, bandwidth := range []int64{4, 64} {
			core := attentionCore("ws", 8, 8, kib, true)
			core.OnChip, core.Memory = machine.KeepAll, machine.Memory{Bandwidth: bandwidth, Cycles: 1, Latency: 100, Burst: 256, Outstanding: 2, Home: "Mem"}
			x, spec := NewMapper(), DefaultSpec()
			x.walks = map[*tile.Solution]int64{}
			all, _ := fusible(g, true, true)
			free, _ := fusible(g, true, false)
			for i := range g.Ops {
				if len(all[i]) == len(free[i]) {
					continue
				}
				plan := func(op int, with []int) *Plan {
					p, err := x.planOf(g, core, spec, op, with)
					require.NoError(t, err)
					return p
				}
				whole, apart := plan(i, all[i]), plan(i, free[i])
				walked := whole.Traffic.Ifmap+whole.Traffic.Filter <= apart.Traffic.Ifmap+apart.Traffic.Filter && whole.Cycles <= apart.Cycles
				time := func(p *Plan) int64 {
					if walked {
						return p.Estimate()
					}
					return p.Time
				}
				sum := time(apart)
				for _, j := range all[i][len(free[i]):] {
					if k, ok := g.Ops[j].Kind.(graph.Move); !ok || k.Elements > 0 {
						sum += time(plan(j, nil))
					}
				}
				if walked {
					sum += sum / tile.Margin
				}
				require.Equal(t, time(whole) <= sum, x.saves(g, core, spec, i, all[i], free[i]), g.Ops[i].Name)
				if kept++; time(whole) <= sum {
					saved++
				}
			}
		}
	}
	require.Greater(t, saved, 10)
	require.Greater(t, kept, saved, "some cost more than they save")
}
