// Package cache is a shared cache: kind cache, ports top (answers, any number of
// links) and bottom (asks memories).
//
//	nodes:
//	  - {name: Core, kind: systolic}
//	  - {name: LLC, kind: cache, size: 32MiB, ways: 16, slices: 8, policy: {name: dco}}
//	  - {name: Mem, kind: memory, preset: hbm2e}
//	links:
//	  - Core -> LLC.top
//	  - LLC.bottom -> Mem
//
// # State
//
// An Index maps a line to a slice and a set, a Core holds tags and dirty bits
// and asks a policy of memory/policy which way a full set gives up. Empty ways
// are filled first, the lowest first. Nothing allocates per access. Both
// fidelities have the same Core. It can be used alone:
//
//	x, _ := cache.NewIndex(1024, 1, "linear")
//	p, _ := policy.New("srrip", policy.Geometry{Sets: x.Sets(), Ways: 16}, nil)
//	c := cache.NewCore(x, 16, p)
//	hit := c.Access(policy.Access{Line: 7}).Hit
//
// Sets of up to 64 ways are scanned, larger ones (fully associative caches) have
// a hash table.
//
// A request is cut into lines, in the order of addresses; each is one access. A
// hit finds the line and all sectors that it needs. Lines that miss side by side
// share one request below, up to burst bytes, cut at its multiples. A write that
// covers a sector altogether brings nothing from below.
//
//	write: back     the line is filled, dirty, and written back when it goes
//	write: through  the line is filled; the bytes of the write go below at once
//	write: around   the bytes go below at once; a line that is there is changed,
//	                one that is not stays away (a bypass)
//
// A read that the policy bypasses is fetched and forgotten; a write that it
// bypasses goes below as it is.
//
// Policies that need the future (opt, opt_bypass) get it from the requester: a
// driver reads its trace before the run. There can be one only.
//
// # Fidelity functional
//
// No time passes in the cache. All requests of a cycle are taken, in the order of
// arrival; their accesses take effect at once. A request whose lines hit, and a
// write, is answered in the same cycle; a request that misses when the last byte
// from below has come. There is no limit to what is under way, and a line counts
// as there from the access that missed it.
//
// # Left out
//
// Data; coherence: nobody is told of evictions.
//
// # Sources
//
// Rau, Pseudo-randomly interleaved memory, ISCA 1991 (ipoly). The policies have
// theirs.
package cache
