package cxl_test

import (
	"fmt"
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/causeway-sim/causeway/components/engine"
	"github.com/causeway-sim/causeway/memory/cxl"
)

// randomSystem is a small system of hosts and devices, and settings and a trace for it.
func randomSystem(t *rapid.T) (text, trace string, set []string) {
	pick := func(name string, of ...string) string { return rapid.SampledFrom(of).Draw(t, name) }
	hosts, devices := rapid.IntRange(1, 4).Draw(t, "hosts"), rapid.IntRange(1, 4).Draw(t, "devices")
	var a, b []int
	for i := range hosts {
		a = append(a, i)
	}
	for i := range devices {
		b = append(b, hosts+i)
	}
	net := "topology: {name: crossbar, terminals: 8}"
	if rapid.Bool().Draw(t, "mesh") {
		net = "topology: {name: mesh, dims: [2, 2], concentration: 2}, routing: dor, channel: {latency: 2ns}"
	}
	text = fabricOf(net, a, b)
	if tree := pick("way", "fabric", "tree", "tree"); tree == "tree" {
		names := []string{"{name: Net, kind: cxl_fabric, " + net + "}", fmt.Sprintf("{name: Net, kind: cxl_switch, upstream: %d, downstream: %d}", hosts, devices)}
		for i := range hosts + devices {
			end := fmt.Sprintf("up[%d]", i)
			if hosts == 1 {
				end = "up"
			}
			if i >= hosts {
				end = fmt.Sprintf("down[%d]", i-hosts)
			}
			names = append(names, fmt.Sprintf("terminal[%d]", i), end)
		}
		text = strings.NewReplacer(names...).Replace(text)
	}
	set = []string{
		"Driver.mode=" + pick("mode", "closed:1", "closed:3", "closed:64", "open:700", "open:9000"),
		"Driver.posted=" + pick("posted", "true", "false"),
		"Root.outstanding=" + pick("outstanding", "1", "8", "512"),
		"Root.protocol=" + pick("protocol", "1ns", "12ns"),
		"Root.throttle=" + pick("throttle", "true", "false"),
		"Far.early=" + pick("early", "true", "false"),
		"Far.entries=" + pick("entries", "1", "4", "64"),
	}
	if pace := pick("pace", "", "", "1000GHz", "940MHz"); pace != "" {
		set = append(set, "Driver.clock="+pace)
	}
	for _, node := range []string{"Root", "Net"} {
		set = append(set, node+".link.lanes="+pick("lanes", "1", "4", "16"))
		if rapid.IntRange(0, 3).Draw(t, "errors") == 0 {
			set = append(set, node+".link.ber="+pick("ber", "[1e-5, 1e-5]", "[0, 1e-4]", "[1e-4, 0]"))
		}
		for _, c := range []string{"req", "rwd", "ndr", "drs"} {
			if n := rapid.IntRange(0, 12).Draw(t, c); n > 0 && n < 6 {
				set = append(set, node+".link.credits."+c+"="+strconv.Itoa(n))
			}
		}
	}
	if strings.Contains(text, "cxl_switch") {
		set = append(set, "Root.link.flit="+pick("flit", "68B", "256B", "latency"), "Net.latency="+pick("latency", "0ns", "70ns"))
	}
	var lines strings.Builder
	for range rapid.IntRange(1, 60).Draw(t, "requests") {
		far := rapid.IntRange(0, devices-1).Draw(t, "far")
		fmt.Fprintf(&lines, "%s,%d,%d\n", pick("op", "R", "R", "W"), far<<30+rapid.IntRange(0, 1<<16).Draw(t, "at"), rapid.IntRange(1, 900).Draw(t, "size"))
	}
	if rapid.IntRange(0, 3).Draw(t, "shared") == 0 { // a port of two drivers
		text = strings.NewReplacer("nodes:\n", "nodes:\n  - {name: Other, kind: driver, trace: TRACE, mode: \"closed:2\"}\n",
			"  - Driver[0] -> Root[0].host\n", "  - Driver[0] -> Root[0].host\n  - Other -> Root[0].host\n").Replace(text)
	}
	inner := "memory, fidelity: ideal, clock: 1GHz, latency: 40ns, size: 1GiB"
	text = strings.ReplaceAll(text, inner, pick("memory", inner, "memory, fidelity: ideal, clock: 940MHz, latency: 3ns, bandwidth: 5GB/s, size: 1GiB",
		"memory, grade: ddr5_4800, channels: 2", "memory, grade: ddr4_2400"))
	return text, lines.String(), set
}

// Links that put off flits that no message waits for, and memories inside devices that act without
// messages, as they do unless messages are forced, give the same metrics and the same end,
// however often the loop that carries them gives way.
func TestPuttingOffChangesNothing(t *testing.T) {
	dir := t.TempDir()
	rapid.Check(t, func(r *rapid.T) {
		text, trace, set := randomSystem(r)
		file := dir + "/t.trc"
		require.NoError(r, os.WriteFile(file, []byte("op,addr,size\n"+trace), 0o600))
		text = strings.ReplaceAll(text, "TRACE", file)
		if n := rapid.SampledFrom([]int{0, 1, 2, 3, 50}).Draw(r, "interrupted"); n > 0 {
			defer cxl.InterruptAfter(n)()
		}
		fast, slow := engine.New(), engine.New(engine.MessagesOnly())
		got, want := run(t, fast, text, trace, set...), run(t, slow, text, trace, set...)
		require.True(r, fast.Carried())
		require.False(r, slow.Carried())
		require.Equal(r, want, got, "%s\n%s\n%v", text, trace, set)
		require.Equal(r, slow.CurrentTime(), fast.CurrentTime(), "%s\n%s\n%v", text, trace, set)
	})
}
