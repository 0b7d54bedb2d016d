package watch

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/components/stats"
)

// Where there are too many intervals, two become one; no count is lost.
func TestSeriesLogHalves(t *testing.T) {
	n := uint64(0)
	l := &seriesLog{step: 10, list: []summed{{"A.reads", stats.Request, []*uint64{&n}}}, last: make([]uint64, 1)}
	for i := range 1000 {
		n += uint64(i)
		l.note()
	}
	s := l.jsonTable(nil)
	require.Equal(t, 160.0, l.step)
	require.Len(t, s.Rows, 200)
	sum := 0.0
	for i := range s.Rows {
		require.Equal(t, 160*float64(i+1), s.Number(i, 0))
		sum += s.Number(i, 1)
	}
	require.Equal(t, 499500.0, sum)
}
