package tiering

// faults are hinting faults: in each interval the first access to a page outside the default tier
// takes time, and later ones wait for it.
type faults struct {
	time uint64  // cycles; 0: there are none
	last []fault // by page
}

// A fault is the last one of a page.
type fault struct {
	interval uint32
	end      uint64 // cycle
}

func newFaults(time uint64, pages int) faults {
	if time == 0 {
		return faults{}
	}
	return faults{time, make([]fault, pages)}
}

// touch returns the cycle in which an access to a page may go on, and whether it is a new
// fault.
func (f *faults) touch(page, interval uint32, cycle uint64) (end uint64, new bool) {
	x := &f.last[page]
	if new = x.interval != interval; new {
		x.interval, x.end = interval, cycle+f.time
	}
	return x.end, new
}
