// Package synthetic generates streams of memory requests for drivers and processors (key
// generate): attention, matrix products, hot sets, random reads, pointer chases.
//
//	l := synthetic.DefaultHeads()
//	r, err := synthetic.NewReader(&l, 0, 4096) // requests of core 0, of at most 4 KiB
//
// A layer is an entry of Layers, in one file; the tests of this package hold for every entry.
// Sizes are in bytes. Layer.Check returns the errors of a layer. Traces for tests of replacement
// policies are in tracetest.
//
// Left out: data, and times of requests, which the driver sets.
//
// Sources: those of the entries.
package synthetic
