// Package prefetch finds the lines that a cache is going to be asked for.
//
// Streams watches reads and follows those that go up or down in a page. The simpler rules, the
// next line and the next tile, need no state and are in package cache.
package prefetch
