// Package object models caches of objects of different sizes, as in storage and content delivery:
// no lines, no sets, a capacity in bytes.
//
//	c, err := object.New("s3fifo", 64<<20)
//	hit := c.Access(id, size)
//
// A missed object is inserted after enough evictions, unless it is larger than the cache. It
// keeps the size of its insertion until its eviction, whatever the size of later accesses. New
// returns an error for an unknown name; Access panics for a size of 0. The rules of lru, fifo,
// sieve, arc and s3fifo give the counts of libCacheSim (commit aa0fc40914b2; testdata/README.md).
// For objects of size 1 they equal the policies of memory/policy in one set, s3fifo from 20 lines
// on.
//
// How the rules use sizes:
//
//   - arc counts its lists, its target and its ghost lists in bytes; the target moves by a ratio
//     of bytes, at least one byte.
//   - s3fifo's small queue has a tenth of the bytes, its ghost queue nine tenths. An object as
//     large as the small queue is inserted only if it is in the ghost queue, a larger one never.
//   - fifo_mep is a reconstruction (memory/policy), its sizes too: eviction points at 1, 2 and 3
//     thirtieths of the bytes, a ghost queue of nine tenths. An object that is larger than a
//     segment moves on to the next.
//
// A Stack computes the LRU misses of caches of several capacities exactly, in one pass.
//
// Left out: expiry, admission, prefetch, the size of metadata, time.
package object
