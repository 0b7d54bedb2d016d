package cxl

import "github.com/causeway-sim/causeway/components/calendar"

import "github.com/causeway-sim/causeway/memory/cxl/link"

// A step is what happens to a line at a known time.
type step uint8

const (
	stepIssue   step = iota // reaches the root port's packer
	stepForward             // reaches the packer of the next link
	stepMemory              // reaches the device's place in front of its memory
	stepReply               // reaches the packer towards the host
	stepLocal               // reaches the port of the local memory
	stepDone                // is back at the host
	stepLook                // reaches the host's cache of coherent lines
	stepNote                // a coherence message reaches the machine that it is for
	stepFetch               // a line of a machine reaches the port of the local memory
	stepBrought             // and the machine
	stepDev                 // an access of an accelerator reaches its cache
)

// outside tells whether a step may have an effect that others see.
func (s step) outside() bool { return s == stepMemory || s >= stepLocal }

// An event is a step of a line, or of what a step of its kind numbers.
type event struct {
	line int32
	step step
}

// soonest is when the first of a calendar is to happen, in ps.
func soonest(c *calendar.Of[event]) int64 {
	if c.Len() == 0 {
		return link.Never
	}
	return int64(c.First().At)
}
