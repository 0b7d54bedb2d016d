package transport

import (
	"github.com/causeway-sim/causeway/noc/channel"
	"github.com/causeway-sim/causeway/noc/congestion"
	"github.com/causeway-sim/causeway/noc/routing"
	"github.com/causeway-sim/causeway/noc/topology"
)

// A Config describes a network. NewComp makes it from checked keys.
type Config struct {
	Topology  topology.Topology
	Routing   routing.Algorithm
	Algorithm congestion.Algorithm

	Terminal, Local, Global channel.Link

	Router int     // cycles in each router
	Width  int     // bytes of a flit, the unit of queues in routing
	Store  bool    // store-and-forward; else cut-through
	Period float64 // nanoseconds of a cycle
	Seed   uint64

	Packet  int     // most payload bytes of a packet
	Header  int     // header bytes of each packet
	Ack     int     // bytes of an acknowledgement
	Mixed   bool    // acknowledgements wait with data
	Every   int     // bytes after which a receiver acknowledges; 0 is every packet
	Timeout float64 // nanoseconds; 0: by the queues
	Trip    float64 // the longest round trip of the empty network, nanoseconds
	Reorder int     // packets that overtake a lost one; 0: only timeouts find it
	InOrder bool    // go_back_n

	Size          int // bytes of a queue, 0 is no limit
	Trim          int // bytes of a trimmed packet, 0: packets are dropped
	Mark          ECN // zero: no marks
	Pause, Resume int // bytes, 0 is no flow control
}

// link is what the channels of a class are like.
func (c *Config) link(class topology.Class) channel.Link {
	switch class {
	case topology.Terminal:
		return c.Terminal
	case topology.Global:
		return c.Global
	}
	return c.Local
}

// timeoutAt is the default timeout in nanoseconds with a slowest channel of so many bytes per nanosecond;
// 0 where a key says another one.
func (c *Config) timeoutAt(rate float64) float64 {
	switch {
	case c.Timeout > 0:
		return 0
	case c.Size == 0:
		return max(1e6, 4*(c.Trip+float64(c.full())/rate))
	}
	return max(1e5, 4*(c.Trip+float64(c.Size)/rate))
}

// full is the bytes of a full packet.
func (c *Config) full() int { return c.Packet + c.Header }
