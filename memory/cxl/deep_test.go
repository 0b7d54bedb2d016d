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

// deepSystem is hosts above two levels of switches with devices below, some of them pools,
// coherent, or about to lose a link. Many delays are nothing, so that much happens at once.
func deepSystem(t *rapid.T) (text, trace string, set []string) {
	pick := func(name string, of ...string) string { return rapid.SampledFrom(of).Draw(t, name) }
	n := func(name string, most int) int { return rapid.IntRange(1, most).Draw(t, name) }
	hosts, lows, below := n("hosts", 4), n("lows", 2), n("below", 2)
	devices := lows * below
	kind := pick("kind", "plain", "plain", "pool", "coherent", "loss")
	spread := ", interleave: " + pick("interleave", "256B", "1KiB")
	if devices == 1 {
		spread = ""
	}
	far, tiers := "", fmt.Sprintf("  - {tier: all, node: Far, base: 0GiB, size: %dGiB%s}\n", devices, spread)
	size := 1
	switch kind {
	case "pool":
		size = 2
		far = "lds: [{tiers: [all], size: 1GiB}, {tiers: [more], size: 1GiB, min: 0.2}], "
		tiers += fmt.Sprintf("  - {tier: more, node: Far, base: %dGiB, size: %dGiB%s}\n", devices, devices, spread)
	case "coherent":
		far = "hdm: db, filter: {entries: 64, ways: 4}, "
		set = append(set, "Root.cache={size: 4KiB, ways: 4}")
	case "loss":
		set = append(set, fmt.Sprintf("%s.lost=[{down: 0, at: %dns}]", pick("where", "Root", "Top", "Low"), n("at", 3000)), "Root.timeout=2us")
	}
	memory := pick("memory", "fidelity: ideal, clock: 1GHz, latency: 40ns", "fidelity: ideal, clock: 940MHz, latency: 3ns, bandwidth: 5GB/s", "grade: ddr5_4800")
	if strings.HasPrefix(memory, "fidelity") {
		memory += fmt.Sprintf(", size: %dGiB", size)
	}
	var b strings.Builder
	fmt.Fprintf(&b, `schema: causeway/1
nodes:
  - {name: Driver, kind: driver, count: %d, trace: TRACE, mode: "closed:1"}
  - {name: Root, kind: cxl_root, count: %d}
  - {name: Top, kind: cxl_switch, upstream: %d, downstream: %d}
  - {name: Low, kind: cxl_switch, count: %d, downstream: %d}
  - {name: Far, kind: cxl_type3, count: %d, %smemory: {kind: memory, %s}}
links:
`, hosts, hosts, hosts, lows, lows, below, devices, far, memory)
	one := func(what string, count, i int) string { // the name of an element, which one alone does not have
		if count == 1 {
			return what
		}
		return fmt.Sprintf("%s[%d]", what, i)
	}
	for i := range hosts {
		fmt.Fprintf(&b, "  - %s -> %s.host\n  - %s.down[0] -> Top.%s\n", one("Driver", hosts, i), one("Root", hosts, i), one("Root", hosts, i), one("up", hosts, i))
	}
	for i := range lows {
		fmt.Fprintf(&b, "  - Top.down[%d] -> %s.up\n", i, one("Low", lows, i))
		for k := range below {
			fmt.Fprintf(&b, "  - %s.down[%d] -> %s.up\n", one("Low", lows, i), k, one("Far", devices, i*below+k))
		}
	}
	set = append(set, "Driver.mode="+pick("mode", "closed:1", "closed:5", "closed:64", "open:300"), "Root.outstanding="+pick("outstanding", "1", "7", "512"),
		"Root.protocol="+pick("protocol", "0ns", "12ns"), "Root.throttle="+pick("throttle", "true", "false"), "Far.protocol="+pick("far", "0ns", "15ns"),
		"Far.entries="+pick("entries", "1", "4", "64"))
	flit := pick("flit", "68B", "68B", "256B", "latency")
	if kind == "coherent" {
		flit = "256B"
	} else {
		set = append(set, "Far.early="+pick("early", "true", "false"))
	}
	for _, node := range []string{"Root", "Top", "Low"} {
		set = append(set, node+".link.flit="+flit, node+".link.lanes="+pick("lanes", "1", "8", "16"))
		if node != "Root" {
			set = append(set, node+".latency="+pick("latency", "0ns", "70ns"))
		}
		if rapid.IntRange(0, 4).Draw(t, "errors") == 0 {
			set = append(set, node+".link.ber="+pick("ber", "[1e-5, 1e-5]", "[1e-4, 0]"))
		}
		for _, c := range []string{"req", "rwd", "ndr", "drs"} {
			if n := rapid.IntRange(0, 12).Draw(t, c); n > 0 && n < 5 {
				set = append(set, node+".link.credits."+c+"="+strconv.Itoa(n))
			}
		}
	}
	var lines strings.Builder
	for range rapid.IntRange(1, 40).Draw(t, "requests") {
		fmt.Fprintf(&lines, "%s,%d,%d\n", pick("op", "R", "R", "W"), rapid.IntRange(0, 1<<13).Draw(t, "at")+rapid.IntRange(0, size*devices-1).Draw(t, "far")<<30, rapid.IntRange(1, 700).Draw(t, "size"))
	}
	return b.String() + "memory:\n" + tiers, lines.String(), set
}

