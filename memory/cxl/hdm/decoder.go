package hdm

import (
	"errors"
	"fmt"
	"math/bits"
	"slices"
)

// Unit divides all bases and sizes: 256 MiB.
const Unit = 256 << 20

// Ways lists the possible values of Decoder.Ways.
var Ways = []int{1, 2, 3, 4, 6, 8, 12, 16}

// Bounds of Decoder.Granularity, bytes.
const (
	MinGranularity = 256
	MaxGranularity = 16 << 10
)

// A Decoder is one range of host addresses, interleaved over Ways devices.
type Decoder struct {
	Base, Size  uint64
	Ways        int
	Granularity uint64 // bytes of one turn on a device
}

// Check returns all faults of a decoder.
func (d Decoder) Check() error {
	var errs []error
	if !slices.Contains(Ways, d.Ways) {
		errs = append(errs, fmt.Errorf("%d ways (want one of: 1, 2, 3, 4, 6, 8, 12, 16)", d.Ways))
	}
	if d.Granularity < MinGranularity || d.Granularity > MaxGranularity || bits.OnesCount64(d.Granularity) != 1 {
		errs = append(errs, fmt.Errorf("granularity of %d B (want a power of two from 256 B to 16 KiB)", d.Granularity))
	}
	if d.Base%Unit != 0 {
		errs = append(errs, fmt.Errorf("base %#x is no multiple of 256 MiB", d.Base))
	}
	switch {
	case d.Size == 0 || d.Size%Unit != 0:
		errs = append(errs, fmt.Errorf("size %#x is no multiple of 256 MiB", d.Size))
	case d.Ways > 0 && d.Size%uint64(d.Ways) != 0 || d.Ways > 0 && d.Size/uint64(d.Ways)%max(d.Granularity, 1) != 0:
		errs = append(errs, fmt.Errorf("size %#x is no multiple of %d ways of %d B", d.Size, d.Ways, d.Granularity))
	}
	if d.Base+d.Size < d.Base || d.Base+d.Size > 1<<52 {
		errs = append(errs, fmt.Errorf("base %#x and size %#x go beyond 52 bits", d.Base, d.Size))
	}
	return errors.Join(errs...)
}

// Last returns the last address of the range.
func (d Decoder) Last() uint64 { return d.Base + d.Size - 1 }

// Share returns the bytes of the range on each device.
func (d Decoder) Share() uint64 { return d.Size / uint64(d.Ways) }

// split is the ways as a power of two and a factor of 1 or 3.
func (d Decoder) split() (log int, three bool) {
	log = bits.TrailingZeros(uint(d.Ways))
	return log, d.Ways>>log == 3
}

// Decode returns the way of an address in the range, and the offset in the device's share.
func (d Decoder) Decode(host uint64) (way int, offset uint64) {
	g := bits.TrailingZeros64(d.Granularity)
	log, three := d.split()
	low := 1<<log - 1
	way = int(host>>g) & low
	above := (host - d.Base) >> (g + log)
	if three {
		way |= int(host>>(g+log)%3) << log
		above /= 3
	}
	return way, above<<g | host&(d.Granularity-1)
}

// Encode is the inverse of Decode.
func (d Decoder) Encode(way int, offset uint64) (host uint64) {
	g := bits.TrailingZeros64(d.Granularity)
	log, three := d.split()
	above := offset >> g
	if three {
		// of the three turns the one whose address has the way's remainder
		above *= 3
		base := (d.Base >> (g + log)) % 3
		want := uint64(way >> log)
		above += (want + 3 - base) % 3
		way &= 1<<log - 1
	}
	return d.Base + above<<(g+log) + uint64(way)<<g + offset&(d.Granularity-1)
}

// Run returns the bytes from an address on that are contiguous on its device, within one turn.
func (d Decoder) Run(host uint64) uint64 {
	if d.Ways == 1 {
		return d.Base + d.Size - host
	}
	return d.Granularity - host&(d.Granularity-1)
}
