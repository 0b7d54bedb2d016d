package congestion

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// Reference: Ultra Ethernet 1.0, section 3.6.13: increases are scaled by the bandwidth-delay product
// over that of 100 Gbit/s and 12 us. The numbers are those that the consortium's own simulator
// prints for the same network (uet-htsim 40ccb05): a 0.7793, b 0.58448, alpha 1.064 B/ns,
// fi 15960.1, eta 478.802, a target of 7013.76 ns and a largest window of 175,342 B.
func TestNSCCParameters(t *testing.T) {
	a, err := New("nscc", nil)
	require.NoError(t, err)
	p := Path{Rate: 12.5, RTT: 9351.68, Farthest: 9351.68, Packet: 4160, Payload: 4096, Hops: 4, Trims: true}
	f := a.Start(p).(*nscc)
	require.InDelta(t, 7013.76, f.target, 1e-9)
	require.InDelta(t, 1.064, f.alpha, 5e-5)
	require.InDelta(t, 15960.1, f.fair, 0.11)
	require.InDelta(t, 478.802, f.eta, 0.005)
	require.InDelta(t, 0.194825, f.fast, 1e-5)
	require.InDelta(t, 175342, f.most, 2)
	require.Equal(t, f.most, f.window)
	p.Trims = false
	require.InDelta(t, 9351.68, a.Start(p).(*nscc).target, 1e-9)
}

// The four cases by mark and delay, at a window of 100,000 B and a mean delay of 10 us.
func TestNSCCCases(t *testing.T) {
	fresh := func() *nscc {
		a, _ := New("nscc", nil)
		f := a.Start(Path{Rate: 12.5, RTT: 9351.68, Farthest: 9351.68, Packet: 4160, Payload: 4096, Trims: true}).(*nscc)
		f.window, f.delay, f.adjusted = 100_000, 10_000, 1e5
		f.ends = 1e9 // no quick adapt
		return f
	}
	ack := func(f *nscc, delay float64, marked bool) {
		f.Acked(&Ack{Now: 1e5, RTT: 9351.68 + delay, Bytes: 4160, Marked: marked})
	}
	f := fresh()
	ack(f, 3000, false) // proportional increase: alpha x bytes x (target - delay), when it is fulfilled over the window
	require.InDelta(t, f.alpha*4160*(7013.76-3000), f.more, 1e-6)
	require.Equal(t, 100_000.0, f.window)
	more := f.more
	f.fulfill(1e5)
	require.InDelta(t, 100_000+more/100_000, f.window, 1e-9)

	f = fresh()
	ack(f, 9000, false) // fair increase
	require.InDelta(t, f.fair*4160, f.more, 1e-6)
	require.InDelta(t, 10_000+0.0125*(9351.68/4-10_000), f.delay, 1e-9) // the queue is draining

	f = fresh()
	ack(f, 9000, true) // multiplicative decrease by the mean delay, 10,000 - 0.0125 x 1000
	require.InDelta(t, 9987.5, f.delay, 1e-9)
	require.InDelta(t, 100_000*(1-0.8*(9987.5-7013.76)/9987.5), f.window, 1e-6)
	was := f.window
	ack(f, 9000, true)
	require.Equal(t, was, f.window, "once per round trip")

	f = fresh()
	ack(f, 3000, true) // another path may help
	require.Equal(t, 100_000.0, f.window)
	require.Zero(t, f.more)

	f = fresh()
	f.quiet = 100_000 // a window of packets without a queue
	ack(f, 500, false)
	require.InDelta(t, 100_000+f.fast*4160, f.window, 1e-6)
}

// Quick adapt: after a loss, at the end of a round trip, the window is what has arrived in it, and
// marks of packets that were sent before count for nothing.
func TestNSCCQuickAdapt(t *testing.T) {
	a, _ := New("nscc", nil)
	f := a.Start(Path{Rate: 12.5, RTT: 9351.68, Farthest: 9351.68, Packet: 4160, Payload: 4096, Trims: true}).(*nscc)
	f.Acked(&Ack{Now: 1, RTT: 9351.68, Bytes: 4160, InFlight: 90_000}) // begins a round trip
	for range 3 {
		f.Acked(&Ack{Now: 100, RTT: 9351.68 + 8000, Bytes: 4160, Marked: true, InFlight: 90_000})
	}
	f.Lost(&Loss{Now: 200, Bytes: 4160, InFlight: 80_000})
	require.InDelta(t, 175344-4160, f.window, 10, "too early: the lost packet leaves the window")
	f.Lost(&Loss{Now: 20_000, Bytes: 4160, InFlight: 75_840})
	require.Equal(t, 3*4160.0, f.window)
	f.delay = 20_000
	f.Acked(&Ack{Now: 40_000, RTT: 9351.68 + 9000, Bytes: 4160, Marked: true})
	require.Equal(t, 3*4160.0, f.window, "sent before")
	f.Lost(&Loss{Now: 40_001, Bytes: 4160, Timeout: true})
	require.Equal(t, 2*4160.0, f.window)
}
