package seat

import (
	"github.com/causeway-sim/causeway/components/clock"
	"github.com/causeway-sim/causeway/components/units"
	"github.com/causeway-sim/causeway/configs"
)

// A Curve is a time as a function of bytes, given at some sizes: linear between them, extrapolated
// from the last two, and constant below the first.
type Curve []CurvePoint

// A CurvePoint is the time at a size.
type CurvePoint struct {
	Bytes units.Bytes `yaml:"bytes" doc:"Size; 0B is that of an empty message"`
	Time  units.Time  `yaml:"time" doc:"Time at that size; 0ns is none"`
}

// In returns the time at a size in cycles of k, rounded up.
func (c Curve) In(k clock.Clock, bytes uint64) uint64 {
	ns := c.Nanoseconds(bytes)
	if ns <= 0 {
		return 0
	}
	return units.InTime(units.Time(ns * float64(units.Nanosecond))).In(k)
}

// Nanoseconds returns the time at a size, in ns.
func (c Curve) Nanoseconds(bytes uint64) float64 {
	ns := func(i int) float64 { return float64(c[i].Time) / float64(units.Nanosecond) }
	switch {
	case len(c) == 0:
		return 0
	case len(c) == 1 || bytes <= uint64(c[0].Bytes):
		return ns(0)
	}
	i := 1
	for i < len(c)-1 && bytes > uint64(c[i].Bytes) {
		i++
	}
	a, b := float64(c[i-1].Bytes), float64(c[i].Bytes)
	return ns(i-1) + (float64(bytes)-a)/(b-a)*(ns(i)-ns(i-1))
}

// Check returns an error for points that do not ascend.
func (c Curve) Check(v configs.Value) error {
	var errs configs.Errors
	items := v.Items()
	for i := range c {
		at := v
		if i < len(items) {
			at = items[i]
		}
		switch {
		case c[i].Bytes > 1<<50:
			errs.Add(at.Get("bytes").Errorf(nil, "is %s (want at most 1024TiB)", c[i].Bytes))
		case c[i].Time > 3600*units.Second:
			errs.Add(at.Get("time").Errorf(nil, "is %s (want at most 3600s)", c[i].Time))
		case i > 0 && c[i].Bytes <= c[i-1].Bytes:
			errs.Add(at.Errorf(nil, "bytes do not grow: %s follows %s", c[i].Bytes, c[i-1].Bytes))
		case i > 0 && c[i].Time < c[i-1].Time && i == len(c)-1:
			errs.Add(at.Errorf(nil, "the last time is less than the one before: beyond it times would fall below 0"))
		}
	}
	return errs.Err()
}
