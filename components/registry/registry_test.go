package registry

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestEntriesAreSorted(t *testing.T) {
	r := New[func() int]("number")
	r.Add(Entry[func() int]{Name: "two", Doc: "Two.", New: func() int { return 2 }})
	r.Add(Entry[func() int]{Name: "one", Doc: "One.", New: func() int { return 1 }})
	require.Equal(t, []string{"one", "two"}, r.Names())
	e, ok := r.Entry("two")
	require.True(t, ok)
	require.Equal(t, 2, e.New())
	_, ok = r.Entry("three")
	require.False(t, ok)
	require.Len(t, r.Entries(), 2)
}

func TestAddRefuses(t *testing.T) {
	r := New[int]("number")
	r.Add(Entry[int]{Name: "one", Doc: "One."})
	require.PanicsWithValue(t, `registry: number "one" registered twice`, func() { r.Add(Entry[int]{Name: "one", Doc: "Again."}) })
	require.Panics(t, func() { r.Add(Entry[int]{Name: "x"}) })
}
