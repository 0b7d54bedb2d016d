package line_test

import (
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/causeway-sim/causeway/memory/cache/line"
)

// Every byte is asked of on its own.
func TestLayoutIsThatOfItsBytes(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		sectors := 1 << rapid.IntRange(0, 3).Draw(t, "sectors")
		size := uint64(sectors) << rapid.IntRange(0, 4).Draw(t, "bytes of a sector")
		l := line.New(size, sectors)
		require.Equal(t, size, l.Bytes())
		addr, bytes := rapid.Uint64Range(0, 1000).Draw(t, "address"), rapid.Uint64Range(1, 300).Draw(t, "bytes")
		seen := map[uint64]bool{}
		for a := addr; a < addr+bytes; a++ {
			seen[a/size] = true
		}
		require.Len(t, seen, l.Lines(addr, bytes))
		sector := size / uint64(sectors)
		for n := range seen {
			var of []uint64 // its bytes that are asked for
			var touched, covered uint8
			for s := range sectors {
				held := uint64(0)
				for i := range sector {
					if a := n*size + uint64(s)*sector + i; addr <= a && a < addr+bytes {
						of = append(of, a)
						held++
					}
				}
				if held > 0 {
					touched |= 1 << s
				}
				if held == sector {
					covered |= 1 << s
				}
			}
			from, to := l.Span(addr, bytes, n)
			require.Equal(t, of[0], from)
			require.Equal(t, of[len(of)-1]+1, to)
			require.Equal(t, n, l.Of(from))
			a, b := l.Touched(n, from, to)
			require.Equal(t, [2]uint8{touched, covered}, [2]uint8{a, b})
		}
	})
}

// The runs of a mask are its sectors, in order, and no two of them touch.
func TestRunsAreTheSectorsOfAMask(t *testing.T) {
	for _, sectors := range []int{1, 2, 4, 8} {
		l := line.New(64, sectors)
		size := uint64(64 / sectors)
		for mask := 1; mask < 1<<sectors; mask++ {
			var got uint8
			end := uint64(0)
			for rest := uint8(mask); rest != 0; {
				var from, to uint64
				from, to, rest = l.Run(7, rest)
				require.Less(t, from, to)
				require.Greater(t, from, end)
				end = to
				for a := from; a < to; a += size {
					got |= 1 << ((a - l.Start(7)) / size)
				}
			}
			require.Equal(t, uint8(mask), got)
		}
	}
	require.Equal(t, 1, func() int { l := line.New(64, 1); return l.Lines(64, 0) }(), "a request of no bytes touches one line")
}
