// Package studies finds the folders of studies, on disk or those that the program holds, and sums
// up what a validation found: figures, bounds and misses by label, with their errors.
package studies
