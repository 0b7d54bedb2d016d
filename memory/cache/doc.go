// Package cache is the functional core of a shared cache: which lines are
// where, without time.
//
// An Index maps a line to a slice and a set, a Core holds tags and dirty bits
// and asks a policy of memory/policy which way a full set gives up. Empty ways
// are filled first, the lowest first. A write makes a line dirty whether it hits
// or fills; lines that a policy bypasses leave no trace. Nothing allocates per
// access.
//
// Sets of up to 64 ways are scanned, larger ones (fully associative caches) have
// a hash table.
//
// Left out: time, MSHRs, sectors, partitions, ports.
//
// Sources: Rau, Pseudo-randomly interleaved memory, ISCA 1991 (IPOLY).
package cache
