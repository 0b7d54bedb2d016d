// Package allocator matches what waits in a router with what is free: input with
// output virtual channels, and inputs with outputs of the switch. It is pure: it knows
// requests and the pointers of round-robin arbiters, no packets and no time.
//
// An allocator is an entry of All, in a file of its own that no other names. The router
// (noc/fabric) looks up the name in the key router.allocator; the tests of this package
// hold for every entry.
//
// # Sources
//
// Those of the entries: Dally and Towles 2004, McKeown 1999.
//
// Left out: wavefront and maximum-size allocation.
package allocator

import "github.com/causeway-sim/causeway/components/registry"

// A Request is one input's request for one output. Requests for the switch carry the
// lane (input virtual channel) that would send.
type Request struct {
	Age           int64 // an arbiter prefers the smaller one; equal for all unless Factory.Ages
	In, Out, Lane int16
}

// An Allocator grants requests so that each input and each output has one grant at
// most.
type Allocator interface {
	// Match grants some of the requests of router r, at least one if there is one. No two
	// requests have the same input and the same output. The caller may change the result,
	// which is valid until the next call. A call allocates nothing once its buffers have
	// grown.
	Match(r int, reqs []Request) []Request
}

// A Passer is an Allocator that embeds Arbiters and grants all requests if no two of them
// share an input or an output. A caller who knows that may leave Match out: it moves the
// pointers by Pass for each.
type Passer interface {
	Allocator
	Pointers() *Arbiters
}

// A Factory makes an allocator.
type Factory struct {
	// New makes the allocator of some routers, each with n inputs and n outputs. It
	// keeps the state of each router apart.
	New func(routers, n, iterations int) Allocator
	// Iterates says that iterations make a difference.
	Iterates bool
	// Ages asks that Request.Age is the cycle in which the packet was created.
	Ages bool
}

// All holds every allocator by name.
var All = registry.New[Factory]("router allocator")
