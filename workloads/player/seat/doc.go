// Package seat is what a node of a system has to be to play one rank of a parallel
// program, and what its network interface is like.
//
// A player (workloads/player/ranks) keeps the program: dependencies, matching of
// messages and receives, collectives. Where ranks are nodes of their own, each of
// them is a Seat: it lends its port to the player, which issues computations to it as
// operators (accelerators/work Direct). Node packages do not import each other; this is where
// they meet.
//
//	player, err := ranks.Seated("Program", engine, program, seats)
package seat
