// Package hindsight counts what other policies would have missed of the accesses that a cache had: LRU, and
// OPT, which knows the future (Belady, IBM Systems Journal 1966), with bypass. It keeps the line of each
// access, 8 bytes, and plays them again when it is asked: both policies see the same sets and ways.
//
// A cache that answers sooner may see its requesters in another order. That is left out: the order is
// that of the run. Left out are prefetches, sectors, partitions and lines that other caches take away.
package hindsight
