package memory_test

import (
	"cmp"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/causeway-sim/causeway/memory"
)

// Against a sorted list.
func TestAnswers(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var h memory.Answers
		var list []memory.Answer
		for i := range rapid.IntRange(1, 200).Draw(t, "steps") {
			if len(list) > 0 && rapid.Bool().Draw(t, "pop") {
				require.Equal(t, list[0], h[0])
				h.Pop()
				list = list[1:]
			} else {
				a := memory.Answer{Due: rapid.Uint64Range(0, 9).Draw(t, "due"), Order: uint64(i), Request: uint32(2 * i)}
				h.Push(a)
				list = append(list, a)
				slices.SortFunc(list, func(a, b memory.Answer) int {
					return cmp.Or(cmp.Compare(a.Due, b.Due), cmp.Compare(a.Order, b.Order))
				})
			}
			require.Len(t, h, len(list))
		}
	})
}
