package scenario_test

import (
	"fmt"
	"strings"

	"github.com/causeway-sim/causeway/components/registry/named"
	"github.com/causeway-sim/causeway/components/scenario"
	"github.com/causeway-sim/causeway/components/units"
	"github.com/causeway-sim/causeway/workloads/serving"
)

// playServe plays requests on a server that takes a unit of time for each step. The system gives tokens,
// sequences, block, blocks, host, preemption and admission; a line of play is the step from which on a request is there, its
// prompt and its answer, in tokens.
func playServe(sc *scenario.Scenario) (string, error) {
	spec := serving.DefaultSpec()
	spec.Tokens, spec.Sequences, spec.Block, spec.Ahead, spec.Prefix = 8, 4, 4, 0, false
	for _, l := range sc.System {
		if err := serverKey(&spec, l); err != nil {
			return "", err
		}
	}
	var requests []serving.Request
	for _, l := range sc.Play {
		var x [3]int
		for i, w := range l.Words() {
			n, err := l.Number(w)
			if err != nil || i > 2 {
				return "", l.Errorf("want: STEP PROMPT ANSWER")
			}
			x[i] = int(n)
		}
		requests = append(requests, serving.Request{Arrival: units.Time(x[0]), Prompt: x[1], Output: x[2]})
	}
	e, err := serving.New(spec, requests)
	if err != nil {
		return "", err
	}
	var out strings.Builder
	open := len(requests)
	for now := units.Time(0); open > 0; now++ {
		for i := range requests {
			if requests[i].Arrival == now {
				e.Arrive(i)
			}
		}
		if s, ok := e.Schedule(now); ok {
			fmt.Fprintf(&out, "step %d  %s\n", now, stepText(e, s))
			for _, q := range e.Complete(now+1, s) {
				if q.State == serving.Done {
					open--
				}
			}
		}
		if err := e.Check(); err != nil {
			return "", err
		}
		if now > 1000 {
			return "", fmt.Errorf("it never ends")
		}
	}
	fmt.Fprintf(&out, "%d preemptions, %d tokens computed again\n", e.Preemptions, e.Recomputed)
	return out.String(), nil
}

// stepText is what a step computes, and how the sequences stand that have no part in it.
func stepText(e *serving.Engine, s *serving.Step) string {
	in := map[int]bool{}
	text := ""
	for _, p := range s.Parts {
		in[p.Sequence.Index()] = true
		what := fmt.Sprintf("computes %d after %d", p.Tokens, p.Entries)
		if p.Sample {
			what += ", gets a token"
		}
		text += fmt.Sprintf("  | %d %s", p.Sequence.Index(), what)
	}
	for i := range e.Sequences() {
		q := e.Sequence(i)
		if in[i] || q.State == serving.Done || q.State == serving.Coming {
			continue
		}
		text += fmt.Sprintf("  | %d %s", i, q.State)
		if q.Preempted > 0 {
			text += ", was preempted"
		}
	}
	if s.In+s.Out > 0 {
		text += fmt.Sprintf("  | blocks: %d to the host, %d back", s.Out, s.In)
	}
	used, _, all := e.Blocks()
	return strings.TrimPrefix(text, "  ") + fmt.Sprintf("  | %d of %d blocks", used, all)
}

func serverKey(spec *serving.Spec, l scenario.Line) error {
	w := l.Words()
	switch w[0] {
	case "preemption":
		spec.Preempt = serving.PreemptionName{Choice: named.Choice{Name: w[1]}}
		return nil
	case "admission":
		spec.Admit = serving.AdmissionName{Choice: named.Choice{Name: w[1]}}
		return nil
	}
	n, err := l.Number(w[1])
	if err != nil {
		return err
	}
	switch w[0] {
	case "tokens":
		spec.Tokens = int(n)
	case "sequences":
		spec.Sequences = int(n)
	case "block":
		spec.Block = int(n)
	case "blocks":
		spec.Blocks = []int{int(n)}
	case "host":
		spec.Host = int(n)
	default:
		return l.Errorf("no key %q", w[0])
	}
	return nil
}
