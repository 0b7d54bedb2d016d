package std_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/components/experiment"
)

// A node that carries timing only would write zeros over the bytes of a memory that holds
// them, and answer reads with none: it refuses such a memory, and what leads to one.
func TestBytesAreNotLost(t *testing.T) {
	const requests = "schema: causeway/1\nnodes:\n  - {name: Driver, kind: driver, generate: {name: stream}, limit: 4}\n"
	const holds = "  - {name: Mem, kind: memory, fidelity: ideal, functional: true}\n"
	for kind, src := range map[string]string{
		"memlink":          "  - {name: X, kind: memlink, preset: ualink_x4}\n" + holds + "links: [Driver -> X.top, X.bottom -> Mem]\n",
		"cache":            "  - {name: X, kind: cache, size: 64KiB, ways: 4}\n" + holds + "links: [Driver -> X.top, X.bottom -> Mem]\n",
		"cxl_root":         "  - {name: X, kind: cxl_root}\n" + holds + "links: [Driver -> X.host, X.mem -> Mem]\n",
		"tiering":          "  - {name: X, kind: tiering, tiers: 1}\n" + holds + "links: [Driver -> X.top, \"X.bottom[0] -> Mem\"]\nmemory:\n  - {tier: only, node: Mem, base: 0GiB, size: 1GiB}\n",
		"through a cache":  "  - {name: X, kind: memlink, preset: ualink_x4}\n  - {name: LLC, kind: cache, size: 64KiB, ways: 4, functional: true}\n" + holds + "links: [Driver -> X.top, X.bottom -> LLC.top, LLC.bottom -> Mem]\n",
		"through a switch": "  - {name: X, kind: memlink, preset: ualink_x4}\n  - {name: Net, kind: network, topology: {name: crossbar, terminals: 2}}\n" + holds + "links: [Driver -> X.top, \"X.bottom -> Net.terminal[0]\", \"Net.terminal[1] -> Mem\"]\n",
	} {
		_, err := experiment.Parse("t.yaml", []byte(requests+src), experiment.Options{})
		require.ErrorContains(t, err, "has no effect: its bytes do not reach the requester, since X carries timing only", kind)
		require.ErrorContains(t, err, "t.yaml:4:5: nodes.X: ", kind)
	}
	const carries = "  - {name: LLC, kind: cache, size: 64KiB, ways: 4, functional: true}\n" + holds + "links: [Driver -> LLC.top, LLC.bottom -> Mem]\n"
	_, err := experiment.Parse("t.yaml", []byte(requests+carries), experiment.Options{})
	require.NoError(t, err)
}
