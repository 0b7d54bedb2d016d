// Package panel holds the figures of reports, one file each. A panel looks at what was
// measured and draws figures of it, or none: a report has the panels that its data allow.
//
// To add one: a file that calls Add, and a test. Panels of memory nodes are in
// panel/memory. It only presents: every number it shows
// stands in the files of a run or a sweep, or is a ratio or a sum of such.
package panel
