// Package tile chooses the memory tiles of a product: their sizes, the order of the loops over
// them, how many products a tile has, and the way on which the core carries them out. Search
// lists the candidates of one machine and ranks them by closed forms (traffic, cycles of the
// array, estimated time). Solve lets the best of all machines compete by the time of their
// steps. A Schedule is the steps of the mapping that was chosen, a Walk yields them.
//
// The result depends on the Key alone, never on earlier searches. A product of which no tile
// fits the buffers is an error that names the buffer and the bytes that it lacks.
package tile
