package inorder

import (
	"math/rand/v2"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"
)

type op struct {
	name          string
	start, cycles uint64
}

func (o op) Cycles() uint64 { return o.cycles }
func (o op) Bytes() uint64  { return 0 }

// Rows are those that were added, however many are alike, and equal operators are kept once.
func TestRowsAreThoseAdded(t *testing.T) {
	for _, kinds := range []int{1, 5, 1 << 20} {
		at := func(o *op) *uint64 { return &o.start }
		shared, whole := rows[op]{start: at}, rows[op]{}
		named := rows[op]{start: at, name: func(o *op) *string { return &o.name }}
		r := rand.New(rand.NewPCG(1, uint64(kinds)))
		var want []op
		for i := range 3000 {
			o := op{"x", uint64(i), uint64(r.IntN(kinds))}
			want = append(want, o)
			shared.add(o)
			whole.add(o)
			o.name = strconv.Itoa(i)
			named.add(o)
		}
		for i, o := range want {
			require.Equal(t, o, shared.row(i))
			require.Equal(t, o, whole.row(i))
			o.name = strconv.Itoa(i)
			require.Equal(t, o, named.row(i))
		}
		require.Len(t, named.forms, len(shared.forms), "operators that differ in their names alone share a form")
		if kinds < unlike {
			require.Len(t, shared.forms, kinds)
		} else {
			require.Nil(t, shared.at, "a map of rows that do not repeat")
		}
	}
}
