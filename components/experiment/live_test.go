package experiment

import (
	"context"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/components/experiment/result"
)

const observedConfig = `schema: causeway/1
nodes:
  - {name: Driver, kind: driver, generate: {name: random, size: 1MiB, count: 100000000}, mode: "closed:4"}
  - {name: LLC, kind: cache, size: 64KiB, ways: 4, clock: 1GHz}
  - {name: Mem, kind: memory, fidelity: bank, preset: ddr4_3200}
links:
  - Driver -> LLC.top
  - LLC.bottom -> Mem
`

// Options.Live gets the progress of a run and which node waits for which, and the run goes on:
// here until the second call.
func TestLive(t *testing.T) {
	ctx, stop := context.WithCancel(context.Background())
	defer stop()
	var seen []Live
	config := observedConfig
	x, err := Parse("c", []byte(config), Options{Live: func(l Live) {
		if seen = append(seen, l); len(seen) == 2 {
			stop()
		}
	}})
	require.NoError(t, err)
	r, _, err := x.Run(ctx, nil)
	require.ErrorIs(t, err, context.Canceled)
	require.Equal(t, result.Incomplete, r.Status)
	require.Positive(t, seen[0].Time)
	require.Greater(t, seen[1].Time, seen[0].Time)
	require.Contains(t, strings.Join(seen[0].Waits, "\n"), "Driver waits for")
}

// Several may look at a run at once: it goes on when the last has seen enough.
func TestManyLookOn(t *testing.T) {
	x, err := Parse("c", []byte(`schema: causeway/1
nodes:
  - {name: Driver, kind: driver, generate: {name: random, size: 1MiB, count: 100000000}, mode: "closed:4"}
  - {name: LLC, kind: cache, size: 64KiB, ways: 4, clock: 1GHz}
  - {name: Mem, kind: memory, fidelity: ideal, latency: 50ns}
links: [Driver -> LLC.top, LLC.bottom -> Mem]
`), Options{})
	require.NoError(t, err)
	a, err := x.assemble()
	require.NoError(t, err)
	ctx, stop := context.WithCancel(context.Background())
	done := make(chan error)
	go func() { done <- x.drive(ctx, a, nil) }()
	for a.driver.CurrentTime() == 0 { // it has not begun
		time.Sleep(time.Millisecond)
	}
	var all sync.WaitGroup
	for range 4 {
		all.Add(1)
		go func() {
			defer all.Done()
			for range 20 {
				a.still(func() {
					now := a.driver.CurrentTime()
					time.Sleep(time.Millisecond)
					assert.Equal(t, now, a.driver.CurrentTime(), "the run went on")
				})
			}
		}()
	}
	all.Wait()
	stop()
	require.ErrorIs(t, <-done, context.Canceled)
}
