package serving

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/components/registry/named"
	"github.com/causeway-sim/causeway/components/units"
)

// by is a small server by the rules of an engine.
func by(name string, spec any) Spec {
	s := small()
	s.Rules = RulesName{Choice: named.Choice{Name: name, Spec: spec}}
	return s
}

// later serves requests of which the last arrives when so many steps were scheduled.
func later(t *testing.T, s Spec, requests []Request, after int) (lines []string) {
	e, err := New(s, requests)
	require.NoError(t, err)
	for i := range requests[:len(requests)-1] {
		e.Arrive(i)
	}
	for n := 0; ; n++ {
		if n == after {
			e.Arrive(len(requests) - 1)
		}
		step, ok := e.Schedule(units.Time(n))
		if !ok {
			return lines
		}
		lines = append(lines, transcript(step))
		require.NoError(t, e.Check())
		e.Complete(units.Time(n+1), step)
	}
}
