package cache

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/causeway-sim/causeway/components/system"
)

// Three levels and several cores, of any geometry and policy, at the end of traces of any
// length: an inclusive cache holds all that the caches above it hold, and an exclusive one
// below a single cache nothing of it.
func TestInclusionOfThreeLevels(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		modes := []string{"none", "inclusive", "exclusive"}
		cores := rapid.IntRange(1, 3).Draw(rt, "cores")
		l2, l3 := rapid.SampledFrom(modes).Draw(rt, "L2"), rapid.SampledFrom(modes).Draw(rt, "L3")
		if l2 == "exclusive" && l3 == "inclusive" {
			rt.Skip("refused")
		}
		fidelity := rapid.SampledFrom([]string{"functional", "timed"}).Draw(rt, "fidelity")
		policies := []string{"lru", "srrip", "sieve", "s3fifo", "arc", "fifo_mep", "random", "mockingjay"}
		cache := func(level string) string {
			ways := 1 << rapid.IntRange(0, 3).Draw(rt, level+" ways")
			sets := 1 << rapid.IntRange(0, 4).Draw(rt, level+" sets")
			return fmt.Sprintf("size: %dB, ways: %d, policy: {name: %s}", 64*ways*sets, ways, rapid.SampledFrom(policies).Draw(rt, level+" policy"))
		}
		text := fmt.Sprintf(`schema: causeway/1
nodes:
  - {name: Driver, kind: driver, count: %d, mode: "closed:%d", bytes: %dB, generate: {name: hot_set, cores: %d, lag: %d, count: %d, size: 16KiB, hot: 2KiB}}
  - {name: A, kind: cache, fidelity: %s, count: %d, %s}
  - {name: B, kind: cache, fidelity: %s, inclusion: %s, %s}
  - {name: C, kind: cache, fidelity: %s, inclusion: %s, %s}
  - {name: Mem, kind: memory, fidelity: ideal, latency: 50ns}
links: [Driver -> A.top, A.bottom -> B.top, B.bottom -> C.top, C.bottom -> Mem]
`, cores, rapid.IntRange(1, 8).Draw(rt, "window"), rapid.SampledFrom([]int{64, 100, 200}).Draw(rt, "bytes"), cores,
			rapid.IntRange(1, 20).Draw(rt, "lag"), rapid.IntRange(1, 400).Draw(rt, "requests"),
			fidelity, cores, cache("A"), fidelity, l2, cache("B"), fidelity, l3, cache("C"))
		s := runSystem(t, text)
		above := s.Array("A")
		if len(above) == 0 {
			above = []system.Node{s.Node("A")}
		}
		b, c := []system.Node{s.Node("B")}, []system.Node{s.Node("C")}
		adjacent(rt, l2, above, b[0], text)
		// Cores may have copies of a line that went down to an exclusive cache before; with time
		// so may a cache above an exclusive one, of a line that crossed its own fetch.
		if l3 == "inclusive" || l2 != "exclusive" || fidelity == "functional" && cores == 1 {
			adjacent(rt, l3, b, c[0], text)
		}
		if l2 == "inclusive" && l3 == "inclusive" {
			adjacent(rt, l3, above, c[0], text)
		}
	})
}

// adjacent checks what a level's inclusion says of the caches above.
func adjacent(t require.TestingT, mode string, above []system.Node, below system.Node, text string) {
	if mode == "none" || mode == "exclusive" && len(above) > 1 {
		return
	}
	core := below.(level).lower().core
	for _, n := range above {
		up := n.(level).lower().core
		for set := range up.Sets() {
			for _, line := range up.Lines(set) {
				require.Equal(t, mode == "inclusive", core.Has(line), "line %d of %s, %s is %s\n%s", line, n.Name(), below.Name(), mode, text)
			}
		}
	}
}
