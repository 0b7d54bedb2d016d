package arbiter

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/components/units"
)

func TestRules(t *testing.T) {
	both := func(v view) view { v.waits = [ports]bool{true, true}; return v }
	for name, c := range map[string]struct {
		spec Spec
		v    view
		port int
		ok   bool
	}{
		"arrival, later came first":         {Spec{Policy: Arrival}, both(view{came: [ports]uint64{7, 5}}), later, true},
		"arrival, first came first":         {Spec{Policy: Arrival}, both(view{came: [ports]uint64{4, 5}}), first, true},
		"arrival, one waits":                {Spec{Policy: Arrival}, view{waits: [ports]bool{later: true}, came: [ports]uint64{4, 5}}, later, true},
		"turns, after first":                {Spec{Policy: Turns}, both(view{last: first}), later, true},
		"turns, after later":                {Spec{Policy: Turns}, both(view{last: later}), first, true},
		"turns, one waits":                  {Spec{Policy: Turns}, view{waits: [ports]bool{first: true}, last: first}, first, true},
		"first, both wait":                  {Spec{Policy: First, Queue: 64, Below: 32}, both(view{came: [ports]uint64{7, 5}}), first, true},
		"first, later below":                {Spec{Policy: First, Queue: 64, Below: 32}, view{waits: [ports]bool{later: true}, under: 31}, later, true},
		"first, later not below":            {Spec{Policy: First, Queue: 64, Below: 32}, view{waits: [ports]bool{later: true}, under: 32}, later, false},
		"first, below as queue":             {Spec{Policy: First, Queue: 64}, view{waits: [ports]bool{later: true}, under: 63}, later, true},
		"first, later not starved":          {Spec{Policy: First, Queue: 64, Below: 32, Starve: 10 * units.Nanosecond}, both(view{since: [ports]uint64{0, 91}, now: 100}), first, true},
		"first, later starved":              {Spec{Policy: First, Queue: 64, Below: 32, Starve: 10 * units.Nanosecond}, both(view{since: [ports]uint64{0, 90}, now: 100, under: 50}), later, true},
		"first, starved and the queue full": {Spec{Policy: First, Queue: 64, Below: 32, Starve: 10 * units.Nanosecond}, view{waits: [ports]bool{later: true}, since: [ports]uint64{0, 90}, now: 100, under: 63}, later, true},
	} {
		x := Comp{spec: c.spec, starve: uint64(c.spec.Starve / units.Nanosecond)}
		port, ok := x.rule().next(&c.v)
		require.Equal(t, c.ok, ok, name)
		if ok {
			require.Equal(t, c.port, port, name)
		}
	}
}
