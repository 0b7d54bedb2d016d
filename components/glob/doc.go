// Package glob matches names against patterns with * and ?. All other characters stand for
// themselves, / included. The time is at most the product of both lengths.
package glob
