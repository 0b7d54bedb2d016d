package link

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/causeway-sim/causeway/memory/cxl/flit"
)

// Never is later than every time.
const Never = math.MaxInt64

// A Config configures a link.
type Config struct {
	Mode    flit.Mode
	Carrier Carrier
	Rate    int // GT/s per lane: one of the carrier's
	Lanes   int // in each direction: one of the carrier's
	Limits  flit.Limits
	Latency int64 // ps from the last bit sent to the flit at the receiver, both physical layers included
	// Credits are the receiver's buffers by class; a class with 0 cannot be sent.
	Credits [flit.Classes]int
	// Retry is the buffer for unacknowledged flits, in flits.
	Retry int
	// AckEvery is the flits per Ack.
	AckEvery int
	// Frames is the RETRY.Frame flits before RETRY.Req and RETRY.Ack.
	Frames int
	// Timeout is the flit times after which a request for replay is repeated: see Retry in the
	// package doc.
	Timeout int
	// BER is the probability of a wrong bit, before FEC, by direction.
	BER [2]float64
	// Seed is that of bit errors.
	Seed uint64
	// Bypass leaves out the 2-bit sync header of every 128 bits.
	Bypass bool
	// Both: each direction carries messages of all classes, between switches; PBR flits only.
	Both bool
	// Share is the flits of cache and mem, and of io, that alternate if both wait.
	Share [2]int
}

// DefaultConfig returns a x16 link of 68 B flits at 32 GT/s.
//
// Sources: AckEvery, Frames and the 8 bits of the sequence number, which bound
// Retry, CXL 2.0 section 4.2.8; Timeout, the least that its section 4.2.8.5.1
// suggests. assumption: 64 credits of a class; 2 ns of physical
// layers and wire; equal shares.
func DefaultConfig() Config {
	c := Config{
		Mode: flit.Flit68, Rate: 32, Lanes: 16, Limits: flit.DefaultLimits(flit.Flit68), Latency: 2000,
		Retry: 255, AckEvery: 8, Frames: 5, Timeout: 4096, Share: [2]int{1, 1},
	}
	for i := range c.Credits {
		c.Credits[i] = 64
	}
	return c
}

// mostWrong is the largest share of wrong flits: above it the link carries almost only requests
// for replay, and a run takes hours.
//
// assumption: a bound of ours; real links are taken down long before.
const mostWrong = 0.9

// checkCarrier finds what its carrier cannot do.
func (c *Config) checkCarrier(bad func(format string, args ...any)) {
	if c.Carrier >= carriers {
		bad("carrier %d (want less than %d)", c.Carrier, carriers)
		return
	}
	k := &kinds[c.Carrier]
	if !slices.Contains(k.rates, c.Rate) {
		bad("rate %d GT/s (want one of: %s)", c.Rate, list(k.rates))
	}
	if !slices.Contains(k.lanes, c.Lanes) {
		bad("%d lanes (want one of: %s)", c.Lanes, list(k.lanes))
	}
	if c.Carrier == PCIe && c.Rate == 64 && c.Mode == flit.Flit68 {
		bad("64 GT/s has flits of 256 B only")
	}
	if c.Carrier != PCIe && c.Bypass {
		bad("UCIe has no sync headers to leave out")
	}
}

// Check returns an error for impossible values.
func (c Config) Check() error {
	var errs []error
	bad := func(format string, args ...any) { errs = append(errs, fmt.Errorf(format, args...)) }
	c.checkCarrier(bad)
	if c.Mode >= flit.Modes {
		bad("flit mode %d (want less than %d)", c.Mode, flit.Modes)
	}
	if c.Both && c.Mode != flit.FlitPBR {
		bad("between switches only PBR flits carry the messages of both directions")
	}
	if c.Latency < 0 {
		bad("latency %d ps", c.Latency)
	}
	c.checkBuffers(bad)
	for d, p := range c.BER {
		if !(p >= 0 && p < 1) {
			bad("bit error rate %g (want 0 to less than 1)", p)
		} else if w := c.Wrong(flit.Direction(d)); w > mostWrong {
			bad("bit error rate %g: %.4g%% of the flits would be wrong (want at most %g%%)", p, 100*w, 100*mostWrong)
		}
	}
	if c.Share[0] < 1 || c.Share[1] < 1 {
		bad("shares %d and %d (want at least 1)", c.Share[0], c.Share[1])
	}
	return errors.Join(errs...)
}

// checkBuffers finds what is wrong with the buffers at both ends.
func (c *Config) checkBuffers(bad func(format string, args ...any)) {
	for i, n := range c.Credits {
		if n < 0 {
			bad("%d credits of %s", n, flit.Class(i))
		}
	}
	for _, x := range []flit.Class{flit.M2SReq, flit.M2SRwD, flit.S2MNDR, flit.S2MDRS} {
		if c.Credits[x] == 0 {
			bad("no credits of %s: nothing of it could be sent", x)
		}
	}
	if c.AckEvery < 1 || c.Retry <= c.AckEvery || c.Retry > 1023 {
		bad("retry buffer of %d flits with an Ack every %d (want more than that, at most 1023)", c.Retry, c.AckEvery)
	}
	if c.Frames < 0 || c.Timeout < 1 {
		bad("%d retry frames, timeout %d flits", c.Frames, c.Timeout)
	}
}

// period is the time of one flit: num/den picoseconds.
func (c Config) period() (num, den int64) {
	num, den = int64(c.Mode.Bytes())*8*1000, int64(c.Rate*c.Lanes)
	if c.Carrier == PCIe && c.Rate <= 32 && !c.Bypass {
		num, den = num*130, den*128 // 128b/130b
	}
	return num, den
}

// FlitTime returns the time of one flit in picoseconds.
func (c Config) FlitTime() float64 {
	n, d := c.period()
	return float64(n) / float64(d)
}

// Wrong returns the probability that a flit of a direction must be replayed.
func (c Config) Wrong(d flit.Direction) float64 {
	if c.Carrier != PCIe { // CRC and retry, no FEC: every bit counts
		return -math.Expm1(float64(c.Mode.Bytes()*8) * math.Log1p(-c.BER[d]))
	}
	if c.Mode == flit.Flit68 {
		return -math.Expm1(528 * math.Log1p(-c.BER[d])) // 64 B and CRC: 1-(1-BER)^528
	}
	s := -math.Expm1(8 * math.Log1p(-c.BER[d])) // a byte
	good := 1.0
	for _, n := range []float64{86, 85, 85} { // bytes of the FEC's groups, its own included
		good *= math.Pow(1-s, n) + n*s*math.Pow(1-s, n-1)
	}
	return 1 - good
}
