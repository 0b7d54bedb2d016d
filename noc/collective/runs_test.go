package collective

import (
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// A buffer of runs is in the state of one with a state per cell, after any reads and writes of
// any ranges, before and after it gives each cell a state of its own.
func TestRunsAreCells(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 200).Draw(t, "cells")
		b, plain := newBuffer(n), make([]cell, n)
		for op := range int32(rapid.IntRange(0, 150).Draw(t, "operations")) {
			if rapid.IntRange(0, 20).Draw(t, "kind") == 0 {
				b.extend()
				plain = append(plain, cell{})
				continue
			}
			lo := rapid.IntRange(0, len(plain)-1).Draw(t, "lo")
			hi := rapid.IntRange(lo, len(plain)).Draw(t, "hi")
			write := rapid.Bool().Draw(t, "write")
			change := func(s *cell) {
				if write {
					s.base = append([]int32(nil), s.read...)
					s.written, s.read = append(s.written, op), s.read[:0]
					return
				}
				s.read = append(s.read, op)
			}
			b.each(lo, hi, change)
			for i := lo; i < hi; i++ {
				change(&plain[i])
			}
		}
		for i := range plain {
			b.each(i, i+1, func(s *cell) {
				require.ElementsMatch(t, plain[i].read, s.read, i)
				require.ElementsMatch(t, plain[i].written, s.written, i)
				require.ElementsMatch(t, plain[i].base, s.base, i)
			})
		}
	})
}

// What halving and doubling need to be written grows with ranks times its steps, not with the
// square of the ranks: 72 bytes for each cell of each rank were 4.8 GB at 8,192 ranks.
func TestHalvingIsWrittenInRuns(t *testing.T) {
	per := func(ranks int) float64 {
		return testing.AllocsPerRun(1, func() {
			_, err := New("halving_doubling", Request{Operation: AllReduce, Ranks: ranks, Bytes: 64 << 20, Element: 4}, nil)
			require.NoError(t, err)
		}) / float64(ranks)
	}
	require.Less(t, per(1024), 2*per(128))
}
