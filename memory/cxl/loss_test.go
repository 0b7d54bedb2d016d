package cxl_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/sarchlab/akita/v3/sim"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/causeway-sim/causeway/components/engine"
	"github.com/causeway-sim/causeway/components/system"
)

// fails runs a system that does not come to its end.
func fails(t *testing.T, text, trace string, set ...string) error {
	e := engine.New()
	s, err := build(t, e, text, trace, set...)
	require.NoError(t, err)
	for _, n := range s.Nodes() {
		if x, ok := n.(system.Starter); ok {
			require.NoError(t, x.Start())
		}
	}
	return e.Run()
}

// A host and a device below a switch whose link below is lost.
const cut = `schema: causeway/1
nodes:
  - {name: Driver, kind: driver, trace: TRACE, mode: "closed:4"}
  - {name: Root, kind: cxl_root, timeout: 2us}
  - {name: Mid, kind: cxl_switch, lost: [{down: 0, at: 5us}]}
  - {name: Far, kind: cxl_type3, memory: {kind: memory, fidelity: ideal, clock: 1GHz, latency: 40ns, size: 4GiB}}
links:
  - Driver -> Root.host
  - Root.down -> Mid.up
  - Mid.down -> Far.up
`

// What was under way on a lost link, and what follows, is given up after the timeout;
// every request is answered once and every line counted.
func TestLostLink(t *testing.T) {
	trace := lines("R", 100, 1024) + lines("W", 30, 1024)
	whole := run(t, engine.New(), strings.Replace(cut, "5us", "1ms", 1), trace)
	require.Zero(t, whole["Root lines_lost"]+whole["Root reads_timed_out"]+whole["Root late_lines"])
	m := run(t, engine.New(), cut, trace)
	require.Equal(t, 100., m["Root reads"])
	gone := m["Root reads_timed_out"] + m["Root writes_timed_out"]
	require.Equal(t, m["Root lines_lost"], gone)
	answered := 0.
	for _, x := range []string{"light", "optimal", "moderate", "severe"} {
		answered += m["Root devload_"+x]
	}
	require.Equal(t, 130*16., gone+answered)
	require.Positive(t, answered)
	require.Greater(t, gone, 500.)
	require.GreaterOrEqual(t, m["Root requests_failed"], gone/16)
	// before the loss nothing differs: the lines that came to the device in 5 us
	require.Less(t, m["Far line_reads"], whole["Far line_reads"])
	require.Equal(t, m, run(t, sim.NewSerialEngine(), cut, trace))
	require.Equal(t, m, run(t, sim.NewParallelEngine(), cut, trace))
	require.Equal(t, m, run(t, engine.New(engine.Shuffle(9)), cut, trace))
	// a requester that gets an error ends the run
	require.ErrorContains(t, fails(t, cut, trace, "Root.on_timeout=error"), "a request failed: timeout")
}

// A loss after the last line has ended is a warning. Lines that a root has given up have ended.
// A link is lost once.
func TestLossWithoutEffect(t *testing.T) {
	for at, want := range map[string]string{
		"1s":  "1 of 1 losses of Mid (lost) have no effect: the next is at 1s, and all lines had ended before.",
		"5us": "",
	} {
		e := engine.New()
		s, err := build(t, e, strings.Replace(cut, "5us", at, 1), lines("R", 100, 1024))
		require.NoError(t, err)
		require.Empty(t, s.Node("Mid").(system.Warner).Warnings(), "before the run")
		for _, n := range s.Nodes() {
			if x, ok := n.(system.Starter); ok {
				require.NoError(t, x.Start())
			}
		}
		require.NoError(t, e.Run())
		require.Equal(t, want, strings.Join(s.Node("Mid").(system.Warner).Warnings(), "\n"))
		told := strings.Join(s.Node("Root").(system.Warner).Warnings(), "\n")
		if want != "" {
			require.Empty(t, told)
			continue
		}
		var gone float64
		for _, m := range s.Node("Root").Stats().Metrics() {
			if m.Name == "reads_timed_out" {
				gone = m.Value
			}
		}
		require.Contains(t, told, fmt.Sprintf("Root gave up %g lines of reads and 0 of writes, which had no answer within 2us (timeout); the first at ", gone))
		require.Contains(t, told, "were answered with poison, as any other")
	}
	_, err := build(t, engine.New(), strings.Replace(cut, "at: 5us}", "at: 5us}, {down: 0, at: 6us}", 1), lines("R", 1, 64))
	require.ErrorContains(t, err, "nodes.Mid.lost[1]: the link is lost already, by nodes.Mid.lost[0]")
}

// Local memory beside answers as ever.
func TestLocalBesideLoss(t *testing.T) {
	text := strings.Replace(cut, "links:\n", "  - {name: Near, kind: memory, fidelity: ideal, clock: 1GHz, latency: 30ns, size: 4GiB}\nlinks:\n  - Root.mem -> Near\n", 1) +
		"memory:\n  - {tier: near, node: Near, base: 0GiB, size: 4GiB}\n  - {tier: far, node: Far, base: 4GiB}\n"
	m := run(t, engine.New(), text, lines("R", 100, 1024)+from(4<<30, "R", 200, 1024)+lines("R", 100, 1024))
	require.Equal(t, 200*16., m["Near reads"])
	require.Positive(t, m["Root reads_timed_out"])
}

