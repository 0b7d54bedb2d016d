package policy

import (
	"fmt"

	"github.com/causeway-sim/causeway/components/registry"
)

// Bimodal is the spec of policies that fill every n-th line like LRU or SRRIP.
type Bimodal struct {
	Every uint32 `yaml:"every" doc:"Every how many fills one line is filled like by LRU or SRRIP"`
}

// DefaultBimodal is every 32nd fill (BIP_MAX of ChampSim's drrip.cc; the papers use 1/32 and
// 1/64).
func DefaultBimodal() Bimodal { return Bimodal{Every: 32} }

// A throttle counts fills; next returns true for every n-th.
type throttle struct{ every, n uint32 }

func (t *throttle) next() bool {
	t.n++
	if t.n == t.every {
		t.n = 0
	}
	return t.n == 0
}

// bimodal is the factory of a policy with a Bimodal spec.
func bimodal(f func(Geometry, throttle) Policy) Factory {
	return func(g Geometry, spec any) (Policy, error) {
		s, err := registry.SpecOf(spec, DefaultBimodal())
		if err != nil {
			return nil, err
		}
		if s.Every < 1 {
			return nil, fmt.Errorf("every: %d (want at least 1)", s.Every)
		}
		return f(g, throttle{every: s.Every}), nil
	}
}
