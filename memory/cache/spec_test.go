package cache_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/components/engine"
	"github.com/causeway-sim/causeway/components/units"
	"github.com/causeway-sim/causeway/memory/cache"
)

// Specs that no configuration could hold are refused, not run. Each key has its first value outside
// of its bounds here, and beside it the last value inside, which makes a cache.
func TestSpecsRefused(t *testing.T) {
	type change = func(s *cache.TimedSpec)
	for _, c := range []struct {
		want            string
		outside, inside change
	}{
		{"ways is 0", func(s *cache.TimedSpec) { s.Ways = 0 }, func(s *cache.TimedSpec) { s.Ways = 1 }},
		{"slices is -1", func(s *cache.TimedSpec) { s.Slices = -1 }, func(s *cache.TimedSpec) { s.Slices = 1 }},
		{"sectors is 0", func(s *cache.TimedSpec) { s.Sectors = 0 }, func(s *cache.TimedSpec) { s.Sectors = 1 }},
		{"is 3 (want 1, 2", func(s *cache.TimedSpec) { s.Sectors = 3 }, func(s *cache.TimedSpec) { s.Sectors = 4 }},
		{"is 16 (want 1, 2", func(s *cache.TimedSpec) { s.Sectors = 16 }, func(s *cache.TimedSpec) { s.Sectors = 8 }},
		{"8 sectors in a line of 4B", func(s *cache.TimedSpec) { s.Line, s.Sectors = 4, 8 }, func(s *cache.TimedSpec) { s.Line, s.Sectors = 8, 8 }},
		{"banks is 0", func(s *cache.TimedSpec) { s.Banks = 0 }, func(s *cache.TimedSpec) { s.Banks = 1 }},
		{"queue is 0", func(s *cache.TimedSpec) { s.Queue = 0 }, func(s *cache.TimedSpec) { s.Queue = 1 }},
		{"mshrs is 0", func(s *cache.TimedSpec) { s.MSHRs = 0 }, func(s *cache.TimedSpec) { s.MSHRs = 1 }},
		{"merges is 0", func(s *cache.TimedSpec) { s.Merges = 0 }, func(s *cache.TimedSpec) { s.Merges = 1 }},
		{"write_buffer is 0", func(s *cache.TimedSpec) { s.WriteBuffer = 0 }, func(s *cache.TimedSpec) { s.WriteBuffer = 1 }},
		{"degree is 0", func(s *cache.TimedSpec) { s.Prefetch = rule("tile", 0) }, func(s *cache.TimedSpec) { s.Prefetch = rule("tile", 1) }},
		{"want a power of two from 1B to 64KiB", func(s *cache.TimedSpec) { s.Line = 48 }, func(s *cache.TimedSpec) { s.Line = 32 }},
		{"want a power of two from 1B to 64KiB", func(s *cache.TimedSpec) { s.Line, s.Ways, s.Burst = 128<<10, 1, 128<<10 }, func(s *cache.TimedSpec) { s.Line, s.Ways, s.Burst = 64<<10, 1, 64<<10 }},
		{"want a power of two from 64B to 1MiB", func(s *cache.TimedSpec) { s.Burst = 32 }, func(s *cache.TimedSpec) { s.Burst = 64 }},
		{"want a power of two from 64B to 1MiB", func(s *cache.TimedSpec) { s.Burst = 2 << 20 }, func(s *cache.TimedSpec) { s.Burst = 1 << 20 }},
		{"no whole number of sets", func(s *cache.TimedSpec) { s.Size = 0 }, func(s *cache.TimedSpec) { s.Size = 1024 }},
		{"want a multiple of 3KiB", func(s *cache.TimedSpec) { s.Size, s.Ways, s.Slices = 4096, 12, 4 }, func(s *cache.TimedSpec) { s.Size, s.Ways, s.Slices = 3072, 12, 4 }},
		{"lines (want at most 268435456)", func(s *cache.TimedSpec) { s.Size = 17 << 30 }, nil}, // the most takes 5 GB
		{"more than the line of 64B", func(s *cache.TimedSpec) { s.Width = 65 }, func(s *cache.TimedSpec) { s.Width = 64 }},
		{"longer than the latency", func(s *cache.TimedSpec) { s.TagLatency = units.InCycles(21) }, func(s *cache.TimedSpec) { s.TagLatency = units.InCycles(20) }},
		{"at most 4096 banks", func(s *cache.TimedSpec) { s.Slices, s.Banks = 64, 65 }, func(s *cache.TimedSpec) { s.Slices, s.Banks = 64, 64 }},
		{"at most 65535 in all", func(s *cache.TimedSpec) { s.MSHRs = 1 << 16 }, func(s *cache.TimedSpec) { s.MSHRs = 1<<16 - 1 }},
		{"unknown replacement policy", func(s *cache.TimedSpec) { s.Policy.Name = "none" }, nil},
		{"unknown slice hash", func(s *cache.TimedSpec) { s.Hash = "none" }, nil},
		{`process: unknown "1nm"`, func(s *cache.TimedSpec) { s.Energy.Process = "1nm" }, func(s *cache.TimedSpec) { s.Energy.Process = "none" }},
		{"whose next use is not known", func(s *cache.TimedSpec) { s.Policy.Name, s.Prefetch.Name = "opt", "tile" }, func(s *cache.TimedSpec) { s.Policy.Name = "opt" }},
	} {
		s := cache.DefaultTimedSpec()
		c.outside(&s)
		_, err := cache.NewTimed("LLC", engine.New(), s)
		require.ErrorContains(t, err, c.want)
		if c.inside == nil {
			continue
		}
		s = cache.DefaultTimedSpec()
		c.inside(&s)
		_, err = cache.NewTimed("LLC", engine.New(), s)
		require.NoError(t, err, "beside %q", c.want)
	}
}
