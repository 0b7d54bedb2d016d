package cxl_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/components/engine"
	"github.com/causeway-sim/causeway/memory/cxl"
	"github.com/causeway-sim/causeway/memory/cxl/setting"
	"github.com/causeway-sim/causeway/memory/ideal"
)

// Lines of CXL carry no bytes: a memory that holds some is refused where they would
// be lost, whatever its fidelity, and one that holds none is not.
func TestBytesAreRefused(t *testing.T) {
	for fidelity, keys := range map[string]string{"ideal": "clock: 1GHz, latency: 40ns, size: 4GiB", "bank": "preset: ddr4_3200"} {
		with := strings.Replace(simple, "fidelity: ideal, clock: 1GHz, latency: 40ns, size: 4GiB", "fidelity: "+fidelity+", "+keys+", FUNCTIONAL", 1)
		_, err := build(t, engine.New(), strings.Replace(with, "FUNCTIONAL", "functional: true", 1), lines("R", 1, 64))
		require.ErrorContains(t, err, "t.yaml:5:")
		require.ErrorContains(t, err, "nodes.Far.memory.functional: functional: true has no effect: the bytes of Far.Memory do not reach the requester, since CXL links carry timing only")
		_, err = build(t, engine.New(), strings.Replace(with, "FUNCTIONAL", "functional: false", 1), lines("R", 1, 64))
		require.NoError(t, err)
	}
	e := engine.New()
	s := ideal.DefaultSpec()
	s.Functional, s.Size = true, 1<<30
	require.PanicsWithValue(t, "cxl: functional: true has no effect: the bytes of Mem do not reach the requester, since CXL links carry timing only", func() {
		cxl.MakeBuilder().WithEngine(e).WithDevice(setting.DefaultType3(), ideal.New("Mem", e, s)).Build("Root")
	})
}

// So is one at the root's own port.
func TestBytesAtRootAreRefused(t *testing.T) {
	const local = simple + `  - Root.mem -> Near
memory:
  - {tier: near, base: 0B, size: 1GiB, node: Near}
  - {tier: far, base: 1GiB, size: 1GiB, node: Far}
`
	node := func(keys string) string {
		return strings.Replace(local, "links:", "  - {name: Near, kind: memory, fidelity: ideal, clock: 1GHz, latency: 40ns, size: 1GiB"+keys+"}\nlinks:", 1)
	}
	_, err := build(t, engine.New(), node(""), lines("R", 1, 64))
	require.NoError(t, err)
	_, err = build(t, engine.New(), node(", functional: true"), lines("R", 1, 64))
	require.ErrorContains(t, err, "nodes.Root: functional: true of Near has no effect: its bytes do not reach the requester, since Root carries timing only")
}
