package cause

import (
	"math"
	"regexp"
	"testing"

	"github.com/stretchr/testify/require"
)

// Trees of equal nodes become one, time that is left is idle, and shares of a level are of the
// whole.
func TestJoin(t *testing.T) {
	tree := func(name string, work, wait float64) *Tree {
		x := New(name, Work)
		x.Add("compute", "computing", work)
		x.Add("memory", "waiting for memory", wait).Add("weights", "waiting for weights", wait/2)
		return x
	}
	net := New("Net", Network)
	net.Add("local", "carrying flits", 20)
	run := Join(100, []*Tree{net, tree("Core[0]", 10, 60), nil, tree("Core[1]", 30, 40), New("None", Memory)})
	require.Empty(t, run.Check())
	require.Equal(t, []string{"Core", "Net"}, []string{run.Parts[0].Name, run.Parts[1].Name})
	require.InDelta(t, 300, run.Time, 1e-9)
	core := run.Parts[0]
	require.Equal(t, 2, core.Nodes)
	require.InDelta(t, 200.0/300, core.Share, 1e-12)
	require.Equal(t, []float64{0.5, 0.2, 0.3}, []float64{core.Part("memory").Share, core.Part("compute").Share, core.Part(Idle).Share})
	require.Equal(t, Idle, core.Parts[2].Name, "idle is last, although it is more than compute")
	require.Equal(t, 0.5, core.Part("memory").Parts[0].Share)
	require.InDelta(t, 80, run.Part("Net").Part(Idle).Time, 1e-9)
	require.Nil(t, Join(100, nil))
	require.Empty(t, (*Tree)(nil).Check())
	require.Empty(t, (*Tree)(nil).Sentence())
}

// A run is as long as the node that has seen most time.
func TestJoinUntil(t *testing.T) {
	a, b := New("A", Memory), New("B", Memory)
	a.Nodes = 4
	a.Until(50)
	a.Add("transfer", "moving data", 20)
	b.Add("transfer", "moving data", 70)
	run := Join(0, []*Tree{a, b})
	require.InDelta(t, 4*70+70, run.Time, 1e-9)
	require.InDelta(t, 260, run.Part("A").Part(Idle).Time, 1e-9)
	require.Nil(t, run.Part("B").Part(Idle))
}

// The check finds parts that exceed their whole, at any level, and times that are none.
func TestCheck(t *testing.T) {
	for _, c := range []struct {
		part, whole float64
		want        string
	}{{50, 50, ""}, {50.1, 50, "causes: the parts of run.N.a are 50.1 ns, the whole is 50 ns"}, {-1, 50, "causes: run.N.a.b is -1 ns"}, {math.NaN(), 50, "causes: run.N.a.b is NaN ns"}} {
		n := New("N", Work)
		n.Add("a", "", c.whole).Add("b", "", c.part)
		errs := Join(100, []*Tree{n}).Check()
		if c.want == "" {
			require.Empty(t, errs)
			continue
		}
		require.NotEmpty(t, errs)
		require.EqualError(t, errs[0], c.want)
	}
	over := New("N", Work)
	over.Add("a", "", 60)
	over.Add("b", "", 60)
	require.Empty(t, Join(100, []*Tree{over}).Check(), "the run is then as long")
}

