package player

import (
	"math/bits"
	"slices"
)

// finishing is the answers that are known ahead. Those that come within the next 64
// cycles after the last look are counted by cycle. Others are kept as twice their cycles,
// and one more where the loop does not wait for them; most of those come in the order of
// their requests, so there are a few queues, each in order.
type finishing struct {
	near   [64]struct{ n, waited uint32 } // by cycle modulo 64
	some   uint64                         // those of near that are not 0, by bit
	looked uint64                         // last cycle of a pop
	queues [4]times
	far    int // in the queues
	n      int
}

// times is a queue of numbers in ascending order. The length of its ring is a power of two.
type times struct {
	ring     []uint64
	first, n int
}

func (t *times) at(i int) *uint64 { return &t.ring[(t.first+i)&(len(t.ring)-1)] }

func (t *times) push(at uint64) {
	if t.n == len(t.ring) {
		ring := make([]uint64, max(16, 2*t.n))
		for i := range t.n {
			ring[i] = *t.at(i)
		}
		t.ring, t.first = ring, 0
	}
	t.n++
	i := t.n - 1
	for i > 0 && *t.at(i - 1) > at { // of the last queue only
		*t.at(i) = *t.at(i - 1)
		i--
	}
	*t.at(i) = at
}

// drop takes the first away.
func (t *times) drop() {
	t.first = (t.first + 1) & (len(t.ring) - 1)
	t.n--
}

// push notes an answer in a cycle, which the loop may wait for.
func (f *finishing) push(cycle uint64, waits bool) {
	f.n++
	if cycle-f.looked-1 < uint64(len(f.near)) {
		k := cycle % uint64(len(f.near))
		f.some |= 1 << k
		f.near[k].n++
		if waits {
			f.near[k].waited++
		}
		return
	}
	at := cycle << 1
	if !waits {
		at++
	}
	f.far++
	k := 0
	for k < len(f.queues)-1 && f.queues[k].n > 0 && *f.queues[k].at(f.queues[k].n - 1) > at {
		k++
	}
	f.queues[k].push(at)
}

// pop takes away those that come until a cycle, and returns how many, and how many of
// them the loop waited for. Cycles do not step back.
func (f *finishing) pop(cycle uint64) (n int, waited uint64) {
	if f.far == 0 && cycle == f.looked+1 { // most of the time
		f.looked = cycle
		k := cycle % uint64(len(f.near))
		if f.some>>k&1 == 0 {
			return 0, 0
		}
		at := &f.near[k]
		n, waited = int(at.n), uint64(at.waited)
		at.n, at.waited = 0, 0
		f.some &^= 1 << k
		f.n -= n
		return n, waited
	}
	if f.n > 0 {
		for due := f.coming() & (1<<(cycle-f.looked) - 1); due != 0; due &= due - 1 {
			k := (f.looked + 1 + uint64(bits.TrailingZeros64(due))) % uint64(len(f.near))
			n += int(f.near[k].n)
			waited += uint64(f.near[k].waited)
			f.near[k].n, f.near[k].waited = 0, 0
			f.some &^= 1 << k
		}
		if f.far > 0 {
			m, w := f.popFar(cycle)
			n, waited = n+m, waited+w
		}
		f.n -= n
	}
	f.looked = cycle
	return n, waited
}

// take takes away all, which the loop waits for, and adds their cycles to a list in their
// order.
func (f *finishing) take(list []uint64) []uint64 {
	from := len(list)
	for due := f.coming(); due != 0; due &= due - 1 {
		at := f.looked + 1 + uint64(bits.TrailingZeros64(due))
		for range f.near[at%uint64(len(f.near))].n {
			list = append(list, at)
		}
		f.near[at%uint64(len(f.near))] = struct{ n, waited uint32 }{}
	}
	f.some, f.n = 0, 0
	if f.far == 0 {
		return list
	}
	for k := range f.queues {
		t := &f.queues[k]
		for i := range t.n {
			list = append(list, *t.at(i)>>1)
		}
		t.first, t.n = 0, 0
	}
	f.far = 0
	slices.Sort(list[from:])
	return list
}

// coming is the cycles with near answers: bit 0 is the first after the last look.
func (f *finishing) coming() uint64 { return bits.RotateLeft64(f.some, -int((f.looked+1)%64)) }

func (f *finishing) popFar(cycle uint64) (n int, waited uint64) {
	for k := range f.queues {
		for t := &f.queues[k]; t.n > 0 && *t.at(0)>>1 <= cycle; n++ {
			waited += ^*t.at(0) & 1
			t.drop()
		}
	}
	f.far -= n
	return n, waited
}

// next is the cycle of the next answer, never if there is none.
func (f *finishing) next() uint64 {
	next := never
	if f.some != 0 {
		next = f.looked + 1 + uint64(bits.TrailingZeros64(f.coming()))
	}
	if f.far == 0 {
		return next
	}
	for k := range f.queues {
		if t := &f.queues[k]; t.n > 0 {
			next = min(next, *t.at(0)>>1)
		}
	}
	return next
}

// quiet is how many cycles from the next one on have no answers but the one that comes
// in it, if the next has one and no more.
func (f *finishing) quiet() uint64 {
	k := (f.looked + 1) % uint64(len(f.near))
	if f.some>>k&1 == 0 || f.near[k].n != 1 || f.near[k].waited != 1 {
		return 0
	}
	n := uint64(bits.TrailingZeros64(f.coming() &^ 1))
	if f.far > 0 {
		for k := range f.queues {
			if t := &f.queues[k]; t.n > 0 {
				at := *t.at(0) >> 1
				n = min(n, at-min(at, f.looked+1))
			}
		}
	}
	return n
}

// pass advances by a number of cycles, at most those of quiet: in each of them one answer arrived
// and one for the next cycle followed.
func (f *finishing) pass(cycles uint64) {
	k := (f.looked + 1) % uint64(len(f.near))
	f.near[k].n, f.near[k].waited = 0, 0
	f.some &^= 1 << k
	f.looked += cycles
	k = (f.looked + 1) % uint64(len(f.near))
	f.near[k].n++
	f.near[k].waited++
	f.some |= 1 << k
}

const never = ^uint64(0)
