package cxl

import (
	"math"
	"math/big"
	"slices"
	"testing"

	"github.com/sarchlab/akita/v3/sim"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/causeway-sim/causeway/components/clock"
	"github.com/causeway-sim/causeway/components/clock/instant"
	"github.com/causeway-sim/causeway/components/engine"
	"github.com/causeway-sim/causeway/components/system"
	"github.com/causeway-sim/causeway/configs"
	_ "github.com/causeway-sim/causeway/configs/yaml"
	"github.com/causeway-sim/causeway/memory/cxl/link"
	"github.com/causeway-sim/causeway/memory/cxl/setting"
	"github.com/causeway-sim/causeway/memory/cxl/transit"
	_ "github.com/causeway-sim/causeway/memory/ideal"
	_ "github.com/causeway-sim/causeway/workloads/player"
)

// A line whose parts do not add up, or of which one is negative, is an error.
func TestPartsOfALineAddUp(t *testing.T) {
	var c rootCount
	l := &transit.Line{}
	l.Start, l.Device = 100, -1
	l.Parts[transit.Host], l.Parts[transit.Wire] = 30, 20
	require.NoError(t, c.line(l, 150))
	require.ErrorContains(t, c.line(l, 149), "the parts of a line's latency are 50 ps, the whole 49 ps")
	l.Parts[transit.Host], l.Parts[transit.Wire] = 60, -10
	require.ErrorContains(t, c.line(l, 150), "part wire of a line is -10 ps")
	require.EqualValues(t, 3, c.lines[0])
	l.Write, l.Parts[transit.Wire] = true, 0
	require.NoError(t, c.line(l, 160))
	require.Equal(t, [2]uint64{3, 1}, c.lines)
	require.Equal(t, [2]int64{149, 60}, c.total)
}

// Each kind has the levers that its keys name; a device that keeps itself coherent has its filter besides.
func TestLeversOfKinds(t *testing.T) {
	for _, c := range []struct {
		levers []system.Lever
		want   []string
	}{
		{rootLevers(setting.RootSpec{}), []string{"link.lanes", "outstanding", "bridge", "protocol", "link.rate", "cache.size", "host_latency"}},
		{switchLevers(setting.SwitchSpec{}), []string{"link.lanes", "latency", "link.rate"}},
		{fabricLevers(setting.FabricSpec{}), []string{"link.lanes", "channel.lanes", "latency", "channel.latency", "link.rate"}},
		{type3Levers(setting.Type3Spec{HDM: "h"}), []string{"entries", "protocol"}},
		{type3Levers(setting.Type3Spec{HDM: "db"}), []string{"entries", "protocol", "filter.entries"}},
		{type2Levers(setting.Type2Spec{}), []string{"entries", "protocol", "cache.size"}},
	} {
		var keys []string
		for _, l := range c.levers {
			keys = slices.Concat(keys, l.Keys)
		}
		require.Equal(t, c.want, keys)
	}
}

// together is a host, a switch, and a Type 2 device that reaches the host's memory, as they are before a run.
func together(t *testing.T, set ...string) *system.System {
	d, err := configs.Parse("t.yaml", []byte(`schema: causeway/1
nodes:
  - {name: Driver, kind: driver, generate: {name: stream, count: 1}}
  - {name: Root, kind: cxl_root, timeout: 2us}
  - {name: Far, kind: cxl_type3, memory: {kind: memory, fidelity: ideal, clock: 1GHz, latency: 40ns, size: 4GiB}}
links:
  - Driver -> Root.host
  - {link: Root.down -> Far.up, latency: 3ns}
`), configs.Options{Set: set})
	require.NoError(t, err)
	s, err := system.Build(d, &system.Env{Engine: engine.New(), Seed: 1})
	require.NoError(t, err)
	return s
}

// Whatever is left at the end of a run, be it one, is reported; at rest nothing is.
func TestWhatIsLeftIsReported(t *testing.T) {
	for what, c := range map[string]struct {
		node  string
		leave func(r *Root, d *Type3)
		want  string
	}{
		"nothing, root":       {"Root", func(*Root, *Type3) {}, ""},
		"nothing, device":     {"Far", func(*Root, *Type3) {}, ""},
		"an answer too few":   {"Root", func(r *Root, _ *Type3) { r.count.Reads++ }, "1 requests, 0 answers"},
		"an answer too many":  {"Root", func(r *Root, _ *Type3) { r.count.answered++ }, "0 requests, 1 answers"},
		"parts, reads":        {"Root", func(r *Root, _ *Type3) { r.count.total[0] = 5 }, "0 ps in parts, 5 ps in all"},
		"parts, writes":       {"Root", func(r *Root, _ *Type3) { r.count.parts[1][3] = 5 }, "5 ps in parts, 0 ps in all"},
		"a line not answered": {"Root", func(r *Root, _ *Type3) { r.count.issued++ }, "1 lines issued, 0 answered, 0 given up"},
		"a line given up":     {"Root", func(r *Root, _ *Type3) { r.count.issued++; r.count.expired[1]++ }, "1 lines given up, 0 lost, 0 late"},
		"a line at memory":    {"Far", func(_ *Root, d *Type3) { d.pool.Inside = 1 }, "1 lines at the memory, 0 in front of it"},
		"a line before it":    {"Far", func(_ *Root, d *Type3) { d.pool.Waiting = 1 }, "0 lines at the memory, 1 in front of it"},
	} {
		s := together(t)
		r, d := s.Node("Root").(*Root), s.Node("Far").(*Type3)
		require.Empty(t, append(r.Waiting(), d.Waiting()...))
		c.leave(r, d)
		found := s.Node(c.node).Stats().Verify()
		if c.want == "" {
			require.Empty(t, found, what)
			continue
		}
		require.Len(t, found, 1, what)
		require.ErrorContains(t, found[0], c.want, what)
		if c.node == "Far" {
			require.Len(t, d.Waiting(), 1)
			require.Contains(t, d.Waiting()[0].Why, c.want)
		}
	}
}

