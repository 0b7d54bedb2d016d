package flush_test

import (
	"testing"

	"github.com/sarchlab/akita/v3/sim"
	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/components/clock"
	"github.com/causeway-sim/causeway/components/units"
	"github.com/causeway-sim/causeway/configs"
	"github.com/causeway-sim/causeway/memory"
	"github.com/causeway-sim/causeway/memory/cache/flush"
)

func sectors(n uint64) func() uint64 { return func() uint64 { return n } }

// Without a flush nothing is ever due.
func TestNone(t *testing.T) {
	f, _, known := (&flush.Spec{Op: "none"}).Start(clock.GHz)
	require.False(t, known)
	require.False(t, f.Planned())
	require.False(t, f.Pending())
	require.False(t, f.Due(1<<40))
	require.False(t, f.Finish(sectors(3)))
}

// A flush at a time begins once, in its cycle and not before, and not at the end of the run.
func TestAtATime(t *testing.T) {
	f, due, known := (&flush.Spec{Op: "clean", At: units.InTime(30 * units.Nanosecond)}).Start(clock.GHz)
	require.True(t, known)
	require.Equal(t, uint64(30), due)
	require.True(t, f.Planned())
	require.True(t, f.Pending())
	require.False(t, f.Due(29))
	require.True(t, f.Due(30))
	require.False(t, f.Finish(sectors(3)), "it is still to come")
	m := f.Begin(31, 128)
	require.Equal(t, memory.Clean, m.Op)
	require.True(t, f.Own(m))
	require.False(t, f.Own(&memory.ControlReq{}))
	require.False(t, f.Own(sim.Msg(nil)))
	require.Equal(t, [3]uint64{128, 31, 31}, [3]uint64{f.Written, f.Begun, f.Ended})
	require.True(t, f.Done())
	require.False(t, f.Pending())
	require.False(t, f.Due(40))
	require.False(t, f.Finish(sectors(3)))
}

// A flush at the end begins when the run asks for it, and again as long as caches above bring changes.
func TestAtTheEnd(t *testing.T) {
	f, _, known := (&flush.Spec{Op: "flush"}).Start(clock.GHz)
	require.False(t, known)
	require.True(t, f.Planned())
	require.False(t, f.Pending(), "its time is not known")
	require.True(t, f.Finish(sectors(0)))
	require.True(t, f.Due(0))
	require.False(t, f.Finish(sectors(2)), "it has been asked for")
	f.Begin(100, 64)
	require.False(t, f.Finish(sectors(0)), "nothing is left")
	require.True(t, f.Finish(sectors(1)))
	require.False(t, f.Done())
	f.Begin(120, 32)
	require.Equal(t, [3]uint64{96, 100, 120}, [3]uint64{f.Written, f.Begun, f.Ended})
}

// Lines that are dropped are not written, and changes do not bring the flush back.
func TestInvalidate(t *testing.T) {
	f, _, _ := (&flush.Spec{Op: "invalidate"}).Start(clock.GHz)
	require.True(t, f.Finish(sectors(1)))
	require.Equal(t, memory.Invalidate, f.Begin(5, 64).Op)
	require.Zero(t, f.Written)
	require.False(t, f.Finish(sectors(1)))
}

func TestCheck(t *testing.T) {
	at := units.InTime(units.Nanosecond)
	require.ErrorContains(t, (&flush.Spec{Op: "none", At: at}).Check(configs.Value{}), "at has no effect without op")
	require.NoError(t, (&flush.Spec{Op: "none"}).Check(configs.Value{}))
	require.NoError(t, (&flush.Spec{Op: "clean", At: at}).Check(configs.Value{}))
}
