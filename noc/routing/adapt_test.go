package routing_test

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/noc/routing"
	"github.com/causeway-sim/causeway/noc/topology"
)

// What the papers say: those whose rule does not name a queue never adapt, the others
// do wherever two ways lead to a terminal. An algorithm in neither list has to pass
// TestWhoDoesNotAdaptIgnoresTheState alone.
func TestWhoAdapts(t *testing.T) {
	// acor adapts by being asked again while a packet waits
	never := []string{"dor", "nca", "o1turn", "acor", "anynet"}
	always := []string{"adaptive", "odd_even", "olm", "par", "par_ph", "pb", "piar", "rlm", "shortest", "tpr", "ugal_g", "ugal_l", "ugal_le", "up_down"}
	// in a dragonfly+ these choose a spine by its queue
	dragonfly := []string{"min", "val_group", "val_router"}
	adapts := map[string]bool{}
	pairs(t, func(t *testing.T, top topology.Topology, name string, alg routing.Algorithm) {
		if !routing.Adapts(top, alg) {
			return
		}
		adapts[name] = true
		if slices.Contains(dragonfly, name) {
			require.True(t, strings.Contains(t.Name(), "dragonfly_plus"), t.Name())
		}
	})
	for _, name := range never {
		require.False(t, adapts[name], name)
	}
	for _, name := range always {
		require.True(t, adapts[name], name)
	}
}

// noisy is a View with the draws of calm, and any answer to a question about queues.
type noisy struct {
	calm
	state *rand.Rand
	asked bool
}

func (v *noisy) ask() int                { v.asked = true; return v.state.IntN(200) }
func (v *noisy) Queue(int) int           { return v.ask() }
func (v *noisy) QueueClass(int, int) int { return v.ask() }
func (v *noisy) Remote(int, int) int     { return v.ask() }
func (v *noisy) Flying(int) int          { return v.ask() }
func (v *noisy) Rate(int) int            { return v.ask() }
func (v *noisy) Notice(int, int) bool    { return v.ask() > 100 }
func (v *noisy) Ready(int, int) bool     { return v.ask() > 100 }

// An algorithm that does not adapt asks for no state of the network, and decides alike
// whatever that state is.
func TestWhoDoesNotAdaptIgnoresTheState(t *testing.T) {
	pairs(t, func(t *testing.T, top topology.Topology, name string, alg routing.Algorithm) {
		if routing.Adapts(top, alg) {
			return
		}
		for seed := range uint64(200) {
			draw := rand.New(rand.NewPCG(seed, 7))
			src, dst := draw.IntN(top.Terminals()), draw.IntN(top.Terminals())
			still := &calm{rng: rand.New(rand.NewPCG(seed, 1))}
			loud := &noisy{calm: calm{rng: rand.New(rand.NewPCG(seed, 1))}, state: draw}
			still.r, _ = top.Home(src)
			loud.r = still.r
			p, q := routing.Packet{Src: int32(src), Dst: int32(dst)}, routing.Packet{Src: int32(src), Dst: int32(dst)}
			require.Equal(t, alg.Next(still, &p), alg.Next(loud, &q), "%d to %d", src, dst)
			require.False(t, loud.asked, "%d to %d: it asked", src, dst)
		}
	})
}
