// Package mshr holds the misses of a cache that are outstanding: miss status holding registers.
//
//	f := mshr.New(slices, 16)       // 16 registers in each slice
//	r := f.Of(line)                 // nil: the line is not outstanding
//	if r == nil && !f.Full(slice) {
//		r = f.Take(line, slice)
//	}
//	f.Wait(r, request, k)           // merge an access into the miss
//
// When the line arrives, the cache takes the accesses out by Shift, in their order, and frees the
// register by Release. A lookup takes constant time, and nothing allocates once the lists have grown.
//
// Left out: time and messages. Package cache decides when fetches are sent and when lines arrive.
package mshr