// Without a timeout the run ends with a report of who waits for what.
func TestStuckWithoutTimeout(t *testing.T) {
	text := strings.Replace(cut, ", timeout: 2us", "", 1)
	err := fails(t, text, lines("R", 100, 1024))
	var stuck *engine.Stuck
	require.True(t, errors.As(err, &stuck), "%v", err)
	t.Log(err)
	require.ErrorContains(t, err, "Root waits for the link Mid.down[0] to Far.up: 64 lines are lost there, and no timeout gives them up")
	require.ErrorContains(t, err, "Root waits for Root's devices: 4 requests are not answered")
}

// Over a fabric there is another way: what was under way is lost, and so is what comes
// before the loss is detected; all that follows goes the other way.
func TestAnotherWay(t *testing.T) {
	text := fabricOf("topology: {name: mesh, dims: [2, 2], concentration: 1}, lost: [{router: 0, to: ROUTER, at: 5us}], detect: DETECT", []int{0}, []int{3})
	text = strings.Replace(text, "kind: cxl_root,", "kind: cxl_root, timeout: 10us,", 1)
	trace := lines("R", 400, 1024)
	lost, resumed := map[string]float64{}, map[string]float64{}
	for _, router := range []string{"1", "2"} {
		for _, detect := range []string{"0ns", "1us", "1ms"} {
			m := run(t, engine.New(), strings.NewReplacer("ROUTER", router, "DETECT", detect).Replace(text), trace, "Driver.mode=closed:4")
			require.Equal(t, 400., m["Root[0] reads"])
			require.Equal(t, m["Root[0] lines_lost"], m["Root[0] reads_timed_out"])
			require.Zero(t, m["Root[0] late_lines"])
			lost[detect] += m["Root[0] lines_lost"]
			resumed[detect] += m["Net messages_resumed"]
			t.Logf("0 - %s, detected after %s: %.0f lines lost, %.0f resumed", router, detect, m["Root[0] lines_lost"], m["Net messages_resumed"])
			if detect != "1ms" {
				require.Equal(t, 3., m["Net hops_max"])
				require.Equal(t, 1., m["Net tables_filled_again"])
			}
		}
	}
	require.Less(t, lost["0ns"], lost["1us"])
	require.Positive(t, resumed["0ns"], "from the switch where they were")
	require.Less(t, lost["1us"], 2*400.)
	require.Greater(t, lost["1ms"], 4000.)

	// the last way: the device's own link, or both channels
	for _, last := range []string{"{terminal: 3, at: 5us}", "{router: 0, to: 1, at: 5us}, {router: 0, to: 2, at: 5us}"} {
		x := strings.NewReplacer("{router: 0, to: ROUTER, at: 5us}", last, "DETECT", "100ns").Replace(text)
		m := run(t, engine.New(), x, trace, "Driver.mode=closed:4")
		require.Equal(t, 400., m["Root[0] reads"])
		require.Greater(t, m["Root[0] lines_lost"], 4000.)
		err := fails(t, strings.Replace(x, ", timeout: 10us", "", 1), trace, "Driver.mode=closed:4")
		require.ErrorContains(t, err, "Root[0] waits for ")
		require.ErrorContains(t, err, "lines are lost there, and no timeout gives them up")
	}
}

