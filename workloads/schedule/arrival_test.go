package schedule

import (
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/components/units"
	"github.com/causeway-sim/causeway/configs"
)

func source(t *testing.T, name string, spec any) Source {
	e, ok := Arrivals.Entry(name)
	require.True(t, ok)
	s, err := e.New(spec, nil)
	require.NoError(t, err)
	return s
}

func TestPeriodicArrivals(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	p := source(t, "periodic", Periodic{Period: 10})
	j := source(t, "periodic", Periodic{Period: 10, Jitter: 10})
	late := units.Time(0)
	for i := range units.Time(1000) {
		at, ok := p.Next(r)
		require.True(t, ok)
		require.Equal(t, 10*i, at)
		x, _ := j.Next(r)
		require.True(t, x >= 10*i && x < 10*(i+1))
		late += x - 10*i
	}
	require.InDelta(t, 4500, float64(late), 300)
	for _, bad := range []Periodic{{}, {Period: 10, Jitter: 11}} {
		e, _ := Arrivals.Entry("periodic")
		_, err := e.New(bad, nil)
		var key *KeyError
		require.ErrorAs(t, err, &key)
	}
}

// The gaps have the mean that was asked for, and vary as much as exponential ones do.
func TestPoissonArrivals(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	p := source(t, "poisson", Poisson{Mean: 1000})
	const n = 20000
	last, sum, squares := units.Time(0), 0.0, 0.0
	for range n {
		at, ok := p.Next(r)
		require.True(t, ok && at >= last)
		gap := float64(at - last)
		last, sum, squares = at, sum+gap, squares+gap*gap
	}
	mean := sum / n
	require.InEpsilon(t, 1000, mean, 0.03)
	require.InEpsilon(t, 1e6, squares/n-mean*mean, 0.06)
}

func TestTraceArrivals(t *testing.T) {
	dir := t.TempDir()
	read := func(text string) (Source, error) {
		path := filepath.Join(dir, "times.txt")
		require.NoError(t, os.WriteFile(path, []byte(text), 0o600))
		return readTimes(path, "times.txt")
	}
	s, err := read("# frames\n0s\n1.5us # late\n\n1.5us\n")
	require.NoError(t, err)
	for _, want := range []units.Time{0, 1500 * units.Nanosecond, 1500 * units.Nanosecond} {
		at, ok := s.Next(nil)
		require.True(t, ok)
		require.Equal(t, want, at)
	}
	_, ok := s.Next(nil)
	require.False(t, ok)
	for text, want := range map[string]string{
		"":           "times.txt: holds no time",
		"2us\n1us\n": "times.txt:2:1: 1us comes after 2us (want ascending times)",
		"0s\nsoon\n": "times.txt:2:1: ",
	} {
		_, err := read(text)
		require.ErrorContains(t, err, want)
	}
	e, _ := Arrivals.Entry("trace")
	_, err = e.New(Trace{}, func(configs.Value) (string, error) { return "", nil })
	require.ErrorContains(t, err, "file is missing")
}
