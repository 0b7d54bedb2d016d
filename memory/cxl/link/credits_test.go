package link

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/memory/cxl/flit"
)

// A flit has one credit field for all classes of a kind. The class that is owed most is
// repaid first, by powers of two up to 64, so that a class that waits for many credits is
// not held up by one that waits for few.
func TestTheClassOwedMostIsRepaidFirst(t *testing.T) {
	l, err := New(DefaultConfig(), nil)
	require.NoError(t, err)
	for _, field := range fields {
		for _, few := range field {
			for _, many := range field {
				if few == many {
					continue
				}
				h := new(half)
				h.repay(repaid{few, 1})
				h.repay(repaid{many, 64})
				for _, want := range []repaid{{many, 64}, {few, 1}} {
					var s flitReturns
					l.returnCredits(h, &s)
					require.EqualValues(t, 1, s.repays)
					require.Equal(t, want, s.back[0], "%v owed 1, %v owed 64", few, many)
				}
				require.Zero(t, h.owed)
				require.Zero(t, h.owing)
			}
		}
	}
}

// Fields do not wait for each other: a flit repays one class of each.
func TestFieldsAreRepaidTogether(t *testing.T) {
	l, err := New(DefaultConfig(), nil)
	require.NoError(t, err)
	h := new(half)
	for i, field := range fields {
		h.repay(repaid{field[0], uint8(3 + i)})
	}
	var s flitReturns
	l.returnCredits(h, &s)
	require.EqualValues(t, len(fields), s.repays)
	got := map[flit.Class]int{}
	for _, r := range s.back[:s.repays] {
		got[r.class] = int(r.n)
	}
	require.Equal(t, map[flit.Class]int{fields[0][0]: 2, fields[1][0]: 4, fields[2][0]: 4, fields[3][0]: 4}, got)
	require.Equal(t, 3+4+5+6-14, h.owed)
}
