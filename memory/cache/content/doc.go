// Package content keeps the bytes of the lines of a cache with functional: true. Other caches
// keep time only.
package content
