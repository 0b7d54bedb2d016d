// Package object has caches of objects that differ in size, as storage and content
// delivery use them: no lines, no sets, a capacity in bytes.
//
//	c, err := object.New("s3fifo", 64<<20)
//	hit := c.Access(id, size)
//
// An object that is not there comes in, after as many have left as it needs room for.
// One that is larger than the cache is never kept. An object keeps the size with which it
// came in until it leaves, whatever later accesses say. The rules of lru, fifo, sieve, arc
// and s3fifo are those of libCacheSim (commit aa0fc40914b2), whose counts they have
// (testdata/README.md); objects of size 1 make them the policies of memory/policy in one
// set, with s3fifo from 20 lines on.
//
// What sizes do to a rule:
//
//   - arc's lists, its target and the room of its ghost lists are in bytes; the target
//     moves by a ratio of bytes, which is one byte at least.
//   - s3fifo's small queue has a tenth of the bytes, its ghost queue nine tenths. An object
//     as large as the small queue is kept only if it was remembered, a larger one never.
//   - fifo_mep is a reconstruction (memory/policy), and so are its sizes: eviction points
//     at 1, 2 and 3 thirtieths of the bytes, a ghost queue of nine tenths. An object that
//     is larger than a stretch passes on to the next.
//
// A Stack finds what LRU misses in caches of several capacities, exactly and in one go.
//
// Left out: expiry, admission, prefetch, what an object's metadata take.
package object
