// Package prefetch finds the lines that a cache is going to be asked for.
//
// A Prefetcher has one of three rules: the next lines, those of the next tile, or those of a stream. Streams
// watches reads and follows those that go up or down in a page.
package prefetch