// Lines that are lost are waited for where they are lost, requests at the devices.
func TestLostLinesAreWaitedFor(t *testing.T) {
	r := together(t).Node("Root").(*Root)
	r.fabric.places = []string{"here", "there"}
	r.lost, r.count.open = []int{0, 2}, 1
	var told []string
	for _, w := range r.Waiting() {
		told = append(told, w.String())
	}
	require.Equal(t, []string{"Root waits for there: 2 lines are lost there, and no timeout gives them up", "Root waits for Root's devices: 1 requests are not answered"}, told)
}

// The ports of a node are found by their names.
func TestPortsAreNamed(t *testing.T) {
	s := together(t)
	for node, names := range map[string][]string{"Root": {"Host", "Mem"}, "Far": {"Port"}} {
		n := s.Node(node).(sim.Component)
		for _, name := range names {
			require.Equal(t, node+"."+name, n.GetPortByName(name).Name())
		}
	}
}

// The energy of a link is that of the bits that its flits take on the wires, both ways and control flits too.
func TestEnergyIsThatOfFlits(t *testing.T) {
	s := together(t, "Root.timeout=0ns")
	for _, n := range s.Nodes() {
		if x, ok := n.(system.Starter); ok {
			require.NoError(t, x.Start())
		}
	}
	r := s.Node("Root").(*Root)
	require.NoError(t, r.engine.Run())
	perBit, ok, err := r.spec.Link.PerBit()
	require.NoError(t, err)
	require.True(t, ok)
	got, flits := map[string]float64{}, 0.0
	for _, m := range r.Stats().Metrics() {
		got[m.Name] = m.Value
	}
	for _, kind := range []string{"flits_", "control_flits_", "replayed_flits_"} {
		flits += got[kind+"down"] + got[kind+"up"]
	}
	require.Positive(t, flits)
	const onWire = 68 * 8 * 130. / 128 // bits of a flit of 68 B, sync headers included
	require.InEpsilon(t, flits*onWire*perBit, got["energy"], 0.01)
}

// The number of a port is the one in brackets.
func TestIndexOfAPort(t *testing.T) {
	for port, want := range map[string]int{"up": 0, "up[0]": 0, "down[3]": 3, "terminal[17]": 17} {
		require.Equal(t, want, index(port), port)
	}
}

// Lines that wait for an answer are due in the order in which they set out. Those that have their answer, or
// whose place others have taken, are passed; the queue does not grow with them.
func TestWatches(t *testing.T) {
	var lines transit.Lines
	var w watches
	for n := range int64(1000) {
		i, l := lines.New()
		w.push(watch{at: n + 5, line: i, turn: l.Turn})
		require.Equal(t, n+5, w.next(&lines))
		l.Done, l.Over = true, true
		lines.FreeIfEnded(i)
	}
	require.Less(t, len(w.list), 200)
	i, l := lines.New()
	w.push(watch{2000, i, l.Turn})
	j, m := lines.New()
	w.push(watch{2001, j, m.Turn})
	require.EqualValues(t, 2000, w.next(&lines))
	lines.At(i).Done = true
	require.EqualValues(t, 2001, w.next(&lines))
}

// The loop of a fabric may certainly go up to a picosecond or two before the next event of others, never to it.
func TestBeforeAnEvent(t *testing.T) {
	for _, ps := range []uint64{3, 4, 1000, 123456789, 1e12, 1e15} {
		n := before(instant.Of(setting.Fine, ps))
		require.Less(t, n, int64(ps))
		require.GreaterOrEqual(t, n, int64(ps)-3)
	}
	require.EqualValues(t, 0, before(0))
	require.EqualValues(t, link.Never, before(sim.VTimeInSec(math.Inf(1))))
}

// Cycles of the memory of a device in picoseconds of its fabric and back, against division of whole numbers.
func TestCyclesOfAMemory(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := rapid.SampledFrom([]clock.Clock{clock.GHz, clock.Hz(1333333333), clock.Period(1<<20, 1e12), clock.Period(416, 1e12)}).Draw(t, "clock")
		m := &carried{clock: c}
		divided := func(n, by, of uint64) *big.Int {
			x := new(big.Int).Mul(new(big.Int).SetUint64(n), new(big.Int).SetUint64(by))
			return x.Div(x, new(big.Int).SetUint64(of))
		}
		cycle := rapid.Uint64Range(0, 1e9).Draw(t, "cycle")
		require.Equal(t, divided(cycle, c.Num()*1e12, c.Den()).Int64(), m.floor(cycle), "the last picosecond not after it")
		ps := rapid.Uint64Range(0, 1e15).Draw(t, "ps")
		require.Equal(t, divided(ps, c.Den(), c.Num()*1e12).Uint64()+1, m.after(int64(ps)), "the first cycle after it")
	})
}
