// Package tally counts the accesses of a cache apart: by tensor, kind of tensor, core and slice.
//
// Detail makes metrics of them. Profile makes a table, by tensor and by the reuse that hints
// expect.
package tally
