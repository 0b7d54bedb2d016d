// Package formula evaluates conditions and quantities over named values, as they stand
// in where:, constraints: and objectives: of a sweep:
//
//	Core.rows * Core.cols <= 4096
//	Mem.bandwidth >= 25.6GB/s and Core.dataflow != "is"
//	total_time * energy
//
// Operators, from the loosest to the tightest:
//
//	or   and   not   == != < <= > >=   + -   * / %   unary -   ( )
//
// A name is a path (Core.rows, Core[2].rows, Core.stall@layer:conv1). A number may have a
// unit (16KiB, 25.6GB/s, 150ns), which is part of its value: quantities of different units
// are neither compared nor added, a product of two has no unit that could be compared, and
// a ratio of equal units has none. A text stands in quotes and is compared by == and != alone.
// Nothing is converted silently: a condition where a number is wanted is an error, and so
// is a division by zero.
package formula