// Sentences name the largest cause, where most of it is, the next one, and the node that is
// waited for.
func TestSentence(t *testing.T) {
	lines := New("Root", Fabric).Of("lines of Root")
	queue := lines.Add("queue", "waiting for links", 60)
	queue.AddAt("link", "A to B", "", 50)
	lines.Add("dram", "in the memory", 20)
	lines.Add("wire", "on the wire", 5)
	mem := New("Mem", Memory)
	mem.Add("rows", "waiting for rows", 30)
	require.Equal(t, "Lines of Root spend 70.6 % of their busy time waiting for links, most of it at A to B (58.8 %) and 23.5 % in the memory; busy is 85.0 % of the run.", Join(100, []*Tree{mem, lines}).Sentence())

	cpu := New("Cpu", Player)
	cpu.Add("memory", "waiting for loads", 100).Below("L1")
	cpu.Remark("a load takes %d ns", 8)
	l1 := New("L1", Cache)
	l1.Add("below", "waiting for lines", 90).Below("Mem")
	require.Equal(t, "Cpu spends 100.0 % of its time waiting for loads; Mem spends 100.0 % of its busy time waiting for rows; busy is 30.0 % of the run; a load takes 8 ns.", Join(100, []*Tree{mem, l1, cpu}).Sentence())

	for _, c := range []struct {
		busy float64
		more string
	}{{96, "; Dram spends 100.0 % of its time waiting for rows"}, {94, ""}} { // a memory that is never idle is why lines wait for credits
		core, root, dram := New("Core", Player), New("Root", Fabric).Of("lines of Root"), New("Dram", Memory)
		core.Add("memory", "waiting for answers", 100).Below("Root")
		root.Add("credits", "waiting for credits", 60)
		root.Add("dram", "in the memory", 40).Below("Dram")
		dram.Add("rows", "waiting for rows", c.busy)
		require.Equal(t, "Core spends 100.0 % of its time waiting for answers; lines of Root spend 60.0 % of their time waiting for credits and 40.0 % in the memory"+c.more+".", Join(100, []*Tree{core, root, dram}).Sentence())
	}

	ranks, net := New("Ranks", Player), New("Net", Network)
	ranks.Add("bandwidth", "with bytes", 60)
	ranks.Add("messages", "waiting for messages", 40).Below("Net")
	net.Add("local", "carrying flits", 50)
	net.Busiest("Net.r0->r1", 0.8)
	net.Remark("busiest of its channels: Net.r0->r1 (80.0 %%)")
	far := New("Far", Memory)
	far.Add("bandwidth", "waiting for bandwidth", 70)
	run := Join(100, []*Tree{ranks, net, far, mem})
	require.Equal(t, "Ranks spends 60.0 % of its time with bytes and 40.0 % waiting for messages; Net spends 100.0 % of its busy time carrying flits; busy is 50.0 % of the run; busiest of its channels: Net.r0->r1 (80.0 %).", run.Sentence())
	require.Equal(t, "Channel Net.r0->r1 is busy 80.0 % of the time.", run.Saturated(0.75, ""))
	require.Empty(t, run.Saturated(0.75, run.Sentence()))
	require.Empty(t, run.Saturated(0.81, ""))
	require.Equal(t, "Far spends 100.0 % of its busy time waiting for bandwidth; busy is 70.0 % of the run.", run.SlowestMemory())

	// A node on the way whose own table is full is named besides the memory at the end.
	chip, llc, hbm := New("Chip", Work), New("LLC", Cache), New("HBM", Memory)
	chip.Add("memory", "waiting for memory", 100).Below("LLC")
	llc.Add("mshrs_full", "with misses that wait for a free MSHR", 100).Below("HBM")
	hbm.Add("latency", "in the latency of the memory", 100)
	require.Equal(t, "LLC spends 100.0 % of its time with misses that wait for a free MSHR; HBM spends 100.0 % of its time in the latency of the memory.",
		Join(100, []*Tree{chip, llc, hbm}).Beneath("Chip", "memory"))

	idle := New("Idle", Work)
	idle.Add(Idle, "", 100)
	require.Empty(t, Join(100, []*Tree{idle}).Sentence())
}

// Layers that differ by a number are one group; copies of one layer are one layer.
func TestGroups(t *testing.T) {
	names := []string{"embed", "L0.attn.qk", "L1.attn.qk", "L1.attn.qk", "layers_12.attn.qk", "lm_head", "conv1", "res2_0_a", "res2_1_a"}
	weights := []float64{1, 10, 10, 10, 5, 20, 2, 1, 1}
	got := Groups(func(yield func(string, float64) bool) {
		for i, name := range names {
			if !yield(name, weights[i]) {
				return
			}
		}
	})
	require.Equal(t, []Group{
		{"attn.qk", "L*.attn.qk", 2, 30}, {"lm_head", "lm_head", 1, 20}, {"layers_12.attn.qk", "layers_12.attn.qk", 1, 5},
		{"conv1", "conv1", 1, 2}, {"a", "res*_*_a", 2, 2}, {"embed", "embed", 1, 1},
	}, got)
	for like, want := range map[string]string{"layers_*.attn.qk": "attn.qk", "Conv*": "Conv", "*": "", "h.*.mlp": "h.mlp", "res*_*_ds": "ds"} {
		require.Equal(t, want, stem(like), like)
	}
}

// Intervals that overlap count once.
func TestBusy(t *testing.T) {
	var b Busy
	b.Begin(10)
	b.Begin(20)
	b.End(30)
	b.End(45)
	b.Begin(50)
	b.End(60)
	require.Equal(t, uint64(45), b.Sum)
}

// Every run of digits of a name is one star.
func TestLikeOf(t *testing.T) {
	digits := regexp.MustCompile(`[0-9]+`)
	for _, name := range []string{"", "7", "head", "L0.attention", "L10.E3.up.m17", "12a34", "a.1.2", "größe3"} {
		require.Equal(t, digits.ReplaceAllString(name, "*"), likeOf(name))
	}
}
