package ranks_test

import (
	"fmt"
	"math/bits"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/components/engine"
	"github.com/causeway-sim/causeway/components/system"
	"github.com/causeway-sim/causeway/configs"
	_ "github.com/causeway-sim/causeway/configs/yaml"
	_ "github.com/causeway-sim/causeway/noc/flit"
	_ "github.com/causeway-sim/causeway/noc/flow"
	_ "github.com/causeway-sim/causeway/noc/packet"
)

// way is what a message takes besides its bytes: two channels of 300 cycles, a router of 4,
// two links of a cycle.
const way = 300 + 4 + 300 + 2

// vector is the bytes of a collective: a multiple of 512 B flits in every share.
const vector = 3 << 18

// over is the cycles of a collective over a crossbar, whose wires carry up to 512 B in one.
func over(t *testing.T, fidelity, wire, nic, coll, algorithm string, ranks int) float64 {
	return through(t, "Ranks -> Net", fidelity, wire, nic, coll, algorithm, ranks)
}

// through is over with links of some kind.
func through(t *testing.T, links, fidelity, wire, nic, coll, algorithm string, ranks int) float64 {
	text := fmt.Sprintf(`schema: causeway/1
nodes:
  - {name: Ranks, kind: ranks, ranks: %d, pattern: {name: %s, bytes: %dB}, collectives: {%s: %s}, nic: {%s}}
  - {name: Net, kind: network, fidelity: %s, topology: {name: crossbar, terminals: %d}, clock: 1GHz, width: 512B, terminal: {latency: 300ns%s}}
links: [%s]
`, ranks, coll, vector, coll, algorithm, nic, fidelity, ranks, wire, links)
	d, err := configs.Parse("f.yaml", []byte(text), configs.Options{})
	require.NoError(t, err)
	e := engine.New()
	s, err := system.Build(d, &system.Env{Engine: e})
	require.NoError(t, err)
	for _, n := range s.Nodes() {
		if x, ok := n.(system.Starter); ok {
			require.NoError(t, x.Start())
		}
	}
	require.NoError(t, e.Run())
	last := 0.
	for _, n := range s.Nodes() {
		require.Empty(t, n.Stats().Verify(), "%s: what is sent arrives", n.Name())
		for _, m := range n.Stats().Metrics() {
			if m.Name == "total_cycles" && n.Name() == "Ranks" {
				last = m.Value
			}
		}
	}
	require.NotZero(t, last)
	return last
}

// forms are the cycles of collectives of n ranks whose interfaces and wires carry rate bytes
// in one, with so much overhead at each end of a message; 0 is none. Where packets of several messages
// take turns these end together, and their overheads follow each other.
var forms = []struct {
	coll, algorithm string
	of              func(n int, rate, overhead float64, turns bool) float64
}{
	// Reference: Thakur, Rabenseifner, Gropp, IJHPCA 2005, section 4.5, with the wire's latency.
	{"all_reduce", "ring", func(n int, rate, overhead float64, _ bool) float64 {
		return 2 * float64(n-1) * (vector/float64(n)/rate + way + 2*overhead)
	}},
	// Up the binomial tree a level at a time and down again: a rank sends to the child with the deepest tree
	// first, so that each round doubles the ranks that have the vector. Where packets of several messages take
	// turns, a rank with j children has sent to all of them after j vectors, to the deepest a packet of each
	// other one before.
	{"all_reduce", "tree", func(n int, rate, overhead float64, turns bool) float64 {
		k := float64(bits.Len(uint(n - 1)))
		switch {
		case overhead > 0:
			return 0
		case n == 3: // two leaves
			return 2 * (2*vector/rate + way)
		}
		if turns {
			const packet = 16 << 10
			return k*(vector/rate+way) + k*(k+1)/2*vector/rate - k*(k-1)/2*packet/rate + k*way
		}
		return 2 * k * (vector/rate + way)
	}},
	{"all_reduce", "halving_doubling", func(n int, rate, overhead float64, _ bool) float64 {
		if n&(n-1) != 0 {
			return 0
		}
		return 2 * (float64(n-1)/float64(n)*vector/rate + float64(bits.Len(uint(n-1)))*(way+2*overhead))
	}},
	{"all_to_all", "direct", func(n int, rate, overhead float64, _ bool) float64 {
		if overhead > 0 {
			return 0
		}
		return float64(n-1)/float64(n)*vector/rate + way
	}},
	// All bytes of the others come to the root: an incast.
	{"gather", "direct", func(n int, rate, overhead float64, _ bool) float64 {
		if overhead > 0 {
			return 0
		}
		return float64(n-1)*vector/rate + way
	}},
}

