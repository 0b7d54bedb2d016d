// Package formula evaluates conditions and quantities over named values, such as the formulas of a
// sweep (keys where, constraints and objectives):
//
//	Core.rows * Core.cols <= 4096
//	Mem.bandwidth >= 25.6GB/s and Core.dataflow != "is"
//	total_time * energy
//
// Operators, from the loosest to the tightest:
//
//	or   and   not   == != < <= > >=   + -   * / %   unary -   ( )
//
// A name is a path (Core.rows, Core[2].rows, Core.stall@layer:conv1). A number may have a unit
// (16KiB, 25.6GB/s, 150ns) and is kept in its base unit. Adding or comparing different units is an
// error. A product of two units cannot be compared; a ratio of equal units has no unit. A text is
// quoted and allows only == and !=. A condition in place of a number, a division by zero and a
// name without a value are errors with their place.
//
//	f, err := formula.Parse("Core.rows * Core.cols <= 4096")
//	v, err := f.Eval(func(path string) (formula.Value, bool) { return formula.Number(64, ""), true })
//	v.Holds() // true
//
// Left out: functions, and conversion between units.
package formula
