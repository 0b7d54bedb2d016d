package coherent

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// A snoop that overtakes a GO of its line waits for the last of them, and for no other.
func TestSnoopStaysBehindGO(t *testing.T) {
	o := newOrder()
	k := lineOf{1, 64}
	require.False(t, o.hold(k, 7), "nothing is granted")
	o.sent(k)
	o.sent(k)
	require.False(t, o.hold(lineOf{2, 64}, 7), "another device")
	require.False(t, o.hold(lineOf{1, 128}, 7), "another line")
	require.True(t, o.hold(k, 7))
	_, ok := o.arrived(k)
	require.False(t, ok, "one GO is still under way")
	line, ok := o.arrived(k)
	require.True(t, ok)
	require.EqualValues(t, 7, line)
	require.False(t, o.hold(k, 8))
	require.Empty(t, o.late)
	require.Empty(t, o.granting)
}

// Jobs go to the memory in order; their numbers are used again once they are done.
func TestJobs(t *testing.T) {
	var q Jobs
	for i := range 40 {
		q.push(Job{Addr: uint64(i)})
		if i%2 == 1 {
			require.EqualValues(t, i/2, q.Peek().Addr)
			n := q.Start(int64(i))
			require.Zero(t, n, "the only one at the memory")
			j := q.done(n)
			require.EqualValues(t, i/2, j.Addr)
			require.EqualValues(t, i, j.taken)
		}
	}
	for i := 20; !q.Empty(); i++ {
		require.EqualValues(t, i, q.Peek().Addr)
		require.EqualValues(t, i-20, q.Start(0))
	}
}
