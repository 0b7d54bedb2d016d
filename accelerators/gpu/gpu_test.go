package gpu

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/accelerators/mapping"
	"github.com/causeway-sim/causeway/accelerators/work"
	"github.com/causeway-sim/causeway/components/clock/instant"
	"github.com/causeway-sim/causeway/components/engine"
	"github.com/causeway-sim/causeway/components/units"
	"github.com/causeway-sim/causeway/configs"
	_ "github.com/causeway-sim/causeway/configs/yaml"
	"github.com/causeway-sim/causeway/workloads/graph"
	"github.com/causeway-sim/causeway/workloads/operator"
	"github.com/causeway-sim/causeway/workloads/zoo"
)

// list is a graph of operators in fp16.
func list(t require.TestingT, csv string) *graph.Graph {
	rows, err := operator.Read("l.csv", []byte(csv))
	require.NoError(t, err)
	g, err := operator.Graph("l", rows, graph.Uniform(graph.FP16))
	require.NoError(t, err)
	return g
}

func run(t require.TestingT, s Spec, shares ...work.Share) *Comp {
	e := engine.New()
	c := New("Chip", e, s)
	for i, w := range shares {
		w.ID = int32(i)
		require.NoError(t, work.IssueAll(c, w))
	}
	require.NoError(t, c.Start())
	require.NoError(t, e.Run())
	require.Empty(t, c.Stats().Verify())
	require.Equal(t, instant.Of(c.clock, *c.End()), e.CurrentTime())
	return c
}

// cycles of each layer by name.
func cycles(c *Comp) map[string]uint64 {
	out := map[string]uint64{}
	for _, l := range c.Rows() {
		out[l.name] = l.cycles
	}
	return out
}

const few = "name,op,m,n,k,rows,cols,dtype\nfc,gemm,1024,1280,4096,,,\nfc8,gemm,1024,1280,4096,,,int8\nfc32,gemm,1024,1280,4096,,,fp32\nact,gelu,,,,4096,4096,\nsum,add,,,,4096,4096,\nsoft,softmax,,,,4096,4096,\nnorm,rmsnorm,,,,4096,4096,\n"

// The keys of a type of operator hold for it alone, those of other for the rest, those
// of a function for it.
func TestKeysByType(t *testing.T) {
	s := DefaultSpec()
	base := cycles(run(t, s, work.Share{Graph: list(t, few)}))
	s.Launch.Times = map[string]units.Latency{"gemm": units.InTime(13 * units.Microsecond), "gelu": units.InTime(4 * units.Microsecond)}
	s.Efficiency = map[string]float64{"softmax": 0.425, "other": 0.85}
	got := cycles(run(t, s, work.Share{Graph: list(t, few)}))
	require.Equal(t, base["fc"]+10000, got["fc"])
	require.Equal(t, base["act"]+3500, got["act"])
	for _, name := range []string{"sum", "norm"} {
		require.Equal(t, base[name], got[name], name)
	}
	// 2 x 33.5 MB at 850 GB/s, of which a third of 32 MiB stays in the L2 for now.
	require.InEpsilon(t, 500+700+(67108864-0.3*(32<<20))/850, base["act"], 1e-3)
	require.InEpsilon(t, 500+700+(67108864-0.3*(32<<20))/425, got["soft"], 1e-3)
}

// int8 has twice the rate of fp16, and fp32, which the matrix units lack, that of the
// vector units.
func TestElementTypes(t *testing.T) {
	c := cycles(run(t, DefaultSpec(), work.Share{Graph: list(t, few)}))
	require.InEpsilon(t, float64(c["fc"]-3000)/2, float64(c["fc8"]-3000), 0.15)
	require.Greater(t, c["fc32"], 6*c["fc"])
}

// A sum of long rows has as many threads as it has elements, and a depthwise convolution no
// tiles of products: both are bound by their bytes, launch and latency apart.
func TestStreamsOfManyThreads(t *testing.T) {
	g := list(t, "name,op,rows,cols,channels,filters,groups,kernel,padding,height,width\n"+
		"sum,reduce,8192,8192,,,,,,,\nsoft,softmax,8192,8192,,,,,,,\ndw,conv,,,512,512,512,3,1,112,112\n")
	s := DefaultSpec()
	s.Absorbed = 0
	got := cycles(run(t, s, work.Share{Graph: g}))
	require.InEpsilon(t, 500+700+2*(8192*8192+8192)/850, got["sum"], 0.01)
	require.Less(t, got["sum"], got["soft"]*6/10)
	require.InEpsilon(t, 3000+700+2*(2*512*112*112+9*512)/850, got["dw"], 0.02)
}

