package std

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/components/system"
	"github.com/causeway-sim/causeway/configs"
	"github.com/causeway-sim/causeway/memory/address"
	"github.com/causeway-sim/causeway/memory/dram"
	"github.com/causeway-sim/causeway/memory/dram/standard"
)

// The presets of HBM permute channels: whatever power of two a stream strides by, its
// bursts reach all of them, and of any 64 in a row at least half. Without the permutation
// a stride of all channels' bursts, or of more, stays in one.
func TestStridesReachAllChannels(t *testing.T) {
	for _, preset := range []string{"hbm2", "hbm2e", "hbm3", "hbm3e", "hbm4"} {
		doc, err := configs.Parse("hbm.yaml", []byte("schema: causeway/1\nnodes:\n  - {name: Mem, kind: memory, fidelity: bank, preset: "+preset+"}\n"), configs.Options{})
		require.NoError(t, err)
		var spec dram.Spec
		for _, f := range system.Fidelities("memory") {
			if f.Fidelity == "bank" {
				any, err := f.Decode(doc.Root.Get("nodes").Items()[0])
				require.NoError(t, err)
				spec = any.(dram.Spec)
			}
		}
		grade, ok := standard.Find(string(spec.Grade))
		require.True(t, ok)
		geometry := grade.Organisation.Geometry(spec.Channels)
		channels := 1 << geometry[address.Channel]
		plain := address.New("Ro-Ba^Ro-Co-BG-Ch", geometry)
		for stride := range geometry.Bits() - 8 {
			at := fmt.Sprintf("%s, a stride of %d bursts", preset, 1<<stride)
			hashed := address.New(spec.Map, geometry)
			require.Len(t, reached(hashed, stride, 0, 256), channels, at)
			for from := uint64(0); from < 256-64; from += 64 {
				require.GreaterOrEqual(t, len(reached(hashed, stride, from, 64)), channels/2, at)
			}
			if 1<<stride >= channels {
				require.Len(t, reached(plain, stride, 0, 256), 1, at)
			}
		}
	}
}

// reached is how many of n bursts from number from on, 2^stride apart, each channel takes.
func reached(m *address.Map, stride int, from, n uint64) map[uint32]int {
	out := map[uint32]int{}
	for i := from; i < from+n; i++ {
		out[m.Decode(i << stride)[address.Channel]]++
	}
	return out
}
