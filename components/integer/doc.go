// Package integer is exact arithmetic of non-negative integers: division rounded up, greatest
// common divisors, and proportions whose product needs 128 bits. Division by zero panics, as Go's
// does.
package integer
