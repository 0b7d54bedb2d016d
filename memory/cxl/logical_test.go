package cxl_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/sarchlab/akita/v3/sim"
	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/components/engine"
)

// Two hosts share a device below a switch, each with a logical device of its own.
const mld = `schema: causeway/1
nodes:
  - {name: A, kind: driver, trace: TRACE, mode: "closed:16"}
  - {name: B, kind: driver, trace: TRACE, base: 1GiB, mode: "closed:16"}
  - {name: Root, kind: cxl_root, count: 2}
  - name: Mid
    kind: cxl_switch
    upstream: 2
    vcs:
      - {up: 0, bind: [{down: 0, lds: [0]}]}
      - {up: 1, bind: [{down: 0, lds: [1]}]}
  - name: Far
    kind: cxl_type3
    lds:
      - {tiers: [a], size: 1GiB}
      - {tiers: [b], size: 3GiB}
    memory: {kind: memory, fidelity: ideal, clock: 1GHz, latency: 40ns, bandwidth: 8GB/s, size: 4GiB}
links:
  - A -> Root[0].host
  - B -> Root[1].host
  - Root[0..1].down[0] -> Mid.up[0..1]
  - Mid.down -> Far.up
memory:
  - {tier: a, node: Far, base: 0GiB, size: 1GiB}
  - {tier: b, node: Far, base: 1GiB, size: 2GiB}
`

func TestLogicalDevices(t *testing.T) {
	trace := lines("R", 50, 4096) + lines("W", 20, 4096)
	m := run(t, engine.New(), mld, trace, "B.repeat=2")
	require.Equal(t, 50*64., m["Far ld0_line_reads"])
	require.Equal(t, 20*64., m["Far ld0_line_writes"])
	require.Equal(t, 100*64., m["Far ld1_line_reads"])
	require.Equal(t, 40*64., m["Far ld1_line_writes"])
	require.Equal(t, m["Far line_reads"], m["Far ld0_line_reads"]+m["Far ld1_line_reads"])
	// requests wait for all their lines
	require.Less(t, m["Far ld1_load_latency_mean"], m["Root[1] load_latency_mean"])
	require.Equal(t, m, run(t, sim.NewSerialEngine(), mld, trace, "B.repeat=2"))
	require.Equal(t, m, run(t, engine.New(engine.Shuffle(3)), mld, trace, "B.repeat=2"))
}

// headed is mld with a link of its own for each host.
var headed = strings.NewReplacer("  - name: Mid\n    kind: cxl_switch\n    upstream: 2\n    vcs:\n      - {up: 0, bind: [{down: 0, lds: [0]}]}\n      - {up: 1, bind: [{down: 0, lds: [1]}]}\n", "",
	"    kind: cxl_type3\n", "    kind: cxl_type3\n    heads: 2\n", "{tiers: [a],", "{tiers: [a], heads: [0],", "{tiers: [b],", "{tiers: [b], heads: [1],",
	"Mid.up[0..1]", "Far.up[0..1]", "  - Mid.down -> Far.up\n", "").Replace(mld)

// A host sees nothing of what it is not bound to, by switch, head or name.
func TestBinding(t *testing.T) {
	hosts := strings.NewReplacer("    vcs:\n      - {up: 0, bind: [{down: 0, lds: [0]}]}\n      - {up: 1, bind: [{down: 0, lds: [1]}]}\n", "",
		"{tiers: [a],", `{tiers: [a], hosts: ["Root[0]"],`, "{tiers: [b],", `{tiers: [b], hosts: ["Root[1]"],`).Replace(mld)
	for name, text := range map[string]string{"switch": mld, "heads": headed, "hosts": hosts} {
		m := run(t, engine.New(), text, lines("R", 50, 4096))
		require.Equal(t, 50*64., m["Far ld0_line_reads"], name)
		require.Equal(t, 50*64., m["Far ld1_line_reads"], name)
		if name == "heads" {
			require.Zero(t, m["Root[0] load_switch_mean"])
		}
		_, err := build(t, engine.New(), text, lines("R", 5, 64), "B.base=0GiB")
		require.ErrorContains(t, err, "address 0x0 has no home", name)
	}
	// with one device per host, as in a switch without vcs
	two := strings.NewReplacer("    lds:\n      - {tiers: [a], size: 1GiB}\n      - {tiers: [b], size: 3GiB}\n", "", "name: Far\n", "name: Far\n    count: 2\n",
		"upstream: 2\n", "upstream: 2\n    downstream: 2\n", "lds: [0]", "lds: []", "{down: 0, lds: [1]}", "{down: 1}", "{tier: a, node: Far,", "{tier: a, node: \"Far[0]\",", "{tier: b, node: Far,", "{tier: b, node: \"Far[1]\",").Replace(mld)
	m := run(t, engine.New(), two, lines("R", 50, 4096))
	require.Equal(t, 50*64., m["Far[0] line_reads"])
	require.Equal(t, 50*64., m["Far[1] line_reads"])
}