// Switches in rows, pools, coherent devices and lost links have the metrics and the end of
// runs with messages, where each flit has its time. CAUSEWAY_LONG tries many more.
func TestDeepSystemsAreEqual(t *testing.T) {
	dir, rounds := t.TempDir(), 1
	if os.Getenv("CAUSEWAY_LONG") != "" {
		rounds = 40
	}
	for range rounds {
		rapid.Check(t, func(r *rapid.T) {
			text, trace, set := deepSystem(r)
			file := dir + "/t.trc"
			require.NoError(r, os.WriteFile(file, []byte("op,addr,size\n"+trace), 0o600))
			text = strings.ReplaceAll(text, "TRACE", file)
			if n := rapid.SampledFrom([]int{0, 1, 3, 50}).Draw(r, "interrupted"); n > 0 {
				defer cxl.InterruptAfter(n)()
			}
			fast, slow := engine.New(), engine.New(engine.MessagesOnly())
			got, want := run(t, fast, text, trace, set...), run(t, slow, text, trace, set...)
			require.Equal(r, want, got, "%s\n%s\n%v", text, trace, set)
			require.Equal(r, slow.CurrentTime(), fast.CurrentTime(), "%s\n%s\n%v", text, trace, set)
		})
	}
}

// The acknowledgement of a conflict has the tag of the device's snoop, which may be that of an old
// request of the host: it is no answer to that request. Three hosts read the same lines.
func TestConflictAckAnswersNoRequest(t *testing.T) {
	const text = `schema: causeway/1
nodes:
  - {name: Driver, kind: driver, count: 3, trace: TRACE, mode: "closed:1"}
  - {name: Root, kind: cxl_root, count: 3, outstanding: 512, protocol: 12ns, throttle: true, cache: {size: 4KiB, ways: 4}, link: {flit: 256B, lanes: 1, credits: {ndr: 1}}}
  - {name: Top, kind: cxl_switch, upstream: 3, downstream: 1, latency: 0ns, link: {flit: 256B, lanes: 8}}
  - {name: Low, kind: cxl_switch, count: 1, downstream: 2, latency: 70ns, link: {flit: 256B, lanes: 1}}
  - {name: Far, kind: cxl_type3, count: 2, hdm: db, protocol: 0ns, entries: 4, filter: {entries: 64, ways: 4}, memory: {kind: memory, fidelity: ideal, clock: 1GHz, latency: 40ns, size: 1GiB}}
links:
  - Driver[0] -> Root[0].host
  - Root[0].down[0] -> Top.up[0]
  - Driver[1] -> Root[1].host
  - Root[1].down[0] -> Top.up[1]
  - Driver[2] -> Root[2].host
  - Root[2].down[0] -> Top.up[2]
  - Top.down[0] -> Low.up
  - Low.down[0] -> Far[0].up
  - Low.down[1] -> Far[1].up
memory:
  - {tier: all, node: Far, base: 0GiB, size: 2GiB, interleave: 256B}
`
	got := run(t, engine.New(), text, "R,0,510\nR,7,247\n")
	require.Equal(t, 2.0, got["Root[0] reads"])
}
