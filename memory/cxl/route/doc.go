// Package route finds the routes of a CXL fabric: arithmetic over numbered links, without time
// and nodes.
//
//	var b route.Book
//	n := b.Add([]route.Leg{route.Down(0), route.Down(3)})
//	legs := b.Open(n) // the number under which lines follow it
//
// A Leg is a link and a direction. A Walk goes down from a host over Nodes, which decide through
// which ports it may leave, and calls Reach of each device port, with the legs there and back. A
// Table has the channels of a fabric with port-based routing, by a routing algorithm of
// noc/routing, or by the shortest routes over the least used channels. A Book stores millions of
// routes in few bytes and unpacks those in use. A Graph has the dependencies between legs, finds
// a ring, and rejects a route that would close one.
//
// Source of the ring check: Dally and Seitz, Deadlock-free message routing in
// multiprocessor interconnection networks, 1987, theorem 1.
//
// Left out: virtual channels, which CXL links do not have, and routing by load: tables are filled
// before the run, and after a loss. Only From returns errors: those of Reach, and of a circle of
// links.
package route
