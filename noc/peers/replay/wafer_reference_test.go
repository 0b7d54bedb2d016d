package replay

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/noc/channel"
	"github.com/causeway-sim/causeway/noc/collective"
)

const ramp = 2 // cycles, T_R of the study

// wafer is a line of processors: a wavelet of 4 B per cycle and link, a cycle per
// hop, two cycles on the ramp between router and processor, each way. The cycle that
// a wavelet takes on a channel stands for the addition. To read the first wavelet
// takes a cycle, too.
func wafer(t testing.TB, p int) machine {
	top, alg := mesh(t, p, 1)
	return machine{
		net: channel.Config{
			Topology: top, Routing: alg, Width: 4,
			Terminal: channel.Link{Latency: ramp, Rate: 4},
			Local:    channel.Link{Latency: 1, Rate: 4},
		},
		read: 1,
	}
}

func reduction(t testing.TB, name string, p, b, chunks int) *collective.Schedule {
	pipeline := collective.Pipeline{Chunks: chunks}
	var spec any = collective.Spec{Pipeline: pipeline}
	switch name {
	case "two_phase":
		spec = collective.TwoPhaseSpec{Pipeline: pipeline}
	case "auto_gen":
		spec = collective.AutoGenSpec{Pipeline: pipeline, Wavelet: 4, Ramp: ramp}
	}
	s, err := collective.New(name, collective.Request{Operation: collective.ReduceTo, Ranks: p, Bytes: int64(4 * b)}, spec)
	require.NoError(t, err)
	return s
}

// simulate is the cycles of a reduction of b wavelets, each sent on as soon as it is
// summed up.
func simulate(t testing.TB, name string, p, b int) int {
	got, _ := wafer(t, p).run(t, reduction(t, name, p, b, b))
	return int(got)
}

// counted is T of the study, with C, E, N, L and D counted while the reduction runs.
func counted(t testing.TB, name string, p, b int) float64 {
	m := wafer(t, p)
	m.count = true
	_, run := m.run(t, reduction(t, name, p, b, 1))
	var c, e, l, d float64
	for r, ops := range run.s.Ops {
		in, out := 0.0, 0.0
		for i, op := range ops {
			if op.Kind == collective.Send {
				out += float64(op.Bytes) / 4
				e += float64(op.Bytes) / 4 * float64(run.hops[op.Tag])
			} else {
				in += float64(op.Bytes) / 4
			}
			l, d = max(l, float64(run.cost[r][i].length)), max(d, float64(run.cost[r][i].depth))
		}
		c = max(c, in, out)
	}
	links := 0.0
	for r := range p {
		for port := range 3 {
			if peer, _, ok := run.machine.net.Topology.Peer(r, port+1); ok && peer < r && run.net.Bytes(r, port+1) > 0 {
				links++
			}
		}
	}
	return max(c, e/links+l) + (2*ramp+1)*d
}

// form is T of the study, in closed form.
func form(name string, p, b int) float64 {
	P, B := float64(p), float64(b)
	t := func(c, e, d float64) float64 { return max(c, e/(P-1)+P-1) + (2*ramp+1)*d }
	switch name {
	case "chain":
		return B + (2*ramp+2)*(P-1)
	case "star":
		return t(B*(P-1), B*P*(P-1)/2, 1)
	case "tree":
		lg := math.Log2(P)
		return t(B*lg, B*P*lg/2, lg)
	}
	s := math.Floor(math.Sqrt(P))
	n := math.Ceil(P / s)
	return t(2*B, B*((s-1)*n+(n-1)*s), s+n-2)
}

// What is counted in a run gives T of the study, wherever its groups are whole.
func TestWaferCounts(t *testing.T) {
	for _, p := range []int{4, 16, 64, 256} {
		for _, b := range []int{1, 16, 1000} {
			for _, name := range []string{"chain", "star", "tree", "two_phase"} {
				require.InDelta(t, form(name, p, b), counted(t, name, p, b), 1e-9, "%s P=%d B=%d", name, p, b)
			}
		}
	}
}

// Reference: model cycles of the study, P = 512. 22 groups of 23 leave 6 ranks over,
// so the counts of two_phase are 1% below the form.
func TestWaferPublished(t *testing.T) {
	for b, want := range map[int][3]float64{
		16: {3082, 628, 763}, 256: {3322, 2349, 1237}, 512: {3578, 4653, 1743}, 1024: {4090, 9261, 2755}, 4096: {7162, 36909, 8827},
	} {
		for i, name := range []string{"chain", "tree", "two_phase"} {
			require.InDelta(t, want[i], form(name, 512, b), 0.5)
			if name == "two_phase" {
				require.InEpsilon(t, want[i], counted(t, name, 512, b), 0.02)
			} else {
				require.InDelta(t, want[i], counted(t, name, 512, b), 0.5)
			}
		}
	}
}

