package ranks

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// An interval of waiting is divided by when the sender began, computing and sums come first, the
// interface takes what was sent before, and the cycles of all deeds are those that have passed.
func TestBook(t *testing.T) {
	c := &Comp{ranks: make([]rank, 1)}
	r := &c.ranks[0]
	r.nic.overhead = 5
	at := func(now uint64) { c.now = now }
	at(10)
	c.wakes(0)
	c.inject(0, 0) // overhead of 5: 10 to 15
	at(12)
	c.inject(0, 0) // 15 to 20
	at(40)
	c.book(0, 33) // 20 to 33 the sender had not begun
	r.book.units = 1
	at(50)
	c.book(0, 60)
	r.book.units = 0
	at(55)
	c.sum(0, 1)
	at(58)
	c.sum(0, -1)
	at(70)
	c.book(0, 999) // it has not begun yet
	want := [deeds]uint64{computing: 10, summing: 3, injecting: 10, lacking: 13 + 12, awaiting: 7 + 5, asleep: 10}
	require.Equal(t, want, r.book.cycles)
	at(75)
	c.fetch(0, 1) // it waited
	at(83)
	c.fetch(0, -1)
	c.asks(0, 1)
	at(90)
	c.asks(0, -1) // 7 cycles of waiting
	at(100)
	c.book(0, 95) // it was asked for nothing
	want[awaiting], want[fetching], want[resting] = want[awaiting]+5+7, 8, 10
	require.Equal(t, want, r.book.cycles)
	sum := uint64(0)
	for _, n := range r.book.cycles {
		sum += n
	}
	require.Equal(t, c.now, sum)
}