// Under overload each logical device has its allocated share; one alone has all, but
// no more than its limit.
func TestShares(t *testing.T) {
	share := func(text, a, b string) string {
		return strings.NewReplacer("tiers: [a],", "tiers: [a], "+a+",", "tiers: [b],", "tiers: [b], "+b+",").Replace(text)
	}
	trace := lines("R", 100, 4096)
	at := []string{"A.repeat=500", "B.repeat=500", "A.until=100us", "B.until=100us", "A.mode=closed:2", "B.mode=closed:2", "Far.entries=8"}
	for _, c := range [][2]float64{{0.5, 0.5}, {0.75, 0.25}, {0.2, 0.8}, {0.9, 0.1}, {0.65, 0}} {
		m := run(t, engine.New(), share(headed, fmt.Sprintf("min: %g", c[0]), fmt.Sprintf("min: %g", c[1])), trace, at...)
		a, b := m["Far ld0_line_reads"], m["Far ld1_line_reads"]
		t.Logf("%v: %.4f", c, a/(a+b))
		// what is under way at the end is up to 256 of some 12,000 lines
		require.InDelta(t, c[0], a/(a+b), 0.01, "%v", c)
	}
	// a device alone may use the bandwidth that others leave
	alone := append(at, "B.until=1us")
	m := run(t, engine.New(), share(mld, "min: 0.1", "min: 0.9"), trace, alone...)
	require.InEpsilon(t, 8, m["Root[0] bandwidth"], 0.05)
	for _, text := range []string{mld, headed} {
		for _, limit := range []float64{0.1, 0.4, 0.9} {
			m := run(t, engine.New(), share(text, fmt.Sprintf("max: %g", limit), "min: 0"), trace, alone...)
			require.InEpsilon(t, 8*limit, m["Root[0] bandwidth"], 0.02, "%g", limit)
		}
	}
}

// Behind one port of a switch lines of all hosts stand in one queue: the device's
// arbiter sees few of them, and shares are equal. Hosts that heed their load come
// nearer to what is allocated.
func TestSharesBehindOnePort(t *testing.T) {
	text := strings.NewReplacer("tiers: [a],", "tiers: [a], min: 0.75,", "tiers: [b],", "tiers: [b], min: 0.25,").Replace(mld)
	at := []string{"A.repeat=500", "B.repeat=500", "A.until=150us", "B.until=150us", "A.mode=closed:8", "B.mode=closed:8", "Far.entries=128", "Root.outstanding=512"}
	trace := lines("R", 100, 4096)
	share := func(set ...string) float64 {
		m := run(t, engine.New(), text, trace, append(at, set...)...)
		require.InEpsilon(t, 8, m["Root[0] bandwidth"]+m["Root[1] bandwidth"], 0.03, "nothing is lost")
		return m["Root[0] bandwidth"] / (m["Root[0] bandwidth"] + m["Root[1] bandwidth"])
	}
	free, heeding := share(), share("Root.throttle=true")
	t.Logf("of 0.75 allocated: %.3f, with throttle %.3f", free, heeding)
	require.InDelta(t, 0.5, free, 0.03)
	require.InDelta(t, 0.75, heeding, 0.06)
}

