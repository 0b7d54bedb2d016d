package placement

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// aged is two tiers of the given frames: pages of the near one and of the far one were
// accessed last in these intervals; 9 ends now.
func aged(frames int, near, far []uint32) *View {
	v := &View{Tiers: []Tier{{Frames: frames, Used: len(near)}, {Frames: 99, Used: len(far)}}, Interval: 9, Budget: 99, PageBytes: 4096}
	for tier, seen := range [][]uint32{near, far} {
		for _, n := range seen {
			v.Pages = append(v.Pages, Page{Tier: int8(tier), Seen: n})
		}
	}
	return v
}

// Who was accessed takes a free frame, then those of the least recent; equal ones stay.
func TestLRU(t *testing.T) {
	for _, c := range []struct {
		name   string
		v      *View
		budget float64
		want   []Move
	}{
		{"a free frame", aged(2, []uint32{3}, []uint32{8, 9}), 9, []Move{{2, None, 0}}},
		{"the oldest goes, by number where equal", aged(3, []uint32{4, 2, 2}, []uint32{9, 9}), 9, []Move{{3, 1, 0}, {4, 2, 0}}},
		{"nobody is older", aged(2, []uint32{9, 9}, []uint32{9}), 9, nil},
		{"never accessed is oldest", aged(2, []uint32{1, 0}, []uint32{9}), 9, []Move{{2, 1, 0}}},
		{"an exchange costs two", aged(1, []uint32{1}, []uint32{9}), 1, nil},
		{"a free frame, then an exchange beyond the budget", aged(2, []uint32{1}, []uint32{9, 9}), 2, []Move{{1, None, 0}}},
	} {
		p, err := New("lru", nil)
		require.NoError(t, err)
		c.v.Budget = c.budget
		require.Equal(t, c.want, p.Plan(c.v, nil), c.name)
	}
}
