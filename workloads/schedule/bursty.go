package schedule

import (
	"math"
	"math/rand/v2"

	"github.com/causeway-sim/causeway/components/registry"
	"github.com/causeway-sim/causeway/components/units"
	"github.com/causeway-sim/causeway/configs"
)

// Bursty is a Poisson process that is switched on and off. The lengths of bursts and pauses are
// exponentially distributed.
type Bursty struct {
	Mean  units.Time `yaml:"mean" jsonschema:"required" doc:"Mean time from one request of a burst to the next"`
	Burst units.Time `yaml:"burst" jsonschema:"required" doc:"Mean length of a burst"`
	Pause units.Time `yaml:"pause" jsonschema:"required" doc:"Mean length of the pause after it"`
}

type bursty struct {
	mean, burst, pause float64
	at, until          float64 // of the burst
	begun              bool
}

// Next implements Source.
func (b *bursty) Next(r *rand.Rand) (units.Time, bool) {
	if !b.begun {
		b.begun, b.until = true, r.ExpFloat64()*b.burst
	}
	for left := r.ExpFloat64() * b.mean; ; {
		if b.at+left <= b.until {
			b.at += left
			return units.Time(math.Round(b.at)), true
		}
		left -= b.until - b.at // the exponential has no memory: what is left goes on in the next burst
		b.at = b.until + r.ExpFloat64()*b.pause
		b.until = b.at + r.ExpFloat64()*b.burst
	}
}

func init() {
	Arrivals.Add(registry.Entry[NewSource]{
		Name: "bursty", Doc: "Bursts of requests that arrive independently, with pauses between them.", Source: "Fischer and Meier-Hellstern, The Markov-modulated Poisson process cookbook, Performance Evaluation 18, 1993: the interrupted Poisson process",
		Spec: Bursty{},
		New: func(spec any, _ func(configs.Value) (string, error)) (Source, error) {
			b := spec.(Bursty)
			for _, x := range []struct {
				key string
				t   units.Time
			}{{"mean", b.Mean}, {"burst", b.Burst}, {"pause", b.Pause}} {
				if x.t == 0 {
					return nil, &KeyError{x.key, "is missing or 0 (want a time, for example 10ms)"}
				}
			}
			return &bursty{mean: float64(b.Mean), burst: float64(b.Burst), pause: float64(b.Pause)}, nil
		},
	})
}
