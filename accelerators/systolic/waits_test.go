package systolic

import (
	"testing"

	"github.com/sarchlab/akita/v3/sim"
	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/accelerators/mapping/dma"
	"github.com/causeway-sim/causeway/components/engine"
	"github.com/causeway-sim/causeway/components/task"
	"github.com/causeway-sim/causeway/components/units"
)

// Idle cycles before a step belong to the buffer whose load comes first, then to that which comes next; at equal
// times to the lower one. After the last load, and where there is none, results hold the step up.
func TestWaitsAreBookedByBuffer(t *testing.T) {
	for _, c := range []struct {
		ready                        [buffers]uint64
		ifmap, filter, ofmap, stores uint64 // of the cycles 10 to 50
	}{
		{[buffers]uint64{0, 0, 0}, 0, 0, 0, 40},
		{[buffers]uint64{20, 0, 0}, 10, 0, 0, 30},
		{[buffers]uint64{20, 40, 30}, 10, 10, 10, 10},
		{[buffers]uint64{50, 0, 0}, 40, 0, 0, 0},
		{[buffers]uint64{0, 50, 50}, 0, 40, 0, 0},
		{[buffers]uint64{10, 11, 50}, 0, 1, 39, 0},
		{[buffers]uint64{30, 30, 0}, 20, 0, 0, 20},
		{[buffers]uint64{0, 0, 60}, 0, 0, 0, 40}, // of a later step
	} {
		var l stalls
		l.wait(10, 50, &c.ready)
		require.Equal(t, stalls{waitIfmap: c.ifmap, waitFilter: c.filter, waitOfmap: c.ofmap, storing: c.stores}, l, "%+v", c)
		require.EqualValues(t, 40, l.total())
		l.wait(50, 50, &c.ready)
		require.EqualValues(t, 40, l.total(), "no time")
	}
}

// Weights of the second step come before the other operands of the first as long as what is waited for them is no
// more than the memory would be idle.
func TestSecondStepIsFetchedAhead(t *testing.T) {
	for _, c := range []struct {
		first, weights, idle int64
		want                 bool
	}{
		{100, 50, 50, true}, {100, 100, 50, true}, {100, 101, 50, false}, {50, 1000, 50, true}, {51, 1000, 50, false}, {0, 1000, 0, true},
	} {
		require.Equal(t, c.want, secondAhead(c.first, c.weights, c.idle), "%+v", c)
	}
	j := &job{early: 7}
	a := &lookahead{next: j, most: 30}
	require.Same(t, a, a.after(30), "the first weights come while the last step computes")
	require.EqualValues(t, 7, j.early)
	require.Nil(t, a.after(29))
	require.Zero(t, j.early)
	require.Nil(t, (*lookahead)(nil).after(5))
}

// A layer that waits for other cores is explained by the layer and the core that it waited for longest.
func TestWaitsForCoresAreExplained(t *testing.T) {
	c := newCluster(t, engine.New(), "tile", specs(1)[0], specs(1)[0])
	c.chain(2)
	log := &taskLog{ended: map[task.ID]sim.VTimeInSec{}, causes: map[task.ID][]task.Cause{}}
	stream := task.NewStream(c.engine, []task.Reporter{c.cores[0].(task.Reporter), c.cores[1].(task.Reporter)}, log)
	c.run(t)
	stream.Close()
	waited := map[string]float64{}
	for _, list := range log.causes {
		for _, x := range list {
			if text := stream.Text(x.Task, x.What); text != "" && x.Task.Node() == 1 {
				waited[text] += float64(x.To-x.From) * 1e9
			}
		}
	}
	r := rows(c.cores[1].inside())
	require.Greater(t, r[1].book[dependency], uint64(100), "the second core is faster")
	require.InDelta(t, r[1].book[dependency], waited["waits for layer layer of core 0"], 1e-3)
	require.InDelta(t, r[0].book[compute]+r[1].book[compute], waited["computes"], 1e-3)
}

// Where periods are repeated a core may have idled beyond the end: that is taken back, and no more.
func TestEndIsTrimmed(t *testing.T) {
	for _, x := range []struct{ free, idle, awaited, until, wantFree, wantIdle, wantAwaited uint64 }{
		{1000, 300, 0, 900, 900, 200, 0}, {1000, 300, 0, 600, 700, 0, 0}, {1000, 300, 0, 1000, 1000, 300, 0}, {1000, 0, 300, 900, 900, 0, 200}, {1000, 100, 100, 700, 800, 0, 0},
	} {
		_, w := defaultBench().build(t, "tile")
		k := w.inside()
		k.free, k.idle, k.awaited = x.free, x.idle, x.awaited
		k.TrimEnd(units.Time(x.until) * units.Nanosecond)
		require.Equal(t, [3]uint64{x.wantFree, x.wantIdle, x.wantAwaited}, [3]uint64{k.free, k.idle, k.awaited}, "%+v", x)
	}
}

