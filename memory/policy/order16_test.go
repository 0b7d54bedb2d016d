package policy

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"
)

// LRU in a word per set gives up what LRU in a list does, lines that are invalidated
// included, for any number of ways that a word has room for.
func TestOrder16AgainstAList(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	for ways := 1; ways <= fewWays; ways++ {
		g := Geometry{Sets: 3, Ways: ways}
		word, list := Policy(&lru16{newOrder16(g)}), Policy(&lru{NewRecency(g)})
		full := make([][]bool, g.Sets)
		for s := range full {
			full[s] = make([]bool, ways)
		}
		for range 4000 {
			set, way := r.IntN(g.Sets), r.IntN(ways)
			empty := -1
			for w, there := range full[set] {
				if !there {
					empty = w
					break
				}
			}
			switch {
			case full[set][way] && r.IntN(3) > 0:
				word.Hit(set, way, Access{})
				list.Hit(set, way, Access{})
				continue
			case full[set][way] && r.IntN(8) == 0: // invalidated
				word.Evict(set, way)
				list.Evict(set, way)
				full[set][way] = false
				continue
			case empty < 0:
				empty = list.Victim(set, Access{})
				require.Equal(t, empty, word.Victim(set, Access{}), "%d ways", ways)
				word.Evict(set, empty)
				list.Evict(set, empty)
			}
			word.Fill(set, empty, Access{})
			list.Fill(set, empty, Access{})
			full[set][empty] = true
		}
	}
}
