package calendar_test

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/causeway-sim/causeway/components/calendar"
)

func Example() {
	var c calendar.Of[string]
	c.Add(30, "late")
	c.Add(10, "early")
	c.Add(10, "right after")
	for c.Due(20) {
		e := c.Pop()
		fmt.Println(e.At, e.What)
	}
	fmt.Println(c.Len())
	// Output:
	// 10 early
	// 10 right after
	// 1
}

// Against a sorted list.
func TestCalendar(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var c calendar.Of[int]
		var list []calendar.Entry[int]
		own := rapid.Bool().Draw(t, "orders of its own")
		n := 0
		for _, x := range rapid.SliceOfN(rapid.IntRange(-1, 9), 0, 300).Draw(t, "times") {
			switch {
			case x >= 0 && own:
				e := calendar.Entry[int]{At: uint64(x), Order: uint64(1000 - n), What: n}
				c.Push(e)
				list = append(list, e)
				n++
			case x >= 0:
				c.Add(uint64(x), n)
				n++
				list = append(list, calendar.Entry[int]{At: uint64(x), Order: uint64(n), What: n - 1})
			case len(list) > 0:
				slices.SortFunc(list, func(a, b calendar.Entry[int]) int {
					return cmp.Or(cmp.Compare(a.At, b.At), cmp.Compare(a.Order, b.Order))
				})
				require.True(t, c.Due(list[0].At))
				require.False(t, list[0].At > 0 && c.Due(list[0].At-1))
				require.Equal(t, list[0], *c.First())
				require.Equal(t, list[0], c.Pop())
				list = list[1:]
			}
			require.Equal(t, len(list), c.Len())
		}
		c.Clear()
		require.Zero(t, c.Len())
		require.False(t, c.Due(^uint64(0)))
	})
}

// What was taken is not kept from the garbage collector.
func TestPopForgets(t *testing.T) {
	var c calendar.Of[*int]
	c.Add(1, new(int))
	c.Add(2, new(int))
	c.Pop()
	e := c.First()
	c.Pop()
	require.Nil(t, e.What)
}

func BenchmarkHold(b *testing.B) {
	for _, n := range []int{8, 512} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			var c calendar.Of[int32]
			rng := rand.New(rand.NewPCG(1, 2))
			for range n {
				c.Add(rng.Uint64N(1000), 0)
			}
			b.ReportAllocs()
			for b.Loop() {
				e := c.Pop()
				c.Add(e.At+rng.Uint64N(1000), e.What)
			}
		})
	}
}
