package mapping

import (
	"fmt"
	"testing"

	"pgregory.net/rapid"

	"github.com/causeway-sim/causeway/accelerators/mapping/dma"
	"github.com/causeway-sim/causeway/components/integer"
	"github.com/causeway-sim/causeway/workloads/graph"
	"github.com/causeway-sim/causeway/workloads/graph/masking"
)

// No trivial alternative beats the loop of an attention: fused, of grouped queries, of one query
// over many keys, of windows. The rules are those of alternatives_test.go.

var attentionTrials = trialsOf(anyAttention)

// anyAttention draws heads that share keys in groups: of a prompt, whose queries see the keys up to
// their own, all keys or a window, or of a decode, whose one query sees up to 16,384 keys.
func anyAttention(t *rapid.T) graph.Kind {
	k := graph.Attention{Batch: scaled(t, "batch", 1, 64), Group: rapid.SampledFrom([]int{1, 1, 2, 4, 8, 16}).Draw(t, "group"),
		Size: rapid.SampledFrom([]int{32, 64, 80, 128}).Draw(t, "size"), ScoreOps: rapid.IntRange(0, 1).Draw(t, "ops")}
	k.Value = k.Size
	switch rapid.SampledFrom([]string{"all", "causal", "window", "decode"}).Draw(t, "mask") {
	case "decode":
		k.Queries, k.Keys = 1, scaled(t, "keys", 1, 16384)
		k.Mask.Causal = true
	case "all":
		k.Queries, k.Keys = scaled(t, "queries", 1, 1024), scaled(t, "keys", 1, 2048)
	case "window":
		k.Queries = scaled(t, "queries", 1, 1024)
		k.Mask = masking.Mask{Causal: true, Window: scaled(t, "window", 1, k.Queries)}
		k.Keys = k.Queries
	default:
		k.Queries = scaled(t, "queries", 1, 1024)
		k.Keys = k.Queries + rapid.SampledFrom([]int{0, 0, 100, 1000}).Draw(t, "before")
		k.Mask.Causal = true
	}
	return k
}

func TestHalvesOfAnyAttentionGainNothing(t *testing.T) {
	holdsOf(t, attentionTrials, 24, 1.02, 1.02, func(x *anyTrial) (worst float64) {
		whole := x.plain(x.core)
		if whole == 0 {
			return 0
		}
		for _, h := range attentionHalves(x.k.(graph.Attention)) {
			worst = max(worst, whole/(x.time(x.core, h[0], "time", Rule{})+x.time(x.core, h[1], "time", Rule{})))
		}
		return worst
	})
}

// attentionHalves are an attention in two parts: by the heads of keys, by the queries that share
// keys, and by positions where all see all keys.
func attentionHalves(k graph.Attention) (out [][2]graph.Kind) {
	cut := func(n int, set func(*graph.Attention, int)) {
		if n > 1 {
			a, b := k, k
			set(&a, n/2)
			set(&b, n-n/2)
			out = append(out, [2]graph.Kind{a, b})
		}
	}
	cut(k.Batch, func(k *graph.Attention, n int) { k.Batch = n })
	cut(k.Group, func(k *graph.Attention, n int) { k.Group = n })
	if k.Mask == (masking.Mask{}) {
		cut(k.Queries, func(k *graph.Attention, n int) { k.Queries = n })
	}
	return out
}

func TestMoreForAnyAttentionNeverLoses(t *testing.T) {
	moreNeverLoses(t, attentionTrials, 1.02)
}

func TestTheDefaultIsNoSlowerForAnyAttention(t *testing.T) {
	known := map[int]float64{}
	other := func(name string, set func(*anyTrial) float64) {
		t.Run(name, func(t *testing.T) {
			holdsOf(t, attentionTrials, 24, 1.01, 1.01, func(x *anyTrial) float64 {
				if q := set(x); q > 0 {
					return x.asGiven(known) / q
				}
				return 0
			})
		})
	}
	other("traffic", func(x *anyTrial) float64 { return x.time(x.core, x.k, "traffic", Rule{}) })
	other("cycles", func(x *anyTrial) float64 { return x.time(x.core, x.k, "cycles", Rule{}) })
	other("gemv none", func(x *anyTrial) float64 {
		c := x.core
		c.Gemv = -1
		return x.time(c, x.k, "time", Rule{})
	})
	for _, parts := range []int64{1, 2, 3, 8, 32} {
		for _, axis := range []string{"m", "n"} {
			other(fmt.Sprintf("tile %s/%d", axis, parts), func(x *anyTrial) float64 {
				k := x.k.(graph.Attention)
				r := Rule{Tile: dma.Tile{M: integer.Ceil(int64(k.Queries), parts)}}
				if axis == "n" {
					r.Tile = dma.Tile{N: integer.Ceil(int64(k.Keys), parts)}
				}
				return x.time(x.core, x.k, "time", r)
			})
		}
	}
}
