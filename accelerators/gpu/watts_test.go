package gpu

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/accelerators/gpu/power"
	"github.com/causeway-sim/causeway/accelerators/work"
	"github.com/causeway-sim/causeway/components/engine"
	"github.com/causeway-sim/causeway/components/units"
	"github.com/causeway-sim/causeway/configs"
	"github.com/causeway-sim/causeway/workloads/graph"
	"github.com/causeway-sim/causeway/workloads/zoo"
)

func priced() Spec {
	s := DefaultSpec()
	s.Power = PowerSpec{Process: "4n", DRAM: "hbm3", PHY: "nvlink4", Idle: 100, Active: 80}
	s.PowerLimit = 700
	return s
}

// metric is a metric of a node, by name.
func metric(t require.TestingT, c *Comp, name string) float64 {
	for _, m := range c.Stats().Metrics() {
		if m.Name == name {
			return m.Value
		}
	}
	require.Failf(t, "no metric", name)
	return 0
}

// Every joule has one owner: the energy of the node is the sum of its parts, that of its operators
// and of the rest between them; events take their figures.
func TestEnergyAddsUp(t *testing.T) {
	c := run(t, priced(), work.Share{Graph: list(t, few)})
	sum, layers := 0.0, 0.0
	for _, name := range power.Names {
		sum += metric(t, c, "energy_"+name[0])
	}
	f, _ := power.FiguresOf("4n")
	for _, l := range c.Rows() {
		layers += l.energy.Total()
		ns := c.clock.Nanoseconds(l.cycles)
		require.InEpsilon(t, 100*ns*1e3, l.energy[power.Static], 1e-9)
		require.LessOrEqual(t, l.energy.Total(), 700*ns*1e3*(1+1e-9), l.name)
		require.InDelta(t, 31.36*float64(l.far), l.energy[power.Memory], 1)
		require.GreaterOrEqual(t, l.near, l.far, "what comes from memory passes the L2")
		if l.name == "fc" {
			require.InEpsilon(t, f.MAC["fp16"]*1024*1280*4096, l.dynamic[power.Matrix], 1e-9)
		}
		if l.name == "fc32" { // for the vector units
			require.Zero(t, l.dynamic[power.Matrix])
			require.GreaterOrEqual(t, l.dynamic[power.Vector], f.Vector*1024*1280*4096)
		}
	}
	all := metric(t, c, "energy")
	require.InEpsilon(t, all, sum, 1e-9)
	require.InEpsilon(t, all, layers, 1e-9, "one operator after the other")
	mean := metric(t, c, "power_mean")
	require.InEpsilon(t, all/(c.clock.Nanoseconds(*c.End())*1e3), mean, 1e-9)
	require.Greater(t, metric(t, c, "power_peak"), mean)
	require.Equal(t, 700.0, metric(t, c, "power_limit"))
}

// A GPU at rest takes its power at rest.
func TestRest(t *testing.T) {
	c := run(t, priced(), work.Share{Graph: list(t, few)})
	busy := metric(t, c, "energy")
	before := *c.End()
	*c.End() += 1000
	require.InEpsilon(t, busy+100*c.clock.Nanoseconds(1000)*1e3, metric(t, c, "energy"), 1e-9)
	*c.End() = before
}

// A node without a process has no energy, and one whose memory is below a port leaves that to it.
func TestEnergyHasOneOwner(t *testing.T) {
	for _, m := range run(t, DefaultSpec(), work.Share{Graph: list(t, few)}).Stats().Metrics() {
		require.NotContains(t, m.Name, "energy")
		require.NotContains(t, m.Name, "power")
	}
	s := priced()
	require.Equal(t, 31.36, s.watts(true).Memory)
	require.Zero(t, s.watts(false).Memory)
}

// Figures that are given replace those of the process.
func TestFiguresAreReplaced(t *testing.T) {
	e := configs.Errors{}
	v, err := configs.ParseValue("x", []byte("process: 4n\nmac: {fp16: 2pJ}\nl2_byte: 7pJ\nmemory_byte: 3pJ\nlink_byte: 4pJ\nissue: 5pJ\nvector: 6pJ\nshared_byte: 8pJ\n"))
	require.NoError(t, err)
	s := priced()
	require.NoError(t, v.Decode(&s.Power))
	s.Power.check(v, &e)
	require.NoError(t, e.Err())
	c := s.watts(true)
	require.InDeltaSlice(t, []float64{2, 7, 3, 4, 5, 6, 8}, []float64{c.MAC["fp16"], c.L2, c.Memory, c.Link, c.Issue, c.Vector, c.Shared}, 1e-9)
	v, err = configs.ParseValue("x", []byte("mac: {fp17: 2pJ}\nidle: 3W\n"))
	require.NoError(t, err)
	s.Power.Process = power.None
	s.Power.MAC = map[string]units.Energy{"fp17": 2e-12}
	s.Power.check(v, &e)
	require.ErrorContains(t, e.Err(), "mac.fp17: unknown key")
	require.ErrorContains(t, e.Err(), "x:2:7: idle: has no effect with process: none")
}

// Every preset of a GPU has an energy model and the limit of its data sheet, which no kernel goes over.
func TestPresetsHavePower(t *testing.T) {
	all := chips(t)
	for name, s := range all {
		require.NotEqual(t, power.None, s.Power.process(), name)
		require.Greater(t, float64(s.PowerLimit), float64(s.Power.Idle+s.Power.Active), name)
		require.Positive(t, s.watts(true).Memory, name)
	}
	require.Len(t, all, 23)
}

