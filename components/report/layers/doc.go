// Package layers reads the layer table of a run: where the cycles of each layer went
// (Stack), how layers stand under the roofs of their nodes (Roofline), and the few
// columns and rows that people read (Digest).
package layers
