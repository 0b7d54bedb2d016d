// Package mshr holds the misses of a cache that are outstanding: miss status holding registers.
//
//	f := mshr.New(slices, 16)       // 16 registers in each slice
//	r := f.Of(line)                 // nil: the line is not outstanding
//	if r == nil && !f.Full(slice) {
//		r = f.Take(line, slice)
//	}
//	f.Wait(r, request, k)           // merge an access into the miss
//
// A line is the number of a line: its address divided by the bytes of a line. A slice is a part of the
// cache that owns some of the lines (memory/cache/tagstore) and has registers of its own.
//
// When the line arrives, the cache takes the accesses out by Shift, in their order, and frees the
// register by Release. A lookup takes constant time, and nothing allocates once the lists have grown.
//
// Nothing here returns an error. Ask Full before Take, call Take once for a line, and take all accesses
// out before Release: none of the three is checked.
//
// Left out: time and messages. Package cache decides when fetches are sent and when lines arrive.
package mshr