// Links take what is sent; the chip reads and writes it.
func TestTransfersTakeTheirLink(t *testing.T) {
	s := priced()
	s.Architecture, s.Link = "sm90", 8*450e9
	g := list(t, "name,op,elements,ranks\nx,all_reduce,1048576,8\n")
	c := run(t, s, work.Share{Graph: g})
	l := c.Rows()[0]
	sent := 2 * 7.0 / 8 * float64(g.Tensor(g.Ops[0].In[0]).Bytes())
	require.InEpsilon(t, sent*8*1.3, l.energy[power.Link], 1e-6)
	require.InEpsilon(t, 2*sent, float64(l.far), 1e-6)
}

// Under continuous load a chip keeps its limit by a lower clock, at which products take longer and
// their energy less; kernels below the limit are as before.
func TestContinuousLoadKeepsTheLimit(t *testing.T) {
	s := priced()
	s.PowerLimit, s.Tensor = 230, map[string]float64{"fp16": 4096, "int8": 8192}
	free := run(t, s, work.Share{Graph: list(t, few)})
	s.Load = continuous
	held := run(t, s, work.Share{Graph: list(t, few)})
	slower := 0
	for i, l := range held.Rows() {
		was := free.Rows()[i]
		w, _ := held.watts(&l)
		require.LessOrEqual(t, w, 230.0, l.name)
		if l.share == 0 {
			require.Equal(t, was.cycles, l.cycles, l.name)
			continue
		}
		slower++
		require.Less(t, l.share, 1.0)
		require.GreaterOrEqual(t, l.cycles, was.cycles, l.name)
		require.InDelta(t, 0.98*230, w, 3, l.name)
	}
	require.Positive(t, slower)
	s.PowerLimit = 1e6
	none := run(t, s, work.Share{Graph: list(t, few)})
	require.Equal(t, cycles(free), cycles(none))
}

// Attentions of unlike requests are one kernel, which keeps the limit with one clock: that of all parts together,
// whichever comes first. A planned step has the time of an issued one.
func TestAttentionsOfAStepKeepTheLimit(t *testing.T) {
	for _, library := range []string{cutlass, "trtllm"} {
		s := priced()
		s.Architecture, s.Kernels.Library = "sm90", library
		g, err := zoo.Build("llama3_8b", zoo.Params{Groups: []zoo.Group{{Requests: 1, Tokens: 2000, Context: 2300}, {Requests: 3, Tokens: 1, Context: 900, Sample: true}, {Requests: 1, Tokens: 1000, Context: 9000}}})
		require.NoError(t, err)
		g.SetDTypes(graph.Uniform(graph.BF16))
		g = g.FuseAttention(g.Chains())
		var parts, turned []work.Attention
		for i := range g.Ops {
			if k, ok := g.Ops[i].Kind.(graph.Attention); ok && strings.HasPrefix(g.Ops[i].Name, "L7.") {
				parts = append(parts, work.Attention{Attention: k, Requests: g.Tensor(g.Ops[i].In[0]).Shape[0]})
			}
		}
		require.Len(t, parts, 3)
		turned = append(append(turned, parts[2]), parts[:2]...)
		s.PowerLimit = 210
		free := New("Chip", engine.New(), s).Attend(parts, graph.Uniform(graph.BF16)).Time
		s.Load = continuous
		chip := New("Chip", engine.New(), s)
		held := chip.Attend(parts, graph.Uniform(graph.BF16)).Time
		require.Greater(t, held, free, library)
		require.InEpsilon(t, float64(held), float64(chip.Attend(turned, graph.Uniform(graph.BF16)).Time), 2e-3, library)
		c := run(t, s, work.Share{Graph: g})
		n := 0
		for _, l := range c.Rows() {
			if strings.HasPrefix(l.name, "L7.") && l.kind == "attention" && l.cycles > 0 {
				n++
				w, _ := c.watts(&l)
				require.InDelta(t, 0.98*210, w, 4, "%s %s: one clock for all parts", library, l.name)
				require.Less(t, l.share, 1.0)
				require.InEpsilon(t, float64(held)/float64(units.Second), s.Clock.Clock.Nanoseconds(l.cycles)*1e-9, 2e-3, library)
			}
		}
		require.Equal(t, 1, n, library)
	}
}

// What a kernel that scales its own operand takes more keeps the limit too, and so do transfers.
func TestEveryPriceKeepsTheLimit(t *testing.T) {
	s := priced()
	s.Architecture, s.Kernels.Library, s.Link = "sm90", "trtllm", 8*450e9
	s.Tensor = map[string]float64{"fp16": 4096, "bf16": 4096, "fp8": 8192, "int8": 8192}
	s.PowerLimit = 190
	g := list(t, "name,op,m,n,k,dtype\nfc,gemm,4096,4096,4096,fp8\n")
	moved := list(t, "name,op,elements,ranks\nx,all_reduce,268435456,8\n")
	burst := New("Chip", engine.New(), s)
	free, ok := burst.PriceQuantised(g, 0)
	require.True(t, ok)
	s.Load = continuous
	c := New("Chip", engine.New(), s)
	held, ok := c.PriceQuantised(g, 0)
	require.True(t, ok)
	require.Greater(t, held, free)
	row := run(t, s, work.Share{Graph: moved}).Rows()[0]
	w, _ := run(t, s, work.Share{Graph: moved}).watts(&row)
	require.LessOrEqual(t, w, 190.0, "%+v", row)
}
