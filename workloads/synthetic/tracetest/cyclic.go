package tracetest

import "github.com/causeway-sim/causeway/memory/policy"

// Cyclic reads lines 0 to lines-1 in order, passes times.
func Cyclic(lines uint64, passes int) Trace {
	return Trace{Name: "cyclic", Cores: 1, each: func(yield func(policy.Access) bool) bool {
		for range passes {
			for i := range lines {
				if !yield(policy.Access{Line: i, PC: pcMain}) {
					return false
				}
			}
		}
		return true
	}}
}

// ScanReuse reads a hot set of lines twice and then scan lines that are never used again, and
// repeats this rounds times.
func ScanReuse(hot, scan uint64, rounds int) Trace {
	return Trace{Name: "scan", Cores: 1, each: func(yield func(policy.Access) bool) bool {
		next := uint64(1 << 20) // after any hot set
		for range rounds {
			for range 2 {
				for i := range hot {
					if !yield(policy.Access{Line: i, PC: pcMain}) {
						return false
					}
				}
			}
			for range scan {
				if !yield(policy.Access{Line: next, PC: pcSecond}) {
					return false
				}
				next++
			}
		}
		return true
	}}
}