// Whatever is lost whenever, every request is answered, every line answered or given up,
// and those given up lost or late; so say the checks of the nodes.
func TestLossesConserve(t *testing.T) {
	trace := ""
	for d := range 3 {
		trace += from(uint64(d)<<30, "R", 4, 700) + from(uint64(d)<<30, "W", 4, 300)
	}
	rapid.Check(t, func(rt *rapid.T) {
		net := rapid.SampledFrom([]string{
			"topology: {name: mesh, dims: [3, 2], concentration: 1}",
			"topology: {name: mesh, dims: [3, 2], concentration: 1}, routing: dor",
			"topology: {name: ring, size: 6, concentration: 1}, routing: up_down",
			"topology: {name: fully_connected, routers: 6, concentration: 1}",
		}).Draw(rt, "net")
		var list []string
		lost := map[string]bool{} // a link is lost once
		add := func(link string, at int) {
			if !lost[link] {
				list = append(list, fmt.Sprintf("{%s, at: %dns}", link, at))
			}
			lost[link] = true
		}
		for range rapid.IntRange(1, 4).Draw(rt, "losses") {
			at := rapid.IntRange(0, 2000).Draw(rt, "at")
			if rapid.IntRange(0, 5).Draw(rt, "which") == 0 {
				add(fmt.Sprintf("terminal: %d", rapid.IntRange(0, 5).Draw(rt, "terminal")), at)
				continue
			}
			r := rapid.IntRange(0, 4).Draw(rt, "router")
			if strings.Contains(net, "mesh") && r == 2 { // 2 and 3 are no neighbours
				r = 3
			}
			add(fmt.Sprintf("router: %d, to: %d", r, r+1), at)
		}
		text := fabricOf(fmt.Sprintf("%s, lost: [%s], detect: %dns", net, strings.Join(list, ", "), rapid.IntRange(0, 2000).Draw(rt, "detect")), []int{0, 2, 4}, []int{1, 3, 5})
		// short enough to give up lines that are under way
		text = strings.Replace(text, "kind: cxl_root,", fmt.Sprintf("kind: cxl_root, timeout: %dns,", rapid.SampledFrom([]int{300, 800, 5000}).Draw(rt, "timeout")), 1)
		text = strings.Replace(text, "kind: cxl_type3,", fmt.Sprintf("kind: cxl_type3, early: %v,", rapid.Bool().Draw(rt, "early")), 1)
		set := []string{fmt.Sprintf("Driver.mode=closed:%d", rapid.IntRange(1, 16).Draw(rt, "window")), fmt.Sprintf("Root.throttle=%v", rapid.Bool().Draw(rt, "throttle"))}
		if rapid.Bool().Draw(rt, "tight") {
			set = append(set, "Net.channel.credits.req=1", "Net.channel.credits.drs=1", "Net.link.credits.rwd=1", "Root.link.credits.ndr=2")
		}
		if rapid.Bool().Draw(rt, "errors") {
			set = append(set, "Net.channel.ber=[1e-5, 1e-5]")
		}
		m := run(t, engine.New(), text, trace, set...)
		for i := range 3 {
			require.Equal(t, 12., m[fmt.Sprintf("Root[%d] reads", i)])
			require.Equal(t, 12., m[fmt.Sprintf("Root[%d] writes", i)])
		}
		require.Equal(t, m, run(t, engine.New(engine.Shuffle(4)), text, trace, set...))
	})
}

func TestLossFaults(t *testing.T) {
	net := fabricOf("topology: {name: mesh, dims: [2, 2], concentration: 1}, lost: [LOST]", []int{0}, []int{3})
	for _, c := range []struct{ text, old, new, want string }{
		{cut, "{down: 0, at: 5us}", "{down: 1, at: 5us}", "nodes.Mid.lost[0]: there is no such link"},
		{cut, "{down: 0, at: 5us}", "{down: 0}", "at"},
		{cut, "{down: 0, at: 5us}", "{down: 0, at: 5cycle}", "there is no clock"},
		{cut, "timeout: 2us", "on_timeout: error", "nodes.Root.on_timeout: has no effect without timeout"},
		{cut, "timeout: 2us", "timeout: 2us, on_timeout: panic", "on_timeout"},
		{net, "LOST", "{router: 0, to: 3, at: 1us}", "nodes.Net.lost[0]: there is no such link"},
		{net, "LOST", "{router: 0, at: 1us}", "names no link (want router with port, router with to, or terminal)"},
		{net, "LOST", "{router: 0, to: 1, port: 2, at: 1us}", "names no link"},
		{net, "LOST", "{terminal: 2, at: 1us}", "nodes.Net.lost[0]: there is no such link"},
		{net, "lost: [LOST]", "detect: 1us", "nodes.Net.detect: has no effect: nothing is lost"},
		{cut, "kind: cxl_type3,", "kind: cxl_type3, hdm: db,", "Root has a timeout or links that are lost: not with coherent devices"},
		{cut, "timeout: 2us}\n", "link: {flit: 256B}}\n", ""},
	} {
		if c.want == "" { // the switch has coherent links too
			c.text = strings.NewReplacer("kind: cxl_type3,", "kind: cxl_type3, hdm: db,", "kind: cxl_switch,", "kind: cxl_switch, link: {flit: 256B},").Replace(c.text)
			c.want = "links of the fabric are lost: not with coherent devices"
		}
		require.Contains(t, c.text, c.old)
		_, err := build(t, engine.New(), strings.Replace(c.text, c.old, c.new, 1), "R,0,64\n")
		require.ErrorContains(t, err, c.want)
	}
}

// A message under way is sent on by another way only if that leads to its end. Writes queue on their way to a device. Where
// a channel is lost they go round it; where the link of the device was lost a nanosecond before they do not, though the
// switches have ways to each other.
func TestNoWayOnToALostDevice(t *testing.T) {
	text := fabricOf("topology: {name: mesh, dims: [2, 2], concentration: 1}, lost: [LOST], detect: 0ns", []int{0}, []int{3})
	text = strings.Replace(text, "kind: cxl_root,", "kind: cxl_root, timeout: 10us,", 1)
	resumed := func(lost string) float64 {
		m := run(t, engine.New(), strings.Replace(text, "LOST", lost, 1), lines("W", 400, 1024), "Driver.mode=closed:4")
		require.Equal(t, 400., m["Root[0] writes"])
		return m["Net messages_resumed"]
	}
	for _, channel := range []string{"{router: 0, to: 1, at: 5us}", "{router: 1, to: 3, at: 5us}"} {
		require.Positive(t, resumed(channel), channel)
		require.Zero(t, resumed("{terminal: 3, at: 4999ns}, "+channel), channel)
	}
}
