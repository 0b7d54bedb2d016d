// Package tally divides the counts of a cache's accesses, hits and bypasses: by tensor, kind of tensor,
// core or slice.
//
// Detail declares metrics for the divisions that the key detail names. Profile makes a table for reports,
// by tensor and by the reuse that hints predict. Both learn tensor and core from the hint of a request.
//
// Left out: the counts of the cache as a whole, which the cache keeps itself.
package tally