// Utilization is of the peak in the element type of each product: half the time in int8,
// of twice the rate, is the same share.
func TestUtilizationIsOfTheElementType(t *testing.T) {
	s := DefaultSpec()
	c := run(t, s, work.Share{Graph: list(t, "name,op,m,n,k,dtype\nh,gemm,8192,8192,8192,fp16\nb,gemm,8192,8192,8192,int8\nf,gemm,1024,1024,1024,fp32\n")})
	shares := map[string]float64{}
	table := c.Layers()
	for _, row := range table.Held().Rows {
		v := row[table.Index("utilization")].(float64)
		require.LessOrEqual(t, v, 100.0)
		shares[row[0].(string)] = v
	}
	macs, rates := float64(8192*8192*8192), s.Tensor
	for name, rate := range map[string]float64{"h": rates["fp16"], "b": rates["int8"]} {
		require.InEpsilon(t, 100*macs/(rate*float64(s.SMs)*float64(cycles(c)[name])), shares[name], 1e-9)
	}
	require.InEpsilon(t, 100*float64(1024*1024*1024)/(s.Vector*float64(s.SMs)*float64(cycles(c)["f"])), shares["f"], 1e-9)
}

// Operands that the operator before has left are read from the L2, weights are not.
func TestWarmCaches(t *testing.T) {
	g := list(t, "name,op,m,n,k,rows,cols\nact,gelu,,,,1024,1024\nfc,gemm,16,8192,8192,,\n")
	s := DefaultSpec()
	s.Least, s.Absorbed, s.Resident = units.Latency{}, 0, 1
	cold := cycles(run(t, s, work.Share{Graph: g}))
	s.Caches = warm
	got := cycles(run(t, s, work.Share{Graph: g}))
	require.InEpsilon(t, float64(cold["act"])-2097152/850, got["act"], 0.01, "2 MiB are there already")
	require.InEpsilon(t, cold["fc"], got["fc"], 0.01)
	s.L2 = none
	require.Equal(t, cold["act"], cycles(run(t, s, work.Share{Graph: g}))["act"])
}

func TestWorkloadsGoByArrival(t *testing.T) {
	g := list(t, "op,rows,cols\nadd,64,64\n")
	c := run(t, DefaultSpec(), work.Share{Name: "late", Graph: g, Arrival: 10 * units.Microsecond}, work.Share{Name: "early", Graph: g})
	rows := c.Layers().Held().Rows
	require.Equal(t, []any{"add_1", "early", "elementwise", uint64(0)}, rows[0][:4])
	require.Equal(t, []any{"add_1", "late", "elementwise", uint64(10000)}, rows[1][:4])
}

func TestSharedWorkIsRefused(t *testing.T) {
	c := New("Chip", engine.New(), DefaultSpec())
	w := work.Share{Graph: list(t, "name,op,rows,cols\na,add,1,1\n"), Program: mapping.Program{Jobs: []mapping.Job{{Awaited: true}}}}
	require.EqualError(t, work.IssueAll(c, w), "Chip: layer a is shared with other nodes (the node works alone)")
}

// What is issued during a run takes what Plan says.
func TestPlanIsTheTime(t *testing.T) {
	g := list(t, few)
	w := work.Share{Name: "w", ID: 3, Graph: g, Program: mapping.Program{Jobs: []mapping.Job{{Op: 0, Fused: []int{3}}}}}
	c := New("Chip", engine.New(), DefaultSpec())
	require.NoError(t, c.Prepare(w))
	all := cycles(run(t, DefaultSpec(), work.Share{Graph: g}))
	cost := c.Plan(3, 0)
	require.Equal(t, units.Time(all["fc"]+all["act"])*units.Nanosecond, cost.Time)
	require.Equal(t, cost, c.Plan(3, 0))
}

// Every model runs, with attention apart and as one operator, and does its work in no
// less than its roofs allow.
func TestEveryNetworkIsBounded(t *testing.T) {
	s := DefaultSpec()
	for _, name := range zoo.All.Names() {
		g, err := zoo.Build(name, zoo.Params{})
		require.NoError(t, err)
		g.SetDTypes(graph.Uniform(graph.FP16))
		for _, g := range []*graph.Graph{g, g.FuseAttention(g.Chains())} {
			c := run(t, s, work.Share{Graph: g})
			require.Equal(t, uint64(g.MACs()), c.sum.macs, name)
			require.GreaterOrEqual(t, float64(*c.End()), float64(g.MACs())/100/1024, name)
		}
	}
}

