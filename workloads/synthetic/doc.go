// Package synthetic generates memory requests of known shape for players: layers (attention,
// matrix products, hot sets, random reads, pointer chases) that cores of a system play, by the
// key generate.
//
// A layer is an entry of Layers, in a file of its own; the tests of this package hold for every
// entry. Traces for the tests of replacement policies stand in tracetest.
//
// Left out: data.
//
// Sources: those of the entries.
package synthetic
