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

	Packet  int  // most payload bytes of a packet
	Header  int  // header bytes of each packet
	Ack     int  // bytes of an acknowledgement
	Mixed   bool // acknowledgements wait with data
	Every   int  // bytes after which a receiver acknowledges; 0 is every packet
	Timeout float64
	Reorder int  // packets that overtake a lost one; 0: only timeouts find it
	InOrder bool // go_back_n

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

// full is the bytes of a full packet.
func (c *Config) full() int { return c.Packet + c.Header }