// critical is the longest way through a reduction wavelet by wavelet. Of the tree:
// the root takes its messages one after the other, each B cycles long, and the one
// from distance 2^j comes 2^j hops and a ramp after the first wavelet of the one
// before. Of two-phase, in whole groups: all ramps and hops; then B wavelets, or 2 B
// at the first rank of the last group but one, which has its own group's for s + 2 T_R
// + 1 cycles before those of the last group come.
func critical(name string, p, b int) int {
	const r = 2*ramp + 1
	switch name {
	case "chain":
		return b + (r+1)*(p-1)
	case "star":
		return b*(p-1) + r + 1
	case "tree":
		t := b + r + 1
		for d := 2; d < p; d *= 2 {
			t += max(b, r+d)
		}
		return t
	}
	s := int(math.Sqrt(float64(p)))
	return r*(s+p/s-2) + p - 1 + max(b, 2*b-s-r)
}

// Wavelet by wavelet every algorithm takes the cycles of its critical path, to the
// cycle. The chain's is the study's form. The others' forms are estimates: T takes the
// larger of what adds up in part, and spreads the load evenly over all links.
//   - star: T leaves out the hop of the first wavelet where C is larger: one cycle.
//   - tree: T has E/N, B lg P P/(2 P - 2), in place of B where B is small; where B is
//     large, all lg P ramps, of which the run hides all but one behind messages that
//     come: T - (2 T_R + 1) (lg P - 1) + 1.
//   - two_phase: where B is large T has 2 B + (2 T_R + 1) D, the run P - 1 hops as
//     well, less s + 2 T_R + 1.
//
// Here within 17% of T.
func TestWaferSimulated(t *testing.T) {
	for _, name := range []string{"chain", "star", "tree", "two_phase"} {
		for _, p := range []int{2, 4, 9, 16, 25, 64, 128} {
			square := math.Sqrt(float64(p)) == math.Floor(math.Sqrt(float64(p)))
			if name == "tree" && p&(p-1) != 0 || name == "two_phase" && !square {
				continue
			}
			for _, b := range []int{1, 2, 5, 16, 64, 256} {
				if name == "star" && p*b > 4096 {
					continue
				}
				got := simulate(t, name, p, b)
				require.Equal(t, critical(name, p, b), got, "%s P=%d B=%d", name, p, b)
				if f := form(name, p, b); p > 2 && (name != "star" || b > 1) {
					if name == "star" {
						f = float64(b*(p-1) + 2*ramp + 1)
					}
					require.InEpsilon(t, f, got, 0.17, "%s P=%d B=%d", name, p, b)
				}
			}
		}
	}
	require.Equal(t, 3082, simulate(t, "chain", 512, 16))
	require.Equal(t, critical("tree", 512, 16), simulate(t, "tree", 512, 16))
	require.EqualValues(t, form("tree", 64, 4096)-(2*ramp+1)*5+1, critical("tree", 64, 4096))
	require.EqualValues(t, form("two_phase", 64, 4096)+63-8-(2*ramp+1), critical("two_phase", 64, 4096))
}

// The best algorithm by length of the vector is the same simulated and by the form:
// star, tree, two-phase, chain. (At 256 two-phase and chain are as good as equal.)
func TestWaferCrossovers(t *testing.T) {
	names := []string{"star", "tree", "two_phase", "chain"}
	for b, want := range map[int]string{1: "star", 2: "tree", 16: "tree", 64: "two_phase", 400: "chain"} {
		best, low := "", math.MaxInt
		bestForm, lowForm := "", math.Inf(1)
		for _, name := range names {
			if name == "star" && b > 16 {
				continue // B (P-1) is far above
			}
			if x := simulate(t, name, 64, b); x < low {
				best, low = name, x
			}
			f := form(name, 64, b)
			if name == "star" {
				f = float64(63*b + 2*ramp + 1) // the study's form for the star
			}
			if f < lowForm {
				bestForm, lowForm = name, f
			}
		}
		require.Equal(t, want, best, "B=%d", b)
		require.Equal(t, want, bestForm, "B=%d", b)
	}
}

// The generated tree costs no more by the model than any of the others, and no more
// than 1.4 times the least: B wavelets into the root, P-1 hops, one message.
func TestWaferGenerated(t *testing.T) {
	for _, p := range []int{4, 16, 64, 100} {
		for _, b := range []int{1, 4, 16, 64, 256, 2048} {
			got := counted(t, "auto_gen", p, b)
			for _, name := range []string{"chain", "star", "tree", "two_phase"} {
				require.LessOrEqual(t, got, counted(t, name, p, b)+1e-9, "P=%d B=%d against %s", p, b, name)
			}
		}
	}
}
