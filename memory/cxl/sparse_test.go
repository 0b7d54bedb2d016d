package cxl_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/sarchlab/akita/v3/sim"
	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/components/engine"
)

// Hosts with two root ports each, devices with two heads each, linked in a ring without
// a switch, as sparse pools are: every pair of neighbours shares one device, and a host
// sees the two beside it only.
func TestSparsePool(t *testing.T) {
	const n = 5
	var b strings.Builder
	fmt.Fprintf(&b, `schema: causeway/1
nodes:
  - {name: Root, kind: cxl_root, count: %d, ports: 2}
  - {name: Far, kind: cxl_type3, count: %d, heads: 2, memory: {kind: memory, fidelity: ideal, clock: 1GHz, latency: 40ns, size: 1GiB}}
`, n, n)
	links, ranges := "links:\n", "memory:\n"
	for i := range n {
		fmt.Fprintf(&b, "  - {name: Driver%d, kind: driver, trace: TRACE, base: %dGiB, mode: \"closed:4\"}\n", i, i)
		links += fmt.Sprintf("  - Driver%d -> Root[%d].host\n  - Root[%d].down[0] -> Far[%d].up[0]\n  - Root[%d].down[1] -> Far[%d].up[1]\n", i, i, i, i, i, (i+1)%n)
		ranges += fmt.Sprintf("  - {tier: t%d, node: \"Far[%d]\", base: %dGiB, size: 1GiB}\n", i, i, i)
	}
	text := b.String() + links + ranges
	m := run(t, engine.New(), text, lines("R", 50, 640), "Driver4.base=4GiB")
	for i := range n {
		require.Equal(t, 500., m[fmt.Sprintf("Far[%d] line_reads", i)])
	}
	// the other neighbour's
	m = run(t, engine.New(), text, lines("R", 50, 640), "Driver0.base=1GiB")
	require.Equal(t, 1000., m["Far[1] line_reads"])
	require.Zero(t, m["Far[0] line_reads"])
	// one that is too far away
	require.ErrorContains(t, func() error {
		_, err := build(t, engine.New(), text, lines("R", 50, 640), "Driver0.base=2GiB")
		if err == nil {
			err = fails(t, text, lines("R", 50, 640), "Driver0.base=2GiB")
		}
		return err
	}(), "address 0x80000000 has no home")
	// a range over devices of which a host sees some only
	shared := strings.Replace(text, ranges, `memory:
  - {tier: all, node: "Far[0..3]", base: 0GiB, size: 4GiB, interleave: 1KiB}
  - {tier: last, node: "Far[4]", base: 4GiB, size: 1GiB}
`, 1)
	_, err := build(t, engine.New(), shared, lines("R", 1, 64))
	require.ErrorContains(t, err, "tier all is spread over 4")
	require.ErrorContains(t, err, "addresses without a home")
}

// Two hosts keep what they share coherent over a fabric of four switches.
func TestCoherenceOverFabric(t *testing.T) {
	text := fabricOf("topology: {name: mesh, dims: [2, 2], concentration: 1}, link: {flit: 256B}", []int{0, 1}, []int{3})
	text = strings.Replace(text, "kind: cxl_root,", "kind: cxl_root, cache: {size: 64KiB, ways: 4}, link: {flit: 256B},", 1)
	text = strings.Replace(text, "kind: cxl_type3,", "kind: cxl_type3, hdm: db, filter: {entries: 64, ways: 4},", 1)
	trace := lines("W", 60, 256) + lines("R", 60, 256) + lines("W", 60, 256)
	m := run(t, engine.New(), text, trace)
	require.Equal(t, 120., m["Root[0] writes"])
	require.Equal(t, 60., m["Root[1] reads"])
	require.Positive(t, m["Far[0] snoops"])
	require.Positive(t, m["Far[0] filter_evictions"])
	require.Equal(t, m, run(t, sim.NewSerialEngine(), text, trace))
}
