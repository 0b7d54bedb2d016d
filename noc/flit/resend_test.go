package flit_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/sarchlab/akita/v3/sim"
	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/components/engine"
	"github.com/causeway-sim/causeway/components/system"
	"github.com/causeway-sim/causeway/components/units"
	"github.com/causeway-sim/causeway/configs"
	_ "github.com/causeway-sim/causeway/configs/yaml"
	"github.com/causeway-sim/causeway/noc/fabric/setting"
	"github.com/causeway-sim/causeway/noc/network"
	"github.com/causeway-sim/causeway/noc/topology"
)

// failing makes all channels of router 0 of a network fail, one after the other, each for a
// time.
func failing(s setting.Spec, first, each uint64) setting.Spec {
	t, err := s.Topology.Make()
	if err != nil {
		panic(err)
	}
	for p := range t.Ports(0) {
		if _, _, ok := t.Peer(0, p); ok {
			at, until := units.InCycles(first), units.InCycles(first+each)
			s.Failed = append(s.Failed, network.Failure{Router: 0, Port: &p, At: &at, Until: &until})
			first += each
		}
	}
	return s
}

func play(t *testing.T, e sim.Engine, s setting.Spec) *rig {
	r := build(t, e, s, 1, func(k int) sim.Connection { return engine.NewWire(fmt.Sprintf("Wire[%d]", k), e) })
	r.load(20, 2048)
	require.NoError(t, e.Run())
	return r
}

func value(t *testing.T, r *rig, name string) float64 {
	for _, m := range r.net.Stats().Metrics() {
		if m.Name == name {
			return m.Value
		}
	}
	t.Fatal("no metric", name)
	return 0
}

// With a timeout each message arrives once, and requests in their order, whatever a failure
// cuts; the result is that of every engine, and says what was lost.
func TestLostPacketsAreSentAgain(t *testing.T) {
	for name, s := range map[string]setting.Spec{
		"mesh":      spec("mesh", topology.GridSpec{Dims: []int{3, 3}}, "dor", nil),
		"dragonfly": spec("dragonfly", topology.DragonflySpec{P: 2, A: 2, H: 1}, "ugal_l", nil),
		"through":   spec("dragonfly", topology.DragonflySpec{P: 2, A: 2, H: 1}, "par", nil),
	} {
		t.Run(name, func(t *testing.T) {
			s := failing(s, 60, 150)
			s.Timeout = units.InCycles(500)
			first := ""
			for i, e := range []sim.Engine{engine.New(), engine.New(engine.Shuffle(7)), engine.Adopt(sim.NewSerialEngine())} {
				r := play(t, e, s)
				got := r.order(t, 20)
				if i == 0 {
					first = got
					require.Greater(t, value(t, r, "packets_lost"), 0.)
					require.Equal(t, value(t, r, "packets_lost"), value(t, r, "packets_resent"))
					require.Zero(t, value(t, r, "messages_lost"))
					require.Contains(t, strings.Join(r.net.Warnings(), "\n"), "all were sent again, and no message was lost.")
				}
				require.Equal(t, first, got)
			}
		})
	}
}

// Without one, messages are lost and told: those that arrive, arrive once and in order.
func TestLostMessagesAreTold(t *testing.T) {
	s := failing(spec("mesh", topology.GridSpec{Dims: []int{3, 3}}, "dor", nil), 60, 150)
	e := engine.New()
	var told []sim.Msg
	r := build(t, e, s, 1, func(k int) sim.Connection { return engine.NewWire(fmt.Sprintf("Wire[%d]", k), e) })
	r.net.OnLoss(func(_ sim.VTimeInSec, m sim.Msg) { told = append(told, m) })
	r.load(20, 2048)
	require.NoError(t, e.Run())
	came := map[string]bool{}
	for _, x := range r.ends {
		for _, m := range x.in {
			came[m.Meta().ID] = true
		}
	}
	for _, m := range told {
		require.False(t, came[m.Meta().ID], "both lost and there")
		came[m.Meta().ID] = true
	}
	require.NotEmpty(t, told)
	require.Len(t, came, 20*len(r.ends))
	require.EqualValues(t, len(told), value(t, r, "messages_lost"))
	for _, err := range r.net.Stats().Verify() {
		require.NoError(t, err)
	}
	require.Contains(t, strings.Join(r.net.Warnings(), "\n"), "none was sent again (timeout). ")
	require.Contains(t, r.net.Reasons()[0].Why, "and is not sent again")
}

