package routing

import "github.com/causeway-sim/causeway/noc/topology"

// A Bulk algorithm lets Check follow many packets as one, so that a network of
// any size is decided in seconds. It knows which words of a packet no coming
// decision reads. Check follows the packets that it names in place of all.
//
// The contract: whatever channel and class a packet of the exhaustive walk may
// wait for behind another, some packet named here may, too. TestBulkIsExact
// compares both walks on small networks for every algorithm.
type Bulk interface {
	Algorithm
	// Starts calls yield with packets at router r that stand for all that start
	// there.
	Starts(r int, yield func(Packet))
	// Arrives clears the words that Spread does not read of a packet that has come
	// to router r by a channel of a class.
	Arrives(by topology.Class, r int, p *Packet)
	// Spread calls yield with packets that stand for p, which has come to router
	// r by a channel of a class.
	Spread(by topology.Class, r int, p Packet, yield func(Packet))
	// Waits clears the words of a packet that are not read if it is asked about
	// again where it stands.
	Waits(p *Packet)
}
