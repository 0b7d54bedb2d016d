package sweep

import (
	"context"
	"maps"
	"os"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// A fakeCluster runs parts in goroutines. The first submission of a part in dies comes to
// nothing.
type fakeCluster struct {
	t         *testing.T
	text      string
	dir       string
	runner    *cornerRunner
	dies      map[int]bool
	parts     sync.WaitGroup
	mu        sync.Mutex
	active    map[int]string
	submitted []int
}

func (c *fakeCluster) Submit(_ context.Context, parts []int, of int) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, p := range parts {
		c.submitted = append(c.submitted, p)
		if c.dies[p] {
			delete(c.dies, p)
			continue
		}
		c.active[p] = "RUNNING"
		s, err := cornerSweep(c.t, c.text)
		require.NoError(c.t, err)
		s.Dir, s.Runner = c.dir, c.runner
		if !s.adaptive() {
			s.Chunk = Chunk{p, of}
		}
		c.parts.Go(func() {
			if _, err := s.Run(context.Background()); err != nil {
				c.t.Error(err)
			}
			c.mu.Lock()
			defer c.mu.Unlock()
			delete(c.active, p)
		})
	}
	return nil
}

func (c *fakeCluster) Active(context.Context) (map[int]string, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	return maps.Clone(c.active), nil
}

// A sweep on a cluster comes to the bytes of one that ran here: parts that die are submitted
// again, and they alone; who submits may be stopped and called again; no point runs twice.
func TestCluster(t *testing.T) {
	for name, text := range map[string]string{
		"grid":   corner,
		"search": corner + "method: {name: nsga2, points: 60, population: 10}\nobjectives: [time, cost]\n",
	} {
		t.Run(name, func(t *testing.T) {
			local, err := cornerSweep(t, text)
			require.NoError(t, err)
			here, err := local.Run(context.Background())
			require.NoError(t, err)

			c := &fakeCluster{t: t, text: text, dir: t.TempDir(), runner: &cornerRunner{}, dies: map[int]bool{2: true}, active: map[int]string{}}
			defer c.parts.Wait()
			how := Spread{Parts: 3, Poll: time.Millisecond}
			ctx, stop := context.WithCancel(context.Background())
			defer stop()
			var out *Outcome
			for first := true; out == nil; first = false {
				s, err := cornerSweep(t, text)
				require.NoError(t, err)
				s.Dir = c.dir
				how.Progress = func(map[int]string, int, int) {
					if first {
						stop()
					}
				}
				out, err = s.RunOn(ctx, c, how)
				if first {
					require.ErrorIs(t, err, context.Canceled)
					how.Parts, ctx = 7, context.Background() // the folder knows better
					continue
				}
				require.NoError(t, err)
			}
			require.Equal(t, file(t, local, "sweep.csv"), file(t, &Sweep{Dir: c.dir}, "sweep.csv"))
			require.Equal(t, here.Total, out.Total)
			require.Equal(t, int64(here.Total), c.runner.ran.Load(), "a point was run twice, or not at all")
			if name == "grid" {
				require.Equal(t, []int{1, 2, 3, 2}, c.submitted)
			}
		})
	}
}

// A part that never ends well is not submitted for ever.
func TestClusterGivesUp(t *testing.T) {
	s, err := cornerSweep(t, corner)
	require.NoError(t, err)
	dead := deadCluster{}
	_, err = s.RunOn(context.Background(), &dead, Spread{Parts: 1, Poll: time.Millisecond, Tries: 3})
	require.ErrorContains(t, err, "part 1 of 1 was submitted 3 times and points of it are missing still")
	require.Equal(t, 3, dead.submitted)
	require.NoError(t, os.WriteFile(s.Dir+"/parts.json", []byte("many"), 0o644))
	_, err = s.RunOn(context.Background(), &dead, Spread{})
	require.ErrorContains(t, err, "is no number of parts")
}

type deadCluster struct{ submitted int }

func (c *deadCluster) Submit(context.Context, []int, int) error       { c.submitted++; return nil }
func (c *deadCluster) Active(context.Context) (map[int]string, error) { return nil, nil }
