package scalesim

import (
	"errors"
	"fmt"
)

// A Dataflow names the stationary operand.
type Dataflow string

// The three dataflows of the tool.
const (
	OS Dataflow = "os" // output stationary: rows hold ofmap pixels, columns hold filters
	WS Dataflow = "ws" // weight stationary: rows hold the window, columns hold filters
	IS Dataflow = "is" // input stationary: rows hold the window, columns hold ofmap pixels
)

// An Array holds the hardware keys of the tool's configuration file. A word of the tool is one
// byte.
type Array struct {
	Rows, Cols int      // ArrayHeight and ArrayWidth
	Dataflow   Dataflow // os, ws or is

	// SRAM capacities in words: 1024 times IfmapSramSzkB and so on. Only DRAM uses them.
	IfmapSRAM, FilterSRAM, OfmapSRAM int

	// Sparse is SparsitySupport with OptimizedMapping off: the N:M of each layer prunes its
	// window. If false, a layer's N:M has no effect.
	Sparse bool
}

// limit bounds every dimension, so that a product of two fits 64 bits.
const limit = 1 << 31

func (a Array) check() error {
	var errs []error
	dimension := func(name string, v int) {
		if v < 1 || v >= limit {
			errs = append(errs, fmt.Errorf("array: %s is %d (want 1 to %d)", name, v, limit-1))
		}
	}
	dimension("rows", a.Rows)
	dimension("cols", a.Cols)
	switch a.Dataflow {
	case OS, WS, IS:
	default:
		errs = append(errs, fmt.Errorf("array: dataflow is %q (want one of: os, ws, is)", a.Dataflow))
	}
	return errors.Join(errs...)
}

// minSRAM is the least capacity the read buffers work with. Below 100 words
// each of the 100 parts of the buffer holds nothing and the tool stops with a
// reshape error.
const minSRAM = 100

func (a Array) checkSRAM() error {
	var errs []error
	capacity := func(name string, v, least int) {
		if v < least || v >= limit {
			errs = append(errs, fmt.Errorf("array: %s SRAM is %d words (want %d to %d)", name, v, least, limit-1))
		}
	}
	capacity("ifmap", a.IfmapSRAM, minSRAM)
	capacity("filter", a.FilterSRAM, minSRAM)
	// The drain half of one word is empty, and the tool takes the last line of
	// an empty list.
	capacity("ofmap", a.OfmapSRAM, 2)
	return errors.Join(errs...)
}
