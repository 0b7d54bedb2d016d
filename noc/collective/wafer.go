package collective

import "math"

const waferSource = "Luczynski, Gianinazzi, Iff, Wilson, De Sensi, Hoefler, Near-Optimal Wafer-Scale Reduce, HPDC 2024, section 5"

func init() {
	plain := func(f func(n int) []int) map[Operation]algorithm[Spec] {
		return overTree(func(c *chunk, _ Spec) ([]int, error) { return f(c.n), nil })
	}
	add("chain", "Each rank passes its sum to the one before it in a line.", waferSource+".1", one, plain(chainTree))
	add("star", "All ranks send to the root.", waferSource+".1", one, plain(starTree))
	add("tree", "A binomial tree: the distance doubles each round.", waferSource+".2", one, plain(binomialTree))
	add("two_phase", "A chain in each group of about sqrt(n) ranks, then a chain over the first of each group.", waferSource+".3",
		TwoPhaseSpec{Pipeline: one.Pipeline}, overTree(func(c *chunk, s TwoPhaseSpec) ([]int, error) { return twoPhaseTree(c.n, s.Group), nil }))
	add("auto_gen", "The tree on a line that is best by the cost model of the wafer-scale study, found by dynamic programming.", waferSource+".4",
		AutoGenSpec{Pipeline: one.Pipeline, Wavelet: 4, Ramp: 2}, overTree(autoGenTree))
}

// TwoPhaseSpec sets the size of the groups.
type TwoPhaseSpec struct {
	Pipeline `yaml:",inline"`
	Group    int `yaml:"group" doc:"Ranks per group; 0 is the whole part of the square root of their number" jsonschema:"minimum=0"`
}

// AutoGenSpec is the machine for which auto_gen optimises its tree.
type AutoGenSpec struct {
	Pipeline `yaml:",inline"`
	Wavelet  int64 `yaml:"wavelet" doc:"Bytes that a link carries in a cycle" jsonschema:"minimum=1"`
	Ramp     int   `yaml:"ramp" doc:"Cycles between a router and its processor, one way" jsonschema:"minimum=0"`
}

// The trees have rank 0 as root.

func chainTree(n int) []int {
	out := make([]int, n)
	for i := range out {
		out[i] = i - 1
	}
	return out
}

func starTree(n int) []int {
	out := make([]int, n)
	out[0] = -1
	return out
}

// binomialTree: rank v sends to v without its lowest bit.
func binomialTree(n int) []int {
	out := make([]int, n)
	for i := range out {
		out[i] = i & (i - 1)
	}
	out[0] = -1
	return out
}

func twoPhaseTree(n, group int) []int {
	if group == 0 {
		group = int(math.Sqrt(float64(n)))
	}
	out := chainTree(n)
	for i := group; i < n; i += group {
		out[i] = i - group
	}
	return out
}