// An interface cuts through: with every rate of it and of the wire a collective takes what
// the slower one makes of its closed form, and what a wire of that rate takes alone.
func TestSlowestStageSetsTheRate(t *testing.T) {
	for _, n := range []int{2, 3, 4, 8, 16, 64} {
		for _, fidelity := range []string{"flow", "packet", "flit"} {
			if testing.Short() && n > 8 {
				continue
			}
			for _, wire := range []float64{512, 128} {
				for _, share := range []float64{0, 0.5, 1, 2} {
					nic, rate := "overhead: 0ns", wire
					if share > 0 {
						nic, rate = fmt.Sprintf("bandwidth: %gGB/s", share*wire), min(1, share)*wire
					}
					for _, f := range forms {
						for _, overhead := range []float64{0, 40} {
							want := f.of(n, rate, overhead, fidelity == "packet")
							if want == 0 || overhead > 0 && n > 8 {
								continue
							}
							with := nic
							if overhead > 0 {
								with = fmt.Sprintf("overhead: %gns", overhead)
								if share > 0 {
									with += ", " + nic
								}
							}
							got := over(t, fidelity, fmt.Sprintf(", bandwidth: %gGB/s", wire), with, f.coll, f.algorithm, n)
							slow := fmt.Sprintf(", bandwidth: %gGB/s", rate)
							require.Equal(t, over(t, fidelity, slow, fmt.Sprintf("overhead: %gns", overhead), f.coll, f.algorithm, n), got, "as a slower wire")
							require.InEpsilon(t, want, got, 0.01, "%s of %d by %s over %s, wire %g, nic {%s}", f.coll, n, f.algorithm, fidelity, wire, with)
						}
					}
				}
			}
		}
	}
}

// Stored at both interfaces, a message's bytes take their time three times.
func TestStoreAndForward(t *testing.T) {
	const step = vector / 2 / 512.
	nic := "switching: store_and_forward, bandwidth: 512GB/s"
	require.InEpsilon(t, 2*(3*step+way), over(t, "flow", "", nic, "all_reduce", "ring", 2), 0.001)
	require.InEpsilon(t, 2*(step+way), over(t, "flow", "", "bandwidth: 512GB/s", "all_reduce", "ring", 2), 0.001)
}

// The link to the network is one more stage that messages pass at once.
func TestLinksCutThrough(t *testing.T) {
	for _, fidelity := range []string{"flow", "packet", "flit"} {
		for _, nic := range []string{"overhead: 0ns", "bandwidth: 512GB/s", "bandwidth: 256GB/s"} {
			for _, link := range []float64{128, 512, 1024} {
				rate := min(link, 512)
				if nic == "bandwidth: 256GB/s" {
					rate = min(rate, 256)
				}
				got := through(t, fmt.Sprintf("{link: Ranks -> Net, bandwidth: %gGB/s}", link), fidelity, "", nic, "all_reduce", "ring", 4)
				require.InEpsilon(t, 6*(vector/4/rate+way), got, 0.01, "%s, link of %g, nic {%s}", fidelity, link, nic)
			}
		}
	}
}
