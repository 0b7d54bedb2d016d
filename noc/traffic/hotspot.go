package traffic

import (
	"fmt"
	"math/rand/v2"
)

// HotspotSpec configures hotspot.
type HotspotSpec struct {
	Terminals []int   `yaml:"terminals" doc:"The hot terminals; each is as hot as the others"`
	Percent   float64 `yaml:"percent" jsonschema:"minimum=0,maximum=100" doc:"Packets that go to a hot terminal; the others are uniform"`
}

func init() {
	addSpec("hotspot", "A share of the packets goes to a few hot terminals, the others to any.",
		"Pfister and Norton, Hot spot contention and combining in multistage interconnection networks, IEEE ToC 1985",
		HotspotSpec{Terminals: []int{0}, Percent: 10}, func(a Args, s HotspotSpec) (Pattern, error) {
			n := a.Topology.Terminals()
			if len(s.Terminals) == 0 {
				return nil, fmt.Errorf("no terminal is hot")
			}
			for _, t := range s.Terminals {
				if t < 0 || t >= n {
					return nil, fmt.Errorf("terminal %d (want 0 to %d)", t, n-1)
				}
			}
			if !(s.Percent >= 0 && s.Percent <= 100) {
				return nil, fmt.Errorf("percent is %g (want 0 to 100)", s.Percent)
			}
			return &hotspot{n, s.Terminals, s.Percent / 100}, nil
		})
}

type hotspot struct {
	n     int
	hot   []int
	share float64
}

func (h *hotspot) Dst(_ int, rng *rand.Rand) int {
	if rng.Float64() < h.share {
		return h.hot[rng.IntN(len(h.hot))]
	}
	return rng.IntN(h.n)
}

// A Part is one pattern of a mix and its weight.
type Part struct {
	Pattern Pattern
	Weight  float64 // above 0
}

// Mix returns a pattern that draws one of parts for every packet, by weight.
func Mix(parts ...Part) Pattern {
	m := &mix{}
	sum := 0.0
	for _, p := range parts {
		sum += p.Weight
		m.parts = append(m.parts, p.Pattern)
		m.up = append(m.up, sum)
	}
	for i := range m.up {
		m.up[i] /= sum
	}
	return m
}

type mix struct {
	parts []Pattern
	up    []float64 // cumulative share
}

func (m *mix) Dst(src int, rng *rand.Rand) int {
	x := rng.Float64()
	i := 0
	for i < len(m.parts)-1 && x >= m.up[i] {
		i++
	}
	return m.parts[i].Dst(src, rng)
}
