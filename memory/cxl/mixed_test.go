package cxl_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/components/engine"
)

// Trees above and below a fabric, virtual switches in a row, and logical devices that
// take turns: a host sees what all on the way let through.
func TestMixed(t *testing.T) {
	const text = `schema: causeway/1
nodes:
  - {name: A, kind: driver, trace: TRACE, mode: "closed:4"}
  - {name: B, kind: driver, trace: TRACE, base: 2GiB, mode: "closed:4"}
  - {name: Root, kind: cxl_root, count: 2}
  - {name: Top, kind: cxl_switch, upstream: 2}
  - {name: Net, kind: cxl_fabric, topology: {name: mesh, dims: [2, 2], concentration: 1}}
  - {name: Low, kind: cxl_switch, downstream: 2}
  - name: Far
    kind: cxl_type3
    count: 2
    lds: [{tiers: [a], size: 1GiB, hosts: ["Root[0]"]}, {tiers: [b], size: 1GiB, hosts: ["Root[1]"]}]
    memory: {kind: memory, fidelity: ideal, clock: 1GHz, latency: 40ns, size: 2GiB}
links:
  - A -> Root[0].host
  - B -> Root[1].host
  - Root[0..1].down[0] -> Top.up[0..1]
  - Top.down -> Net.terminal[0]
  - Net.terminal[3] -> Low.up
  - Low.down[0..1] -> Far[0..1].up
memory:
  - {tier: a, node: Far, base: 0GiB, size: 2GiB, interleave: 1KiB}
  - {tier: b, node: Far, base: 2GiB, size: 2GiB, interleave: 1KiB}
`
	trace := lines("R", 64, 1024) + lines("W", 32, 1024)
	m := run(t, engine.New(), text, trace)
	for _, far := range []string{"Far[0]", "Far[1]"} {
		for _, ld := range []string{"ld0", "ld1"} {
			require.Equal(t, 32*16., m[far+" "+ld+"_line_reads"])
			require.Equal(t, 16*16., m[far+" "+ld+"_line_writes"])
		}
	}
	// two switches of trees and three of the fabric, each way
	require.InDelta(t, 2*5*70, m["Root[0] load_switch_mean"], 1e-9)
	require.Equal(t, 3., m["Net hops_mean"])

	// the same by virtual switches in a row: the first leads both hosts down, the second
	// what it is bound to
	row := strings.NewReplacer(", hosts: [\"Root[0]\"]", "", ", hosts: [\"Root[1]\"]", "",
		"{name: Net, kind: cxl_fabric, topology: {name: mesh, dims: [2, 2], concentration: 1}}", "{name: Net, kind: cxl_switch, upstream: 2, downstream: 1, vcs: [{up: 0, bind: [{down: 0, lds: [0]}]}, {up: 1, bind: [{down: 0, lds: [1]}]}]}",
		"name: Top, kind: cxl_switch, upstream: 2", "name: Top, kind: cxl_switch, upstream: 2, downstream: 2, vcs: [{up: 0, bind: [{down: 0}]}, {up: 1, bind: [{down: 1}]}]",
		"  - Top.down -> Net.terminal[0]\n", "  - Top.down[0..1] -> Net.up[0..1]\n", "Net.terminal[3]", "Net.down[0]").Replace(text)
	m = run(t, engine.New(), row, trace)
	for _, far := range []string{"Far[0]", "Far[1]"} {
		for _, ld := range []string{"ld0", "ld1"} {
			require.Equal(t, 32*16., m[far+" "+ld+"_line_reads"])
		}
	}
	require.InDelta(t, 2*3*70, m["Root[0] load_switch_mean"], 1e-9)

	// bound to nothing that is there
	_, err := build(t, engine.New(), strings.Replace(row, "{up: 1, bind: [{down: 0, lds: [1]}]}", "{up: 1, bind: [{down: 0, lds: [9]}]}", 1), trace)
	require.ErrorContains(t, err, "B.mem reaches no memory")
	// a part of a range only
	_, err = build(t, engine.New(), strings.Replace(row, "name: Low, kind: cxl_switch, downstream: 2", "name: Low, kind: cxl_switch, downstream: 2, vcs: [{up: 0, bind: [{down: 0}]}]", 1), trace)
	require.ErrorContains(t, err, "addresses without a home")
}
