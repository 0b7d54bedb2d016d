// Package tagstore is the state of a cache without time: tags, dirty bits, sectors and a
// replacement policy.
//
// An Index maps a line to a slice and a set. A Store holds what is in the ways of each set and
// asks a policy of memory/policy which way a full set gives up. Empty ways are filled first, the
// lowest first. Nothing allocates per access. Both fidelities of package cache have a Store, and
// it can be used alone:
//
//	x, _ := tagstore.NewIndex(1024, 1, "linear")
//	p, _ := policy.New("srrip", policy.Geometry{Sets: x.Sets(), Ways: 16}, nil)
//	c := tagstore.New(x, 16, p)
//	hit := c.Access(policy.Access{Line: 7}).Hit
//
// Access is for whole lines; Touch knows sectors, partitions and ways to write. HitAll, Hit and
// Miss are shorter ways for a Uniform store, with equal results. Sets of up to 64 ways are
// scanned, larger ones (fully associative caches) have a hash table.
//
// Left out: time, MSHRs, the bytes of lines, and who asks (package cache).
package tagstore
