package policy_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/memory/cache/tagstore"
	"github.com/causeway-sim/causeway/memory/policy"
	"github.com/causeway-sim/causeway/workloads/synthetic/tracetest"
)

// nextUses is the pre-pass that OPT needs: the index of the next access to the
// same line, 0 if there is none.
func nextUses(as []policy.Access) {
	most := uint64(0)
	for i := range as {
		most = max(most, as[i].Line)
	}
	last := make([]uint64, most+1)
	for i := len(as) - 1; i >= 0; i-- {
		as[i].Next = last[as[i].Line]
		last[as[i].Line] = uint64(i)
	}
}

// collect reads a trace into memory, with next uses.
func collect(t tracetest.Trace) []policy.Access { return first(t, 1<<62) }

// first is collect of no more than n accesses.
func first(t tracetest.Trace, n int) []policy.Access {
	as := make([]policy.Access, 0, min(n, 1<<18))
	for a := range t.All() {
		if as = append(as, a); len(as) == n {
			break
		}
	}
	nextUses(as)
	return as
}

// newCore makes a cache with the policy called name.
func newCore(t testing.TB, name string, g policy.Geometry, spec any) *tagstore.Store {
	x, err := tagstore.NewIndex(g.Sets, 1, "linear")
	require.NoError(t, err)
	p, err := policy.New(name, g, spec)
	require.NoError(t, err)
	return tagstore.New(x, g.Ways, p)
}

// run drives a cache over all accesses.
func run(c *tagstore.Store, as []policy.Access) tagstore.Counts {
	for i := range as {
		c.Access(as[i])
	}
	return c.Counts()
}
