// Package content holds the bytes of a cache with functional: true. Other caches model time only.
//
//	c := content.New(64, inUse)
//	c.Hold(from, to)             // when a request is taken
//	c.Write(req)                 // a write takes effect at once
//	c.Fill(from, data)           // a fetch arrives from below
//	out, ok := c.Read(from, 64)  // ok is false while some byte has not arrived
//	c.Release(from, to)          // when the request is answered
//	c.Sweep()
//
// Left out: tags, lookups and evictions (package tagstore), and time.
package content
