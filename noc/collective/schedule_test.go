package collective

import (
	"errors"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// Whatever a registered algorithm agrees to do, it does right: for any number of
// ranks, bytes and chunks, in any order that the dependencies allow.
func TestContract(t *testing.T) {
	for _, e := range All.Entries() {
		for _, o := range Operations() {
			if _, err := e.New(Request{Operation: o, Ranks: 4, Bytes: 64, Element: 1}, nil); errors.As(err, new(*OperationError)) {
				continue
			}
			t.Run(e.Name+"/"+o.String(), rapid.MakeCheck(func(t *rapid.T) {
				r := Request{
					Operation: o,
					Ranks:     rapid.IntRange(1, 20).Draw(t, "ranks"),
					Bytes:     rapid.Int64Range(1, 200).Draw(t, "bytes"),
					Element:   rapid.Int64Range(1, 5).Draw(t, "element"),
				}
				r.Root = rapid.IntRange(0, r.Ranks-1).Draw(t, "root")
				s, err := New(e.Name, r, draw(t, e.Name, &r))
				require.NoError(t, err)
				require.NoError(t, s.Validate())
				require.NoError(t, s.CheckResult(nil))
				for seed := range uint64(4) {
					require.NoError(t, s.CheckResult(rand.New(rand.NewPCG(seed, 1))))
				}
			}))
		}
	}
}

// draw chooses a spec that suits the request.
func draw(t *rapid.T, name string, r *Request) any {
	units := int((r.Bytes + r.Element - 1) / r.Element)
	p := Pipeline{Chunks: rapid.IntRange(1, min(4, units)).Draw(t, "chunks"), Active: rapid.IntRange(0, 3).Draw(t, "active")}
	p.Blocking = r.Operation != Barrier && rapid.Bool().Draw(t, "blocking")
	if r.Operation == AllReduce && name != "dissemination" && name != "in_network" && rapid.Bool().Draw(t, "apart") {
		p.Apart, p.Active = true, 0
	}
	if hasSteps(name, r.Operation) && p.Active == 0 && !p.Blocking {
		p.Steps = rapid.SampledFrom([]string{StepsFree, StepsOrdered, StepsStrict}).Draw(t, "steps")
	}
	if r.Operation == Barrier {
		r.Bytes, p = 0, one.Pipeline
	}
	dims := func() []int {
		w := rapid.IntRange(1, 5).Draw(t, "width")
		h := rapid.IntRange(1, 5).Draw(t, "height")
		r.Ranks, r.Root = w*h, min(r.Root, w*h-1)
		return []int{w, h}
	}
	e, _ := All.Entry(name)
	switch s := e.Spec.(type) {
	case Spec:
		return Spec{p}
	case RingSpec:
		s.Pipeline = p
		if r.Operation <= AllGather && rapid.Bool().Draw(t, "relay") {
			w, h := 2*rapid.IntRange(1, 2).Draw(t, "width")+1, 2*rapid.IntRange(1, 2).Draw(t, "height")+1
			r.Ranks, r.Root, s.Dims, s.Relay = w*h, 0, []int{w, h}, true
			return s
		}
		if rapid.Bool().Draw(t, "grid") {
			s.Dims = dims()
		}
		return s
	case BiRingSpec:
		s.Pipeline = p
		if rapid.Bool().Draw(t, "grid") {
			s.Dims = dims()
		}
		return s
	case BiRingOddSpec:
		w, h := 2*rapid.IntRange(1, 2).Draw(t, "width")+1, 2*rapid.IntRange(1, 2).Draw(t, "height")+1
		r.Ranks, r.Root, s.Dims = w*h, 0, []int{w, h}
		s.Pipeline, s.Message = p, messages(rapid.Int64Range(0, 5).Draw(t, "message"), r.Element)
		return s
	case Ring2DSpec:
		wrap := rapid.Bool().Draw(t, "wrap")
		return Ring2DSpec{p, dims(), wrap, !wrap && rapid.Bool().Draw(t, "detour")}
	case DoublingSpec:
		return DoublingSpec{p, rapid.SampledFrom([]Order{"", Near, Far, Bine}).Draw(t, "order")}
	case HalvingSpec:
		if r.Operation == AllReduce {
			return HalvingSpec{p, rapid.SampledFrom([]Order{"", Near, Far, Bine}).Draw(t, "order")}
		}
		return HalvingSpec{p, Far}
	case BucketSpec:
		d := append(dims(), rapid.IntRange(1, 3).Draw(t, "depth"))
		r.Ranks, r.Root = r.Ranks*d[2], 0
		return BucketSpec{p, d, rapid.Bool().Draw(t, "both")}
	case MultiTreeSpec:
		return MultiTreeSpec{p, dims(), rapid.Bool().Draw(t, "wrap"), rapid.SampledFrom([]string{SearchFull, SearchLast}).Draw(t, "search")}
	case GridSpec:
		return GridSpec{p, dims(), rapid.Bool().Draw(t, "wrap")}
	case TwoPhaseSpec:
		return TwoPhaseSpec{p, rapid.IntRange(0, 6).Draw(t, "group")}
	case AutoGenSpec:
		s.Pipeline = p
		s.Wavelet = rapid.Int64Range(1, 8).Draw(t, "wavelet")
		return s
	case HierarchicalSpec:
		s.Pipeline = p
		if rapid.Bool().Draw(t, "groups") {
			s.Group = rapid.IntRange(1, 5).Draw(t, "group")
			r.Ranks = s.Group * rapid.IntRange(1, 4).Draw(t, "number")
			r.Root = rapid.IntRange(0, r.Ranks-1).Draw(t, "member")
		}
		return s
	case TTOSpec:
		w, h := rapid.IntRange(2, 6).Draw(t, "width"), rapid.IntRange(2, 6).Draw(t, "height")
		r.Ranks, r.Root = w*h, 0
		return TTOSpec{[]int{w, h}, r.Element * rapid.Int64Range(1, 50).Draw(t, "chunk"), rapid.Bool().Draw(t, "pad"), rapid.Bool().Draw(t, "overlap")}
	}
	t.Fatalf("no way to draw a spec of %s", name)
	return nil
}

// The executor sees what is wrong.
func TestCheckResultFails(t *testing.T) {
	s, err := New("ring", Request{Operation: AllReduce, Ranks: 4, Bytes: 64}, nil)
	require.NoError(t, err)
	for r := range s.Ops {
		for i := range s.Ops[r] {
			if op := &s.Ops[r][i]; op.Kind == Reduce {
				op.Kind = Recv
				require.ErrorContains(t, s.CheckResult(nil), "rank")
				op.Kind = Reduce
			}
		}
	}
	s.Ops[0][2].After = nil // a send that does not wait for the sum
	failed := false
	for seed := range uint64(20) {
		failed = failed || s.CheckResult(rand.New(rand.NewPCG(seed, 2))) != nil
	}
	require.True(t, failed)
	s.Ops[1] = s.Ops[1][:len(s.Ops[1])-1]
	require.ErrorContains(t, s.Validate(), "one end only")
	require.ErrorContains(t, s.Execute([][]int64{make([]int64, 64), make([]int64, 64), make([]int64, 64), make([]int64, 64)}, nil), "")
}

func TestRefuses(t *testing.T) {
	for want, r := range map[string]Request{
		"ranks is 0 (want 1 to 1048576)": {Bytes: 4},
		"bytes is 0":                     {Ranks: 2},
		"root is 2 (want 0 to 1)":        {Ranks: 2, Bytes: 1, Root: 2},
		"element is -1 B":                {Ranks: 2, Bytes: 1, Element: -1},
	} {
		_, err := New("ring", r, nil)
		require.ErrorContains(t, err, want)
	}
	_, err := New("rong", Request{}, nil)
	require.ErrorContains(t, err, `unknown collective algorithm "rong" (want one of: `)
	_, err = New("ring", Request{Ranks: 4, Bytes: 8}, RingSpec{Pipeline: Pipeline{Chunks: 3}})
	require.ErrorContains(t, err, "chunks is 3 (want 1 to 2, one element each)")
	_, err = New("ring", Request{Ranks: 4, Bytes: 8}, RingSpec{Pipeline: one.Pipeline, Dims: []int{3, 2}})
	require.ErrorContains(t, err, "dims are 3x2 (want a product of 4, the ranks)")
	_, err = ParseOperation("all_reduc")
	require.ErrorContains(t, err, "want one of: all_reduce")
	for _, o := range Operations() {
		p, err := ParseOperation(o.String())
		require.NoError(t, err)
		require.Equal(t, o, p)
	}
}

// A barrier that a rank can leave too early is found out, and a barrier with a parameter that
// it does not use is refused.
func TestBarriers(t *testing.T) {
	for name, n := range map[string]int{"dissemination": 8, "tree": 9, "grid_tree": 9} {
		s, err := New(name, Request{Operation: Barrier, Ranks: n}, nil)
		require.NoError(t, err)
		require.NoError(t, s.CheckResult(nil))
		for r := range s.Ops {
			for i := range s.Ops[r] {
				if op := &s.Ops[r][i]; op.Kind == Send && len(op.After) > 0 {
					after := op.After
					op.After = nil
					require.ErrorContains(t, s.CheckResult(nil), "having begun", "%s %d %d", name, r, i)
					op.After = after
				}
			}
		}
	}
	_, err := New("dissemination", Request{Operation: Barrier, Ranks: 4, Bytes: 8}, nil)
	require.ErrorContains(t, err, "bytes is 8 (want 0: a barrier moves none)")
	_, err = New("tree", Request{Operation: Barrier, Ranks: 4}, Spec{Pipeline{Chunks: 2}})
	require.ErrorContains(t, err, "chunks, active, scratch, blocking, steps and apart have no effect on a barrier")
}
