package policy_test

import (
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/causeway-sim/causeway/memory/policy"
)

// One owner has the whole cache, whatever the number of cores it could share with.
func TestUCPOfOneOwnerIsLRU(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		g := policy.Geometry{Sets: rapid.IntRange(1, 40).Draw(t, "sets"), Ways: rapid.IntRange(1, 8).Draw(t, "ways")}
		core := rapid.Uint16Range(0, 9).Draw(t, "core")
		tb := &testing.T{}
		u := newCore(tb, "ucp", g, policy.UCP{Cores: rapid.IntRange(1, 5).Draw(t, "cores"), Period: 50})
		lru := newCore(tb, "lru", g, nil)
		for range 400 {
			a := policy.Access{Line: rapid.Uint64Range(0, 400).Draw(t, "line"), Core: core}
			require.Equal(t, lru.Access(a), u.Access(a))
		}
	})
}

// A core that streams is worth one way; one that loops over 12 ways keeps them. LRU
// lets the stream push the loop out.
func TestUCPProtectsWhoGains(t *testing.T) {
	g := policy.Geometry{Sets: 64, Ways: 16}
	run := func(name string, spec any) (hits int) {
		c := newCore(t, name, g, spec)
		for i := range uint64(400_000) {
			if c.Access(policy.Access{Line: i % (12 * 64)}).Hit {
				hits++
			}
			for k := range uint64(2) {
				c.Access(policy.Access{Line: 1<<30 + 2*i + k, Core: 1})
			}
		}
		return hits
	}
	require.Zero(t, run("lru", nil))
	require.Greater(t, run("ucp", policy.UCP{Cores: 2, Period: 10_000}), 390_000)
}