// The stages of a queue hold the steps of a job in order: loads of a step before the stores of the one before it,
// which wait for it to be computed.
func TestOrderOfTransfers(t *testing.T) {
	var q queue
	step := func(n int64) dma.Step {
		return dma.Step{Cycles: n, Loads: []dma.Transfer{load(dma.Ifmap, n, 1)}, Stores: []dma.Transfer{load(dma.Ofmap, 100+n, 1)}}
	}
	q.open(&list{steps: []dma.Step{step(0), step(1), step(2)}}, nil, nil)
	var got []int64
	for finished := 0; !q.done(); finished++ {
		for x, _ := q.head(finished); x != nil; x, _ = q.head(finished) {
			got = append(got, x.Offset)
			q.advance()
		}
		got = append(got, -1) // a step ends
		require.Less(t, finished, 10)
	}
	require.Equal(t, []int64{0, 1, -1, 100, 2, -1, 101, -1, 102, -1}, got)
	require.Equal(t, 3, q.loaded)
	require.True(t, q.passed(2))
}

// Weights are fetched ahead for the next job of the same workload, where both were issued before the run and the
// core keeps all; for no other.
func TestWhatIsFetchedAhead(t *testing.T) {
	weights := func(n int64) []dma.Step {
		return []dma.Step{{Cycles: 100, Loads: []dma.Transfer{load(dma.Filter, 0, n)}}, {Cycles: 100, Loads: []dma.Transfer{load(dma.Filter, n, n), load(dma.Ifmap, 0, 10)}}}
	}
	make := func(keep OnChip) *core {
		b := defaultBench()
		b.spec.OnChip = keep
		_, w := b.build(t, "analytic")
		give(w.inside(), 1<<20, weights(40), weights(60))
		return w.inside()
	}
	for _, keep := range []OnChip{"none", "outputs"} {
		require.Nil(t, make(keep).lookahead())
	}
	k := make("all")
	a := k.lookahead()
	require.NotNil(t, a)
	require.Equal(t, 2, a.steps)
	require.EqualValues(t, 120, k.jobs[1].early, "weights of two steps")
	require.Same(t, &k.jobs[1], a.next)
	require.Zero(t, a.most, "no other core waits for the job before")
	require.Len(t, a.loads[1], 1, "of the second step its weights alone")
	k.at = 1
	require.Nil(t, k.lookahead(), "the last job")
	k.at = 0
	for _, change := range []func(k *core){
		func(k *core) { k.jobs[0].issued.Ahead = false },
		func(k *core) { k.jobs[1].issued.Ahead = false },
		func(k *core) { k.jobs[1].share = &share{} },
	} {
		k := make("all")
		change(k)
		require.Nil(t, k.lookahead())
	}
}

// Bursts that are fetched ahead are tasks of the core, not of the layer that ends, and are as many bytes as the
// rows of the layers say.
func TestBurstsAheadAreTasksOfTheCore(t *testing.T) {
	b := defaultBench()
	b.spec.OnChip = "all"
	e, w := b.build(t, "tile")
	job := []dma.Step{{Cycles: 100, Loads: []dma.Transfer{load(dma.Filter, 0, 5000), load(dma.Ifmap, 9000, 300)}, Stores: []dma.Transfer{load(dma.Ofmap, 20000, 700)}}}
	give(w.inside(), 1<<20, job, job, job)
	log := &taskLog{ended: map[task.ID]sim.VTimeInSec{}, causes: map[task.ID][]task.Cause{}}
	stream := task.NewStream(e, []task.Reporter{w.(task.Reporter)}, log)
	require.NoError(t, w.Start())
	require.NoError(t, e.Run())
	stream.Close()
	var alone, below uint64
	for _, x := range log.begun {
		if x.Kind != task.Burst {
			continue
		}
		if x.Parent == 0 {
			alone += x.Bytes
			require.Equal(t, "load filter", stream.Text(x.ID, x.What))
		} else {
			below += x.Bytes
		}
	}
	require.EqualValues(t, 2*5000, alone, "weights of the second and of the third layer")
	require.EqualValues(t, 5000+3*(300+700), below)
	for _, r := range rows(w.inside()) {
		require.Equal(t, moved{300, 5000, 0}, r.read)
	}
}
