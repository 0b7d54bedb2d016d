package dco

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/memory/policy"
)

// Streams of dco: by core if nothing is known or the tensor is shared, not by
// core if it is not; reads and writes apart; tensors of one kind and size
// together.
func TestStreams(t *testing.T) {
	p := newPolicy(policy.Geometry{Sets: 1, Ways: 4, Line: 64, Tensors: []policy.Tensor{
		{Bytes: 1000, Kind: policy.Key}, {Bytes: 1000, Kind: policy.Key, Sharers: 4}, {Bytes: 1000, Kind: policy.Key}, {Bytes: 9000, Kind: policy.Key}, {Bytes: 1000, Kind: policy.Value},
	}}, DefaultSpec())
	s := func(tensor, core uint16, write bool) uint16 {
		return p.stream(&policy.Access{PC: 1, Tensor: tensor, Core: core, Write: write})
	}
	require.NotEqual(t, s(0, 0, false), s(0, 1, false))
	require.NotEqual(t, s(0, 0, false), s(0, 0, true))
	require.Equal(t, s(1, 0, false), s(1, 1, false))
	require.NotEqual(t, s(2, 0, false), s(2, 1, false))
	require.Equal(t, s(1, 0, false), s(3, 0, false))
	require.NotEqual(t, s(1, 0, false), s(4, 0, false))
	require.NotEqual(t, s(1, 0, false), s(5, 0, false))
}
