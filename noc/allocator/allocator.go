// Package allocator has the allocators of a router: they match input with output virtual
// channels, and inputs with outputs of the switch. An allocator has requests and round-robin
// pointers, but no packets and no time.
//
// An allocator is an entry of All, in a file of its own:
//
//	e, ok := allocator.All.Entry("islip")
//	granted := e.New.New(routers, ports, iterations).Match(r, requests)
//
// The router (noc/fabric) uses the entry of the key router.allocator; an unknown name is an error
// there. The tests of this package run every entry.
//
// # Sources
//
// Those of the entries: Dally and Towles 2004, McKeown 1999.
//
// Left out: wavefront and maximum-size allocation.
package allocator

import "github.com/causeway-sim/causeway/components/registry"

// A Request is one input's request for one output. For the switch, Lane is the input virtual
// channel that would send.
type Request struct {
	Age           int64 // the smaller one has priority; equal for all unless Factory.Ages
	In, Out, Lane int16
}

// An Allocator grants requests so that each input and each output has at most one grant.
type Allocator interface {
	// Match grants some of the requests of router r, at least one if there are any. No two
	// requests may have the same input and output. The result is valid until the next call, and
	// the caller may change it. In steady state a call does not allocate.
	Match(r int, reqs []Request) []Request
}

// An ArbiterBased allocator embeds Arbiters and grants all requests if no two share an input
// or an output. A caller may then call Advance for each request in place of Match.
type ArbiterBased interface {
	Allocator
	Pointers() *Arbiters
}

// A Factory makes an allocator.
type Factory struct {
	// New makes the allocator of so many routers with n inputs and n outputs each. Routers have
	// separate state.
	New func(routers, n, iterations int) Allocator
	// Iterates: the argument iterations has an effect.
	Iterates bool
	// Ages: Request.Age must be the cycle in which the packet was created.
	Ages bool
}

// All holds every allocator by name.
var All = registry.New[Factory]("router allocator")
