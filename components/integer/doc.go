// Package integer is exact arithmetic of non-negative integers: division rounded up, greatest
// common divisors, divisors, and proportions whose product needs 128 bits. Division by zero panics, as Go's
// does.
package integer
