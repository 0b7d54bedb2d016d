// Package seat defines the interfaces between a player of a parallel program and the nodes that
// execute its ranks, and the parameters of a network interface.
//
// A player (workloads/player/ranks) manages the program: dependencies, matching of messages and
// receives, collectives. A node that executes a rank is a Seat: the player uses its port, and
// issues the rank's computations to it as operators (accelerators/work Direct). The interfaces are
// here because node packages do not import each other. Left out: the program itself
// (workloads/comm) and the network.
//
//	player, err := ranks.Seated("Program", engine, program, seats)
package seat
