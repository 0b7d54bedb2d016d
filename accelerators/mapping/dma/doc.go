// Package dma holds what moves between the memory and the buffers of a core, as data: a
// Transfer is one region of a tensor, a Step is transfers and the cycles computed between
// them, Traffic and Accesses count them. A Fetch is one core's part of transfers that several
// cores make together. It has no clock and decides nothing; accelerators/systolic issues the
// transfers as requests. Lengths and offsets are in bytes; a Tile and Accesses count elements.
// Nothing here returns an error, and values are not checked.
package dma
