package congestion_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/noc/congestion"
)

// leafSpine is a path over 2 x 2 channels of 100 Gbit/s and 1 us, packets of 4,160 B.
var leafSpine = congestion.Path{Rate: 12.5, RTT: 9351.68, Farthest: 9351.68, Packet: 4160, Payload: 4096, Hops: 4, Trims: true}

func start(t *testing.T, name string, spec any, p congestion.Path) congestion.Control {
	a, err := congestion.New(name, spec)
	require.NoError(t, err)
	return a.Start(p)
}

func window(c congestion.Control) float64 { w, _ := c.Allow(0); return w }

// Whatever happens, every algorithm lets at least a packet into the network or paces it at a rate
// above 0, and never sends faster than unlimited.
func TestContract(t *testing.T) {
	for _, name := range congestion.All.Names() {
		t.Run(name, func(t *testing.T) {
			c := start(t, name, nil, leafSpine)
			rng := rand.New(rand.NewPCG(1, 2))
			now, next, last := 0.0, uint64(0), uint64(0)
			var hops []congestion.Hop
			for range 20000 {
				now += rng.ExpFloat64() * 400
				switch rng.IntN(12) {
				case 0:
					c.Lost(&congestion.Loss{Now: now, Bytes: 4160, InFlight: rng.Float64() * 2e5, Timeout: rng.IntN(2) == 0})
				case 1:
					if n, ok := c.(congestion.Notified); ok {
						n.Notify(now)
					}
				case 2, 3, 4, 5, 6:
					c.Sent(now, 4160)
					next++
				default:
					last = min(last+1, next)
					hops = append(hops[:0], congestion.Hop{Now: now, Queue: rng.Float64() * 1e6, Sent: now * 12.5 * rng.Float64(), Rate: 12.5})
					c.Acked(&congestion.Ack{Now: now, RTT: 9351.68 + rng.ExpFloat64()*9000, Bytes: 4160, InFlight: rng.Float64() * 2e5, Marked: rng.IntN(2) == 0, Last: last, Next: next, Telemetry: hops})
				}
				w, r := c.Allow(now)
				require.False(t, math.IsNaN(w) || math.IsNaN(r))
				require.Positive(t, w)
				require.Positive(t, r)
			}
		})
	}
}

// An unknown name, a spec of another type, and impossible values are errors.
func TestNewRefuses(t *testing.T) {
	_, err := congestion.New("cubic", nil)
	require.EqualError(t, err, `unknown congestion control "cubic" (want one of: dcqcn, hpcc, line_rate, nscc, swift)`)
	_, err = congestion.New("swift", congestion.HPCC{})
	require.ErrorContains(t, err, "spec is a congestion.HPCC, want a congestion.Swift")
	_, err = congestion.New("dcqcn", congestion.DCQCN{Gain: 2})
	require.ErrorContains(t, err, "cnp_interval is 0s (want more than 0)")
	require.ErrorContains(t, err, "gain is 2 (want 0 to 1)")
	_, err = congestion.New("hpcc", congestion.HPCC{Flows: 100, Stages: -1})
	require.EqualError(t, err, "congestion control hpcc: utilization is 0 (want 0.01 to 1); max_stages is -1 (want 0 to 1000)")
	for _, name := range congestion.All.Names() {
		_, err := congestion.New(name, nil)
		require.NoError(t, err)
	}
}

func Example() {
	a, _ := congestion.New("dcqcn", nil)
	c := a.Start(congestion.Path{Rate: 5}) // 40 Gbit/s
	c.(congestion.Notified).Notify(0)
	for _, us := range []float64{0, 55, 110} {
		_, rate := c.Allow(us * 1000)
		fmt.Println(rate)
	}
	// Output:
	// 2.5
	// 3.75
	// 4.375
}
