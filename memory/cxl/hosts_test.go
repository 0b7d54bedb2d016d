package cxl_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/causeway-sim/causeway/components/engine"
)

// One host with work among others without: what a line costs does not grow with those that
// have nothing to do.
func BenchmarkIdleHosts(b *testing.B) {
	for _, n := range []int{1, 16, 64} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			var text strings.Builder
			fmt.Fprintf(&text, `schema: causeway/1
nodes:
  - {name: Driver, kind: driver, trace: TRACE, mode: "closed:8"}
  - {name: Root, kind: cxl_root, count: %d}
  - {name: Switch, kind: cxl_switch, upstream: %d, downstream: %d}
  - {name: Far, kind: cxl_type3, count: %d, memory: {kind: memory, fidelity: ideal, clock: 1GHz, latency: 40ns, size: 1GiB}}
`, n, n, n, n)
			links, ranges := "  - Driver -> Root[0].host\n", ""
			for i := range n {
				if i > 0 {
					fmt.Fprintf(&text, "  - {name: Idle%d, kind: driver, trace: TRACE, base: %dGiB, limit: 1}\n", i, i)
					links += fmt.Sprintf("  - Idle%d -> Root[%d].host\n", i, i)
				}
				ranges += fmt.Sprintf("  - {tier: t%d, node: \"Far[%d]\", base: %dGiB, size: 1GiB}\n", i, i, i)
			}
			all := text.String() + "links:\n" + links + "  - Root.down -> Switch.up\n  - Switch.down -> Far.up\nmemory:\n" + ranges
			b.ReportAllocs()
			run(b, engine.New(), all, lines("R", max(b.N, 1), 64))
		})
	}
}
