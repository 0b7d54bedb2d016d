package main

import (
	"math"
	"os"
	"runtime"
	"runtime/debug"
	"sync/atomic"
)

// The garbage collector need not run often for programs that allocate once, as long as
// there is little of it: five times what a run of 2 GiB holds would be 10 GiB.
const (
	lazyPercent = 400
	large       = 1 << 30 // bytes in use from which on the collector works as much as usual
	loading     = 3 << 30 // bytes up to which garbage may pile up while a run is made
)

// lazyCollector makes the garbage collector run less often, unless GOGC is set.
func lazyCollector() {
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(lazyPercent)
		debug.SetMemoryLimit(loading)
	}
}

// watchCollector has the collector run more often where a run is large.
func watchCollector() {
	if os.Getenv("GOGC") != "" {
		return
	}
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	if m.HeapAlloc > large {
		debug.SetGCPercent(60)
	}
	debug.SetMemoryLimit(math.MaxInt64)
}

// collectMore has the collector work as much as usual in a run that has become large.
func collectMore(resident uint64) {
	if resident > large && os.Getenv("GOGC") == "" && !collecting.Swap(true) {
		debug.SetGCPercent(60)
	}
}

// collecting is set once collectMore has done its work.
var collecting atomic.Bool
