package serving

import (
	"cmp"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/causeway-sim/causeway/components/units"
	"github.com/causeway-sim/causeway/configs"
)

// Upscale increases the request rate of a trace.
type Upscale struct {
	Factor float64 `yaml:"factor" jsonschema:"minimum=0.001,maximum=1000" doc:"Requests per time, of those of the file"`
	Method string  `yaml:"method" jsonschema:"enum=trace,enum=divide,enum=poisson" doc:"trace: more requests at the times of the file, whose pattern stays; divide: the same requests closer together; poisson: the mean rate alone stays"`
}

// The ways to upscale.
const (
	byTrace   = "trace"
	byDivide  = "divide"
	byPoisson = "poisson"
)

// apply upscales requests in the order of arrival.
//
// TraceUpscaler's way keeps what a trace says about time: arrivals are upscaled apart from
// the data of requests. Each gap between two arrivals becomes Factor arrivals in the
// mean, spread over the gap evenly, so that bursts stay bursts and pauses stay pauses; the
// data of requests follow in the order of the file, over and over. The naive ways
// divide all times, which makes the pattern faster, or draw arrivals of the mean rate,
// which has none.
func (u Upscale) apply(at configs.Value, in []Request, r *rand.Rand) ([]Request, error) {
	if u.Method == "" {
		u.Method = byTrace
	}
	if !at.Exists() {
		return in, nil
	}
	if !(u.Factor >= 0.001 && u.Factor <= 1000) {
		return nil, at.Place("factor").Errorf(nil, "factor is %g (want 0.001 to 1000)", u.Factor)
	}
	if len(in) == 0 {
		return in, nil
	}
	last := in[len(in)-1].Arrival
	var times []units.Time
	switch u.Method {
	case byDivide:
		out := slices.Clone(in)
		for i := range out {
			out[i].Arrival = units.Time(math.Round(float64(out[i].Arrival) / u.Factor))
		}
		return out, nil
	case byPoisson:
		n := u.count(len(in))
		mean := float64(last) / u.Factor / float64(max(len(in)-1, 1))
		for t := 0.0; len(times) < n; t += r.ExpFloat64() * mean {
			times = append(times, units.Time(math.Round(t)))
		}
	default:
		due := 0.0 // arrivals up to here
		for i := range in {
			from := in[i].Arrival
			to := last
			if i+1 < len(in) {
				to = in[i+1].Arrival
			}
			due += u.Factor
			n := int(math.Floor(due+1e-9)) - len(times)
			for k := range n {
				times = append(times, from+units.Time(float64(to-from)*float64(k)/float64(n)))
			}
		}
	}
	if len(times) > MaxRequests {
		return nil, at.Get("factor").Errorf(nil, "makes %d requests (want at most %d)", len(times), MaxRequests)
	}
	out := make([]Request, len(times))
	for i, t := range times {
		out[i] = in[i%len(in)]
		out[i].Arrival = t
	}
	slices.SortStableFunc(out, func(a, b Request) int { return cmp.Compare(a.Arrival, b.Arrival) })
	return out, nil
}

func (u Upscale) count(n int) int { return max(int(math.Round(float64(n)*u.Factor)), 1) }
