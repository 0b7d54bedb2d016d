package memlink_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/components/units"
	"github.com/causeway-sim/causeway/memory/memlink"
)

// ucie is a link as preset ucie_standard is: 64 GB/s, a flit of 64 B each nanosecond.
func ucie() memlink.Spec {
	s := memlink.DefaultSpec()
	s.Bandwidth, s.Flit, s.Granule, s.Packet, s.Latency = 512e9, memlink.Flit{Size: 64, Payload: 64}, 16, 64, units.InTime(2*units.Nanosecond)
	s.Operation.Size = 64
	return s
}

// Efficiency of UCIe by its closed form. Reference: UCIe 1.1, section 3.3: 64 of 68 B, 240 and 250 of
// 256 B are the protocol's, whose packets are 16 B and 64 B of data here.
func TestUCIeFlits(t *testing.T) {
	for _, x := range []struct{ size, payload units.Bytes }{{64, 64}, {68, 64}, {256, 240}, {256, 250}} {
		s := ucie()
		s.Flit, s.Outstanding = memlink.Flit{Size: x.size, Payload: x.payload}, 1<<20
		const n = 4000
		r, m := run(t, s, 0, list(n, 64, false)...)
		want := 64. / 80 * float64(x.payload) / float64(x.size)
		require.InEpsilon(t, 100*want, m["response_efficiency"], 4e-3)
		rate := float64(n-1) * 64 / (float64(r.Answer[n-1]-r.Answer[0]) / 1000)
		require.InEpsilon(t, want*64, rate, 4e-3, "%d of %d B", x.payload, x.size)
	}
}

// The bandwidth of n credits is n packets a round trip of a credit: the flits of a packet, and the
// latency there and back, until the link binds.
func TestCreditsBindByTheirRoundTrip(t *testing.T) {
	const link = 256. / 272 * 628 / 640 * 100 // GB/s
	for credits, name := range map[int]string{1: "request", 8: "response", 64: "request", 200: "response", 400: "request"} {
		s := ualink()
		s.Outstanding = 1 << 20
		write := name == "request" // data go away
		if write {
			s.Credits.Request = credits
		} else {
			s.Credits.Response = credits
		}
		n := 20 * credits
		r, m := run(t, s, 0, list(n, 256, write)...)
		// from the first answer to the first one of the last round, so many round trips
		rate := float64(n-credits) * 256 / (float64(r.Answer[n-credits]-r.Answer[0]) / 1000)
		want := min(float64(credits)*256/(6.4+800), link)
		require.InEpsilon(t, want, rate, 0.02, "%d credits", credits)
		require.Positive(t, m[name+"_credit_waits"])
	}
}

// One credit exactly: a packet at a time, each a round trip after the one before.
func TestOneCredit(t *testing.T) {
	for _, write := range []bool{false, true} {
		s := ucie()
		s.Credits = memlink.Credits{Request: 1, Response: 1}
		const n, wires = 100, 2
		r, m := run(t, s, 0, list(n, 64, write)...)
		// 80 B are two flits of 1 ns; 16 B are one. Away or back, the larger one binds.
		require.InDelta(t, 2000+2*2000+wires, float64(r.Answer[n-1]-r.Answer[0])/(n-1), 0.5*wires+1, "write %v", write)
		require.Positive(t, m["request_credit_waits"])
		// the parts of the latency still add up, which the node checks; the first one waits for nothing
		require.InDelta(t, 3000+4000, float64(r.Answer[0]-r.Send[0]), 5)
	}
}

// Energy is that of all bits of the flits, by the figure of the package.
func TestUCIeEnergy(t *testing.T) {
	for phy, pj := range map[string]float64{"ucie_standard": 0.6, "ucie_standard_16": 0.5, "ucie_advanced": 0.3, "ucie_advanced_16": 0.25} {
		s := ucie()
		s.Energy.PHY = phy
		_, m := run(t, s, 1, list(100, 64, false)...)
		require.InDelta(t, 100*(64+2*64)*8*pj, m["energy"], 1e-6, phy)
	}
}
