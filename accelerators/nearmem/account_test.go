package nearmem

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/accelerators/nearmem/offload"
	"github.com/causeway-sim/causeway/components/units"
)

// nanoseconds are the host's times.
func nanoseconds(m *machine) (out [hostStates]uint64) {
	for i, t := range m.acct.host {
		out[i] = t / 1000
	}
	return out
}

// Where the host's time goes, case by case.
func TestHostStates(t *testing.T) {
	one := offload.Program{{Name: "one", Tasks: 1, Task: offload.Cost{Ops: 1000}, Result: 4, Host: offload.Cost{Ops: 1000}}}
	s := plain(Async)
	s.Local = 5 * units.Microsecond
	require.Equal(t, [hostStates]uint64{
		hostLaunch: 50, hostDevice: 1000, hostTransfer: 700, hostSeen: 3250, hostBusy: 1000,
	}, nanoseconds(finished(t, s, one)))
	require.Equal(t, [hostStates]uint64{
		hostLaunch: 500, hostDevice: 1000, hostTransfer: 900, hostLoad: 100, hostBusy: 1000,
	}, nanoseconds(finished(t, plain(RemotePolling), one)))

	// Two interrupts: the second result has come while the first is worked on.
	two := offload.Program{{Name: "two", Tasks: 2, Task: offload.Cost{Ops: 1000}, Result: 4, Host: offload.Cost{Ops: 10}}}
	m := finished(t, plain(Interrupt), two)
	require.Equal(t, [hostStates]uint64{hostLaunch: 50, hostDevice: 1700, hostSeen: 50000 + 990, hostBusy: 20}, nanoseconds(m))
	require.EqualValues(t, 2, m.count.interrupts)
	require.EqualValues(t, 2000_000, m.acct.device[deviceBusy])
	require.EqualValues(t, 50_000, m.acct.device[deviceLaunch])
	require.EqualValues(t, 50710_000, m.acct.device[deviceDone])
}

// One head is on its way at a time, so the device's is old; what is released
// meanwhile goes with the next.
func TestHeads(t *testing.T) {
	p := offload.Program{{Name: "six", Tasks: 6, Task: offload.Cost{Ops: 1000}, Result: 4, Host: offload.Cost{Ops: 10}}}
	s := plain(Async)
	s.Device.Units, s.Ring.Slots = 6, 3
	m := finished(t, s, p)
	// Three results are seen at 1750 and done at 1760, 1770, 1780. Head 1 comes at
	// 1810, head 3 leaves then. One result goes by the first head: prepared at
	// 2310, seen at 2550. The other two are prepared from 2310 on and seen at 3050.
	require.EqualValues(t, 3070_000, m.now)
	require.EqualValues(t, 2+1+1, m.count.heads)
	require.EqualValues(t, 3, m.count.requests)
	require.EqualValues(t, 3, m.count.fill)
	// Results wait for room from 1050 to 1860.
	require.EqualValues(t, 810_000, m.acct.blocked)
}