func TestFaultsOfKeys(t *testing.T) {
	for text, want := range map[string]string{
		"sustained: 0":                     "sustained: is 0 (want over 0 to 1)",
		"issue: 1.5":                       "issue: is 1.5 (want over 0 to 1)",
		"memory: 0B/s":                     "memory is 0B/s (want more)",
		"memory_latency: 0ns":              "memory_latency is 0s (want more)",
		"l2_size: 0B":                      "l2_size is 0B (want more than 0B and at most 1TiB, or l2: none)",
		"launch: {gem: 1us}":               `launch.gem: unknown key (want one of: `,
		"memory_efficiency: {gemm: 2}":     "memory_efficiency.gemm: is 2 (want over 0 to 1)",
		"tensor_efficiency: {conv: 2}":     "tensor_efficiency.conv: is 2 (want over 0 to 1)",
		"vector_efficiency: {softmax: -1}": "vector_efficiency.softmax: is -1 (want over 0 to 1)",
		"tensor: {f16: 2}":                 "tensor.f16: unknown key (want one of: int8,",
		"l2: none, l2_size: 2MB":           "l2_size: has no effect with l2: none (used by: internal)",
		"l2: none, rereads: lru":           "rereads: has no effect with l2: none: every tile reads its own panels",
		"results: bypass":                  "results: has no effect with rereads: none (used by: lru)",
		"rereads: none, results: bypass":   "results: has no effect with rereads: none (used by: lru)",
		"caches: cold, resident: 0.1":      "resident: has no effect with caches: cold (used by: warm)",
	} {
		v, err := configs.ParseValue("f", []byte("{"+text+"}"))
		require.NoError(t, err)
		s := DefaultSpec()
		require.NoError(t, v.Decode(&s), text)
		require.ErrorContains(t, s.check(v), want, text)
	}
}

// Layers of several element types have each a peak of their own in the table, which none
// exceeds; in fp16 alone that of the node stands for all.
func TestPeaksByElementType(t *testing.T) {
	s := DefaultSpec()
	tab := run(t, s, work.Share{Graph: list(t, few)}).Layers()
	at, macs, spent := tab.Index("peak_macs"), tab.Index("macs"), tab.Index("cycles")
	require.Positive(t, at)
	peaks := map[string]any{}
	for _, row := range tab.Held().Rows {
		if peaks[row[0].(string)] = row[at]; row[at] != nil {
			require.LessOrEqual(t, float64(row[macs].(uint64))/float64(row[spent].(uint64)), row[at], row[0])
		}
	}
	sms := float64(s.SMs)
	require.Equal(t, map[string]any{"fc": s.Tensor["fp16"] * sms, "fc8": s.Tensor["int8"] * sms, "fc32": s.Vector * sms,
		"act": nil, "sum": nil, "soft": nil, "norm": nil}, peaks)
	tab = run(t, s, work.Share{Graph: list(t, "name,op,m,n,k\nfc,gemm,64,64,64\n")}).Layers()
	require.Negative(t, tab.Index("peak_macs"))
}

// What a kernel spends in latencies does not depend on the bandwidth, and is the most of a short one.
func TestLatencyIsNoWaitForBytes(t *testing.T) {
	row := func(memory units.Bandwidth, rows string) layer {
		s := DefaultSpec()
		s.Memory = memory
		return run(t, s, work.Share{Graph: list(t, "name,op,rows,cols\nnorm,rmsnorm,"+rows+",4096\n")}).Rows()[0]
	}
	slow, fast := row(8e12, "8"), row(32e12, "8")
	require.Greater(t, slow.latency, slow.memory)
	require.Equal(t, "latency", slow.bound())
	require.InDelta(t, slow.latency, fast.latency, 0.1*float64(slow.latency))
	long := row(8e12, "65536")
	require.Equal(t, "memory", long.bound())
	require.LessOrEqual(t, long.latency, slow.latency)
}

// Norms, activations and attentions of a model give products activations of few bits; a product of the model's input
// and rows of a list hold the quantisation, two kernels.
func TestKernelsBeforeQuantise(t *testing.T) {
	s := DefaultSpec()
	s.Architecture, s.Kernels.Library = "sm100", "trtllm"
	s.Tensor = map[string]float64{"bf16": 4096, "fp8": 8192}
	g := block(t)
	g.SetDTypes(graph.Uniform(graph.FP8))
	apart := s
	apart.Kernels.Join = false
	together, each := cycles(run(t, s, work.Share{Graph: g})), cycles(run(t, apart, work.Share{Graph: g}))
	for _, name := range []string{"o", "down"} {
		require.Less(t, 2*together[name], each[name], name)
	}
	g.List = true
	require.Equal(t, each["o"], cycles(run(t, s, work.Share{Graph: g}))["o"])
	g.List = false
	g.SetDTypes(graph.Uniform(graph.BF16))
	wide := cycles(run(t, s, work.Share{Graph: g}))
	require.LessOrEqual(t, together["down"], wide["down"], "half the bytes are no slower")
	require.Greater(t, together["q"], wide["q"])
}
