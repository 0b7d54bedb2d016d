package pool

import "math"

// never is later than everything.
const never = math.MaxInt64

// A Limiter is the bandwidth limit of an LD, in ps, such as a memory.Serializer.
type Limiter interface {
	Free() uint64
	Transfer(at, bytes uint64) uint64
}

// An LD is the state of a logical device in the arbiter.
type LD struct {
	Waiting, Inside int     // lines that wait, and lines in the memory
	Share           float64 // of the device, under overload
	Limit           Limiter // nil: none
	step            uint64  // virtual time of a line: inverse of the share
	tag             uint64  // virtual time at which its next line is due
}

// A Device counts the places at a memory and the lines that wait for them.
type Device struct {
	Entries         int  // places
	LDs             []LD // by LD-ID
	Waiting, Inside int  // lines that wait and lines in the memory, of all LDs
	virtual         uint64
}

// Split returns the share of each LD: its allocation, or for 0 an equal part of the rest.
func Split(allocated []float64) []float64 {
	sum, rest := 0., 0
	for _, x := range allocated {
		if sum += x; x == 0 {
			rest++
		}
	}
	out := make([]float64, len(allocated))
	for i, x := range allocated {
		if out[i] = x; x == 0 {
			out[i] = math.Max(1-sum, 0) / float64(rest)
		}
	}
	return out
}

// NewDevice makes a device with entries places, and an LD per share.
func NewDevice(entries int, shares []float64) Device {
	d := Device{Entries: entries, LDs: make([]LD, len(shares))}
	for i, s := range shares {
		// one with nothing left gets lines only while others have none
		d.LDs[i] = LD{Share: s, step: uint64(1e4 / math.Max(s, 1e-6))}
	}
	return d
}

// HasPlace reports whether another line may go to the memory.
func (d *Device) HasPlace() bool { return d.Inside < d.Entries }

// Queue counts a line that waits for a place.
func (d *Device) Queue(ld int) {
	d.LDs[ld].Waiting++
	d.Waiting++
}

// Next returns the LD whose line goes to the memory at t, -1 if none may; later is the time at
// which an LD at its limit may send again.
func (d *Device) Next(t int64) (ld int, later int64) {
	ld, later = -1, never
	for i := range d.LDs {
		x := &d.LDs[i]
		switch {
		case x.Waiting == 0:
			continue
		case x.Limit != nil && int64(x.Limit.Free()) > t:
			later = min(later, int64(x.Limit.Free()))
			continue
		}
		if ld < 0 || max(x.tag, d.virtual) < max(d.LDs[ld].tag, d.virtual) {
			ld = i
		}
	}
	return ld, later
}

// Start sends a waiting line to the memory at t.
func (d *Device) Start(ld int, t int64) {
	x := &d.LDs[ld]
	d.virtual = max(d.virtual, x.tag)
	x.tag = d.virtual + x.step
	if x.Limit != nil {
		x.Limit.Transfer(uint64(t), 64)
	}
	x.Waiting--
	d.Waiting--
	d.Enter(ld)
}

// Enter counts a line at the memory that did not wait here.
func (d *Device) Enter(ld int) {
	d.LDs[ld].Inside++
	d.Inside++
}

// Done counts a line that has left the memory.
func (d *Device) Done(ld int) {
	d.LDs[ld].Inside--
	d.Inside--
}
