package channel

import (
	"fmt"
	"math"
	"strings"

	"github.com/causeway-sim/causeway/noc/routing"
	"github.com/causeway-sim/causeway/noc/topology"
)

// Tick is the time units of a cycle.
const Tick = 1 << tickBits

const tickBits = 16

// A Link is the channels of one class, per direction.
type Link struct {
	Latency int     // cycles from one end to the other
	Rate    float64 // bytes per cycle; 0 is unlimited
}

// A Config describes a network.
type Config struct {
	Topology topology.Topology
	Routing  routing.Algorithm

	Terminal, Local, Global Link

	Router int  // cycles in each router
	Packet int  // most bytes of a packet; 0: every message is one packet
	Header int  // header bytes per packet
	Fill   bool // pad the last packet of a message to Packet bytes
	Width  int  // bytes of a flit, the unit of queues in routing
	// Buffer is the flits that a router holds per channel and class; packets wait for room. 0 is
	// unbounded.
	Buffer int
	// Networks is the number of virtual networks, with separate buffers; 0 is 1.
	Networks int
	// Express is the most bytes, Header included, of a message that waits for no other on a
	// channel; 0 is none. It needs Packet 0.
	Express int
	// Reduce: routers add up messages with a Sum.
	Reduce bool
	// Outages are channels that fail during the run.
	Outages []Outage
	Store   bool // store-and-forward; else cut-through
	Whole   bool // round the time of a packet on a channel down to whole cycles
	Seed    uint64
}

// LeastRate is the bytes per cycle of the slowest channel.
const LeastRate = 1e-6

func (c *Config) validate() error {
	var bad []string
	in := func(key string, v, lo, hi int) {
		if v < lo || v > hi {
			bad = append(bad, fmt.Sprintf("%s is %d (want %d to %d)", key, v, lo, hi))
		}
	}
	in("router", c.Router, 0, 1<<16)
	in("packet", c.Packet, 0, 1<<30)
	in("express", c.Express, 0, 1<<20)
	if c.Express > 0 && (c.Packet > 0 || c.Buffer > 0) {
		bad = append(bad, "express has no effect on packets (want packet 0 and buffer 0)")
	}
	in("header", c.Header, 0, 1<<20)
	in("width", c.Width, 1, 1<<20)
	if c.Fill && c.Packet == 0 {
		bad = append(bad, "packets without limit cannot be filled up (want packet above 0)")
	}
	in("virtual networks", c.Networks, 0, 64)
	in("buffer", c.Buffer, 0, 1<<24)
	if c.Buffer > 0 && c.Width > 0 {
		if flits := (c.Packet + c.Header + c.Width - 1) / c.Width; c.Packet == 0 {
			bad = append(bad, "packet is 0, without limit (want packets that fit the buffer)")
		} else if flits > c.Buffer {
			bad = append(bad, fmt.Sprintf("buffer is %d, a packet has %d flits (want %[2]d or more)", c.Buffer, flits))
		}
	}
	for _, x := range []struct {
		key string
		l   Link
	}{{"terminal", c.Terminal}, {"local", c.Local}, {"global", c.Global}} {
		in(x.key+" latency", x.l.Latency, 0, 1<<16)
		if !(x.l.Rate >= 0) || x.l.Rate != 0 && x.l.Rate < LeastRate {
			bad = append(bad, fmt.Sprintf("%s rate is %g B/cycle (want 0 or at least %g)", x.key, x.l.Rate, LeastRate))
		}
	}
	if bad == nil {
		return nil
	}
	return fmt.Errorf("channel: %s", strings.Join(bad, "; "))
}

// Cover returns the least Buffer that never stops a single stream of packets on any class of
// channels: the round trip and a packet, in whole packets. A packet reserves its room when it
// leaves for it, and frees it when its tail has left, which the sender learns a latency later.
// Channels of unlimited rate count as a flit per cycle.
func (c *Config) Cover() int {
	packet, most := (c.Packet+c.Header+c.Width-1)/c.Width, 0
	for _, class := range topology.Classes(c.Topology) {
		l := c.link(class)
		rate := 1.0 // flits per cycle
		if l.Rate > 0 {
			rate = l.Rate / float64(c.Width)
		}
		trip := float64(2*l.Latency+c.Router) * rate
		if c.Store {
			trip += float64(packet) // it leaves only when it has come whole
		}
		most = max(most, (int(math.Ceil(trip/float64(packet)))+1)*packet)
	}
	return most
}

// link is what the channels of a class are like.
func (c *Config) link(class topology.Class) Link {
	switch class {
	case topology.Terminal:
		return c.Terminal
	case topology.Global:
		return c.Global
	}
	return c.Local
}
