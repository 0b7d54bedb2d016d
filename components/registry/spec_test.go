package registry

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// A factory is given its parameters as a struct, as a pointer to one, or not at all; of another type they are
// refused. A name that is not there is refused with those that are.
func TestSpecsAndNames(t *testing.T) {
	type keys struct{ Ways int }
	def, other := keys{8}, keys{4}
	for given, want := range map[any]keys{nil: def, other: other, &other: other} {
		got, err := SpecOf(given, def)
		require.NoError(t, err)
		require.Equal(t, want, got)
	}
	_, err := SpecOf("ways", def)
	require.EqualError(t, err, "spec is a string, want a registry.keys")
	r := New[int]("policy")
	r.Add(Entry[int]{Name: "lru", Doc: "Evicts the line used longest ago.", New: 3})
	r.Add(Entry[int]{Name: "fifo", Doc: "Evicts the line filled longest ago.", New: 4})
	e, err := r.Find("lru")
	require.NoError(t, err)
	require.Equal(t, 3, e.New)
	_, err = r.Find("lrv")
	require.EqualError(t, err, `unknown policy "lrv" (want one of: fifo, lru)`)
}
