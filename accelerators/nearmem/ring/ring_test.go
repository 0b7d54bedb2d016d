package ring_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/causeway-sim/causeway/accelerators/nearmem/ring"
)

// The head waits at a gap and then jumps over all that was released after it.
func Example() {
	device, host := ring.NewProducer(8), ring.NewConsumer(8)
	a, _ := device.Take(3)
	b, _ := device.Take(5)
	_, ok := device.Take(1)
	fmt.Println("room:", ok)
	_ = host.Release(b, 5)
	fmt.Println("head:", host.Head())
	_ = host.Release(a, 3)
	fmt.Println("head:", host.Head(), "free:", device.Free())
	_ = device.Hear(host.Head())
	fmt.Println("free:", device.Free())
	// Output:
	// room: false
	// head: 0
	// head: 8 free: 0
	// free: 8
}

type record struct{ at, n int64 }

// The dumb twin has one flag per slot ever written. Heads come late and out of
// order; the device never writes over what is not released.
func drive(t require.TestingT, slots int64, step func(what string, n int) int, steps int) {
	p, c := ring.NewProducer(slots), ring.NewConsumer(slots)
	var open []record   // written, not released
	var heads []int64   // on their way
	var released []bool // by position
	for range steps {
		switch step("what", 3) {
		case 0:
			n := int64(step("slots", int(slots)) + 1)
			free := p.Free()
			at, ok := p.Take(n)
			require.Equal(t, n <= free, ok)
			if ok {
				require.EqualValues(t, len(released), at)
				for i := range n {
					// The slot's former content is released.
					if old := at + i - slots; old >= 0 {
						require.True(t, released[old], "position %d is overwritten", old)
					}
					released = append(released, false)
				}
				open = append(open, record{at, n})
			}
		case 1:
			if len(open) == 0 {
				continue
			}
			i := step("which", len(open))
			r := open[i]
			open = append(open[:i], open[i+1:]...)
			require.NoError(t, c.Release(r.at, r.n))
			require.Error(t, c.Release(r.at, r.n), "twice")
			for i := range r.n {
				released[r.at+i] = true
			}
			heads = append(heads, c.Head())
		case 2:
			if len(heads) == 0 {
				continue
			}
			i := step("head", len(heads))
			before := p.Free()
			require.NoError(t, p.Hear(heads[i]))
			require.GreaterOrEqual(t, p.Free(), before)
			heads = append(heads[:i], heads[i+1:]...)
		}
		want := int64(0)
		for want < int64(len(released)) && released[want] {
			want++
		}
		require.Equal(t, want, c.Head())
		require.LessOrEqual(t, p.Free(), slots-(int64(len(released))-want), "the device sees room that is not there")
	}
	require.Error(t, p.Hear(int64(len(released))+1))
}

func TestAgainstFlags(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		drive(t, rapid.Int64Range(1, 20).Draw(t, "size"), func(what string, n int) int { return rapid.IntRange(0, n-1).Draw(t, what) }, 60)
	})
}

func FuzzRing(f *testing.F) {
	f.Add(uint8(4), []byte{0, 1, 0, 0, 1, 0, 2, 0})
	f.Fuzz(func(t *testing.T, slots uint8, b []byte) {
		if len(b) > 4000 {
			return
		}
		steps := len(b) / 2
		drive(t, int64(slots%32)+1, func(_ string, n int) int {
			if len(b) == 0 {
				return 0
			}
			x := int(b[0]) % n
			b = b[1:]
			return x
		}, steps)
	})
}

func TestRefused(t *testing.T) {
	c := ring.NewConsumer(4)
	require.Error(t, c.Release(0, 0))
	require.Error(t, c.Release(0, 5))
	require.Error(t, c.Release(-1, 1))
	require.NoError(t, c.Release(0, 4))
	require.EqualValues(t, 4, c.Head())
	require.Error(t, c.Release(3, 1), "behind the head")
	p := ring.NewProducer(4)
	_, ok := p.Take(0)
	require.False(t, ok)
}

func BenchmarkRing(b *testing.B) {
	p, c := ring.NewProducer(50000), ring.NewConsumer(50000)
	b.ReportAllocs()
	for b.Loop() {
		x, _ := p.Take(8)
		y, _ := p.Take(8)
		_ = c.Release(y, 8)
		_ = c.Release(x, 8)
		_ = p.Hear(c.Head())
	}
}