// A packet of 50 flits crosses a ring of 4 to the next router. The failure of its channel
// costs what is on the way; the sender tries again after the timeout, the long way round.
// What has left the channel, or fails after, changes nothing.
func TestCutInTwo(t *testing.T) {
	arrives := func(at, until uint64) (uint64, float64) {
		s := spec("ring", topology.RingSpec{Size: 4, Concentration: 1}, "dor", nil)
		s.Timeout = units.InCycles(200)
		if at > 0 {
			from, to, up := units.InCycles(at), 1, units.InCycles(until)
			s.Failed = []network.Failure{{Router: 0, To: &to, At: &from}}
			if until > 0 {
				s.Failed[0].Until = &up
			}
		}
		e := engine.New()
		r := build(t, e, s, 1, func(k int) sim.Connection { return engine.NewWire(fmt.Sprintf("Wire[%d]", k), e) })
		m := &letter{MsgMeta: sim.MsgMeta{Src: r.ends[0].port, Dst: r.ends[1].port, TrafficBytes: 50 * 16}}
		r.ends[0].out = []sim.Msg{m}
		require.NoError(t, e.Run())
		require.Len(t, r.ends[1].in, 1)
		lost := 0.
		if at > 0 {
			lost = value(t, r, "flits_lost")
		}
		return m.stamp.Arrived, lost
	}
	whole, _ := arrives(0, 0)
	late, lost := arrives(whole+20, 0)
	require.Equal(t, whole, late, "after the tail")
	require.Zero(t, lost)
	early, lost := arrives(1, 0)
	require.EqualValues(t, whole+2*5, early, "three channels of 5 cycles in place of one")
	require.Zero(t, lost)
	cut, lost := arrives(30, 0)
	require.EqualValues(t, 50, lost, "every flit of it ends somewhere")
	require.EqualValues(t, early+200, cut, "again by the long way, 200 cycles after its entry")
	mended, lost := arrives(30, 31)
	require.EqualValues(t, 50, lost)
	require.EqualValues(t, whole+200, mended, "again by the short way")
}

// letter is a message with room for a stamp.
type letter struct {
	sim.MsgMeta
	stamp network.Stamp
}

func (l *letter) Meta() *sim.MsgMeta           { return &l.MsgMeta }
func (l *letter) NetworkStamp() *network.Stamp { return &l.stamp }

// Failures that come when everything has arrived change nothing before.
func TestPlannedFailuresChangeNothing(t *testing.T) {
	for _, nets := range []int{1, 2} {
		s := spec("dragonfly", topology.DragonflySpec{P: 2, A: 2, H: 1}, "ugal_l", nil)
		s.VirtualNetworks = nets
		plain := play(t, engine.New(), s)
		want := plain.order(t, 20)
		r := play(t, engine.New(), failing(s, 1<<20, 50))
		require.Equal(t, want, r.order(t, 20))
		require.Contains(t, strings.Join(r.net.Warnings(), "\n"), "have no effect")
	}
}

// Keys without effect, and routers without such failures, are refused at their key.
func TestResendIsChecked(t *testing.T) {
	fails := ", failed: [{router: 0, to: 1, at: 1us}]"
	for text, want := range map[string]string{
		"timeout: 1us":                     "nodes.Net.timeout: has no effect: no channel fails during the run",
		"retries: 3" + fails:               "nodes.Net.retries: has no effect without timeout",
		"timeout: 1us, retries: 0" + fails: "nodes.Net.retries: 0 is too small (want at least 1)",
		"timeout: 1us, retries: 3" + fails: "",
		"router: {queueing: input_output, output_depth: 32, flow: virtual_cut_through}" + fails: "routers of queueing input_output have no channels that fail during the run",
		"router: {vcs: 32}" + fails: "router.vcs: is 32, and ways around channels that fail during the run need 2 more (want 32 at most together)",
	} {
		_, err := systemOf("schema: causeway/1\nnodes:\n  - {name: Net, kind: network, fidelity: flit, topology: {name: mesh, dims: [3, 3]}, " + text + "}\n")
		if want == "" {
			require.NoError(t, err)
			continue
		}
		require.ErrorContains(t, err, want, text)
	}
}

func systemOf(text string) (*system.System, error) {
	d, err := configs.Parse("f.yaml", []byte(text), configs.Options{})
	if err != nil {
		return nil, err
	}
	return system.Build(d, &system.Env{Engine: engine.New()})
}
