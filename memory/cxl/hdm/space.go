package hdm

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
)

// A Range is a decoder with its devices, by number, in the order of ways.
type Range struct {
	Decoder
	Devices []int
	// Elsewhere: the range belongs to other memories. It fills a gap, and Find does not find it.
	Elsewhere bool
}

// A Space is all ranges of a host.
type Space struct {
	ranges []Range
	// start is where a range begins on each of its devices, by range and way.
	start [][]uint64
}

// NewSpace makes the Space of ranges. Each device assigns its memory to ranges in order of
// address. sizes are the bytes of the devices; 0 is no limit. Errors are overlaps, gaps, a device
// named twice in a range, and ranges larger than a device.
func NewSpace(sizes []uint64, ranges ...Range) (*Space, error) {
	s := &Space{ranges: slices.Clone(ranges)}
	slices.SortStableFunc(s.ranges, func(a, b Range) int { return cmp.Compare(a.Base, b.Base) })
	var errs []error
	used := make([]uint64, len(sizes))
	for i, r := range s.ranges {
		if err := r.Check(); err != nil && !r.Elsewhere {
			errs = append(errs, fmt.Errorf("range at %#x: %w", r.Base, err))
			continue
		}
		if len(r.Devices) != r.Ways && !r.Elsewhere {
			errs = append(errs, fmt.Errorf("range at %#x: %d devices for %d ways", r.Base, len(r.Devices), r.Ways))
			continue
		}
		if i > 0 {
			switch end := s.ranges[i-1].Base + s.ranges[i-1].Size; {
			case end > r.Base:
				errs = append(errs, fmt.Errorf("ranges at %#x and %#x overlap by %#x B", s.ranges[i-1].Base, r.Base, end-r.Base))
			case end < r.Base:
				errs = append(errs, fmt.Errorf("gap of %#x B between %#x and %#x: addresses without a home", r.Base-end, end, r.Base))
			}
		}
		var start []uint64
		for w, dev := range r.Devices {
			switch {
			case dev < 0 || dev >= len(sizes):
				errs = append(errs, fmt.Errorf("range at %#x: way %d is device %d of %d", r.Base, w, dev, len(sizes)))
				continue
			case slices.Contains(r.Devices[:w], dev):
				errs = append(errs, fmt.Errorf("range at %#x: device %d has two ways", r.Base, dev))
				continue
			}
			start = append(start, used[dev])
			used[dev] += r.Share()
			if sizes[dev] > 0 && used[dev] > sizes[dev] {
				errs = append(errs, fmt.Errorf("range at %#x takes %#x B of device %d, which has %#x B left", r.Base, r.Share(), dev, sizes[dev]-min(sizes[dev], used[dev]-r.Share())))
			}
		}
		s.start = append(s.start, start)
	}
	if err := errors.Join(errs...); err != nil {
		return nil, err
	}
	return s, nil
}

// Ranges returns the ranges by address.
func (s *Space) Ranges() []Range { return s.ranges }

// Find returns the device of an address, the address on the device, and the contiguous bytes from
// there on; ok is false for an address outside.
func (s *Space) Find(host uint64) (device int, at, run uint64, ok bool) {
	for i := range s.ranges {
		r := &s.ranges[i]
		if host-r.Base < r.Size {
			if r.Elsewhere {
				break
			}
			way, offset := r.Decode(host)
			return r.Devices[way], s.start[i][way] + offset, r.Run(host), true
		}
	}
	return 0, 0, 0, false
}

// Host is the inverse of Find: the host address of an address on a device, as a back-invalidate
// needs it.
func (s *Space) Host(device int, at uint64) (host uint64, ok bool) {
	for i := range s.ranges {
		r := &s.ranges[i]
		w := slices.Index(r.Devices, device)
		if w >= 0 && at >= s.start[i][w] && at-s.start[i][w] < r.Share() {
			return r.Encode(w, at-s.start[i][w]), true
		}
	}
	return 0, false
}