func TestLogicalFaults(t *testing.T) {
	for _, c := range []struct{ old, new, want string }{
		{"size: 3GiB}", "size: 4GiB}", "t.yaml:16:9: nodes.Far.lds[1]: logical device 1 ends at 5GiB of Far, which has 4GiB"},
		{"size: 3GiB}", "size: 1GiB}", "nodes.Far.lds[1].size: logical device 1 holds 1GiB, the ranges give it 2GiB"},
		{"size: 3GiB}", "size: 3000MiB}", "3000MiB is no multiple of 256 MiB"},
		{"{tiers: [b],", "{tiers: [c],", "memory.b: no logical device of Far takes tier b"},
		{"{tiers: [b],", "{tiers: [a, b],", "nodes.Far.lds[1].tiers: logical device 0 takes a already"},
		{"{tiers: [b],", "{tiers: [b, c],", "nodes.Far.lds[1].tiers: c is no tier of the memory section with Far among its memories (want one of: a, b)"},
		{"{tiers: [b],", "{tiers: [b], heads: [1],", "there is no head 1 (want 0 to 0)"},
		{"{tiers: [b],", "{tiers: [b], hosts: [Root],", "Root is no root of this fabric (want one of: Root[0], Root[1])"},
		{"{tiers: [b],", "{tiers: [b], min: 1.5,", "min"},
		{"{tiers: [b],", "{tiers: [b], min: 0.5, max: 0.4,", "0.4 is less than the allocated share, 0.5"},
		{"    lds:\n      - {", "    lds:\n      - {min: 0.7, tiers: [x]}\n      - {min: 0.7, ", "the allocated shares of the logical devices are 1.4 of the device"},
		{"{up: 1, bind: [{down: 0, lds: [1]}]}", "{up: 1, bind: [{down: 0, lds: [2]}]}", "nodes.Mid.vcs[1].bind[0].lds: Far has no LD-ID 2 (want 0 to 1)"},
		{"{up: 1, bind", "{up: 0, bind", "nodes.Mid.vcs[1].up: upstream port 0 has a virtual switch already"},
		{"{up: 1, bind", "{up: 2, bind", "there is no upstream port 2 (want 0 to 1)"},
		{"{up: 1, bind: [{down: 0", "{up: 1, bind: [{down: 1", "there is no downstream port 1 (want 0 to 0)"},
		{"{up: 1, bind: [{down: 0, lds: [1]}]}", "{up: 1, bind: [{down: 0, lds: [1]}, {down: 0, lds: [0]}]}", "upstream port 1 is bound to downstream port 0 already"},
		{"{up: 1, bind: [{down: 0, lds: [1]}]}", "{up: 1, bind: [{down: 0, lds: [-1]}]}", "there is no LD-ID -1 (want 0 to 15)"},
		{"{up: 1, bind: [{down: 0, lds: [1]}]}", "{up: 1, bind: [{down: 0, lds: [16]}]}", "there is no LD-ID 16 (want 0 to 15)"},
		{"      - {up: 1, bind: [{down: 0, lds: [1]}]}\n", "", "B.mem reaches no memory: its addresses have no home"},
		{"latency: 40ns, bandwidth: 8GB/s,", "latency: 40ns,", ""},
	} {
		require.Contains(t, mld, c.old)
		_, err := build(t, engine.New(), strings.Replace(mld, c.old, c.new, 1), "R,0,64\n")
		if c.want == "" {
			require.NoError(t, err)
			_, err = build(t, engine.New(), strings.NewReplacer(c.old, c.new, "tiers: [b],", "tiers: [b], max: 0.5,").Replace(mld), "R,0,64\n")
			c.want = "has no effect: the memory of Far has no limit that it could be a share of"
		}
		require.ErrorContains(t, err, c.want)
	}
}

// A logical device that names no hosts is offered to all, beside one that names some.
func TestLogicalDeviceOfAllHosts(t *testing.T) {
	open := strings.NewReplacer("    vcs:\n      - {up: 0, bind: [{down: 0, lds: [0]}]}\n      - {up: 1, bind: [{down: 0, lds: [1]}]}\n", "",
		"{tiers: [a],", `{tiers: [a], hosts: ["Root[0]"],`).Replace(mld)
	m := run(t, engine.New(), open, lines("R", 5, 64), "A.base=1GiB")
	require.Equal(t, 10., m["Far ld1_line_reads"])
	_, err := build(t, engine.New(), open, lines("R", 5, 64), "B.base=0GiB")
	require.ErrorContains(t, err, "address 0x0 has no home")
}

// A device with one logical device has as many bytes as that one, whatever its memory has.
func TestOneLogicalDeviceIsAsLargeAsItSays(t *testing.T) {
	text := strings.Replace(simple, "protocol: 15ns,", "protocol: 15ns, lds: [{tiers: [a], size: 1GiB}],", 1) + "memory:\n  - {tier: a, node: Far, base: 0GiB, size: SIZE}\n"
	m := run(t, engine.New(), strings.Replace(text, "SIZE", "1GiB", 1), from(1<<30-640, "R", 10, 64))
	require.Equal(t, 10., m["Far line_reads"])
	_, err := build(t, engine.New(), strings.Replace(text, "SIZE", "2GiB", 1), "R,0,64\n")
	require.ErrorContains(t, err, "logical device 0 holds 1GiB, the ranges give it 2GiB")
}
