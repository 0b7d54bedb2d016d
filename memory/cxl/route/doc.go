// Package route finds the routes of a CXL fabric: pure arithmetic over numbered links,
// without time and without nodes.
//
//	var b route.Book
//	n := b.Add([]route.Leg{route.Down(0), route.Down(3)})
//	legs := b.Open(n) // the number under which lines follow it
//
// A Leg is a link and a direction. Search walks down from a host over Nodes, which say
// through which ports a walk may leave, and reports each device port that it reaches
// with the legs there and back. A Table holds the channels of a fabric with port-based
// routing: it asks a routing algorithm of noc/routing, or takes the shortest route whose
// channels fewest others use. A Book stores millions of routes in few bytes and unpacks
// those that lines follow. A Graph tells which links wait for which, finds a ring, and
// refuses a route that would close one.
//
// Source of the ring check: Dally and Seitz, Deadlock-free message routing in
// multiprocessor interconnection networks, 1987, theorem 1.
//
// Left out: virtual channels, which CXL links do not have; the tables are filled before
// the run, or again after a loss, and never by load.
package route
