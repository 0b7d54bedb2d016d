// Package burst cuts what a core moves into memory requests, each of contiguous bytes with one home.
//
// [Routes] numbers the ports that an address map leads to and says what the memories below them
// move at most. A [Cutter] goes through a transfer in the order of its rows and gives one [Burst]
// after the other; it allocates nothing. Addresses and sizes are in bytes.
//
// The package sends nothing: the core decides how many requests may be without an answer.
package burst
