// Package usage says what this process has used of the machine: processor time and memory. Where
// the system does not say, both are 0.
package usage
