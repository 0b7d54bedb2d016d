package explain

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/causeway-sim/causeway/components/experiment"
	"github.com/causeway-sim/causeway/components/experiment/result"
	"github.com/causeway-sim/causeway/components/experiment/sweep"
	"github.com/causeway-sim/causeway/components/stats"
	"github.com/causeway-sim/causeway/components/system"
	"github.com/causeway-sim/causeway/configs"
	"github.com/causeway-sim/causeway/workloads/schedule"
)

// FileName is the file of an explanation in the folder of a run.
const FileName = "explain.json"

// Schema names the layout of FileName.
const Schema = "causeway-explain/1"

// Options say how to explain a run.
type Options struct {
	Set     []string // settings of all runs, as after --set
	Most    int      // runs at most besides the base; 0 is no limit
	Whole   bool     // runs are not shortened
	Confirm bool     // the base and the best change are also run as a whole
	Workers int      // runs at a time; 0 is 1
	// Done is called after each run, from any goroutine, with how many there are in all.
	Done func(total int)
}

// DefaultMost is how many changes are tried unless more are asked for.
const DefaultMost = 8

// An Explanation says what would help a run.
type Explanation struct {
	Schema   string         `json:"schema"`
	Base     Base           `json:"base"`
	Levers   []LeverResult  `json:"levers"`             // single changes, best first
	Together *LeverResult   `json:"together,omitempty"` // changes that do more at once than one by one
	Short    []string       `json:"short,omitempty"`    // settings by which all runs are shorter
	Sampled  []string       `json:"sampled,omitempty"`  // what they simulate in place of all, and the error that is known of it
	Refused  []RefusedLever `json:"left_out,omitempty"`
	Untried  []string       `json:"untried,omitempty"` // beyond Options.Most
	Sentence string         `json:"sentence"`

	Confirmed *Confirmed `json:"confirmed,omitempty"` // by whole runs, where Options.Confirm is set
}

// A Base is what the changes are held against.
type Base struct {
	Identity string     `json:"identity"` // of the run without a change
	Metric   string     `json:"metric"`   // that ratios are of
	Nodes    int        `json:"nodes"`    // that it is of, together
	Value    float64    `json:"value"`
	Unit     stats.Unit `json:"unit"`
	Better   string     `json:"better"` // less or more
	Label    string     `json:"label"`
}

// A LeverResult is a change that was tried.
type LeverResult struct {
	Set   string   `json:"set"`            // PATH=VALUE
	Sets  []string `json:"sets,omitempty"` // where several settings make the change
	Name  string   `json:"lever"`          // in words
	Node  string   `json:"node,omitempty"`
	Ratio float64  `json:"ratio"` // above 1: it helps
	Value float64  `json:"value"` // of the base's metric
	// Work is how many times the run does the work of the base, where that is not once: the
	// ratio is that for the same work.
	Work float64 `json:"work,omitempty"`

	of lever
}

// File explains a configuration that loader reads.
func File(ctx context.Context, loader *experiment.Loader, file string, o Options) (*Explanation, error) {
	x, err := loader.Open(file, o.Set)
	if err != nil {
		return nil, err
	}
	made, err := experiment.Abandon(ctx, x.Made)
	if err != nil {
		return nil, err
	}
	all, left := leversOf(made)
	for _, l := range x.Levers() {
		all = append([]lever{{text: l.Text, sets: l.Sets, work: l.Work}}, all...)
	}
	out := &Explanation{Schema: Schema, Levers: []LeverResult{}, Refused: left}
	part := shorter(ctx, loader, file, x, o)
	out.Short = part.Set
	set := slices.Concat(o.Set, out.Short)
	single := 1 + len(all)
	if o.Most > 0 {
		single = min(single, 1+o.Most)
	}
	total := single
	try := func(ls []lever, sets ...[]string) []sweep.Trial {
		for _, l := range ls {
			sets = append(sets, slices.Concat(set, l.sets))
		}
		return sweep.Try(ctx, loader, file, sets, max(o.Workers, 1), func() {
			if o.Done != nil {
				o.Done(total)
			}
		})
	}
	first := min(1, len(all)) // besides the base; what it shows decides on the others
	trials := try(all[:first], set)
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	base := trials[0]
	if base.Err != nil {
		return nil, base.Err
	}
	if base.Result.Status != result.Complete {
		return nil, fmt.Errorf("the run itself is %s: %s", base.Result.Status, base.Result.Reason)
	}
	goal, err := x.Goal(base.Result)
	if err != nil {
		return nil, err
	}
	idleLast(all[first:], base.Result.Causes)
	for _, l := range all[single-1:] {
		out.Untried = append(out.Untried, l.name())
	}
	all = all[:single-1]
	trials = append(trials, try(all[first:])...)
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	if err := out.judge(x.Identity(), goal, all, trials); err != nil {
		return nil, err
	}
	out.together(goal, func(l lever) sweep.Trial {
		total++
		return try([]lever{l})[0]
	})
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	out.Sampled = sampledIn(part, base.Result)
	out.Sentence = out.sentence()
	if o.Confirm {
		return out, out.confirm(ctx, loader, file, x, o)
	}
	return out, nil
}

// shorter is the part that stands for the run, where the nodes can do it.
func shorter(ctx context.Context, loader *experiment.Loader, file string, x *experiment.Experiment, o Options) experiment.Part {
	part := x.Shorter()
	if o.Whole || part.Set == nil {
		return experiment.Part{}
	}
	with, err := loader.Open(file, slices.Concat(o.Set, part.Set))
	if err == nil {
		_, err = experiment.Abandon(ctx, with.Made)
	}
	if err != nil {
		return experiment.Part{}
	}
	return part
}

// sampledIn says what the runs are of where they are not whole: the part, and what the base takes
// as equal, with the error that it has measured.
func sampledIn(part experiment.Part, base *result.Result) (out []string) {
	if part.Text != "" {
		out = append(out, part.Text)
	}
	if part.Set == nil {
		return nil
	}
	for _, s := range base.Assumptions {
		if strings.Contains(s, schedule.TakenAsEqual) {
			out = append(out, s)
		}
	}
	return out
}

// JSON is the content of FileName.
func (e *Explanation) JSON() ([]byte, error) {
	b, err := json.MarshalIndent(e, "", " ")
	return append(b, '\n'), err
}

// judge fills in what the trials show; the first is the base.
func (e *Explanation) judge(identity string, goal result.Goal, all []lever, trials []sweep.Trial) error {
	value, ok := goal.Of(trials[0].Result)
	if !ok || value == 0 {
		return fmt.Errorf("the run has no %s to explain", goal.Key())
	}
	e.Base = Base{identity, goal.Key(), len(goal.Where), value, goal.Unit, goal.Better.String(), goal.Label}
	for i, l := range all {
		one, why := e.result(goal, l, trials[i+1])
		if why != "" {
			e.Refused = append(e.Refused, RefusedLever{l.name(), why})
			continue
		}
		e.Levers = append(e.Levers, one)
	}
	bestFirst(e.Levers)
	return nil
}

// bestFirst sorts changes by what they do.
func bestFirst(ls []LeverResult) {
	slices.SortStableFunc(ls, func(a, b LeverResult) int { return cmp.Compare(b.Ratio, a.Ratio) })
}

// All are the single changes and, if there is one, the joint change, best first.
func (e *Explanation) All() []LeverResult {
	out := slices.Clone(e.Levers)
	if e.Together != nil {
		out = append(out, *e.Together)
		bestFirst(out)
	}
	return out
}

// result says what a change does, or why there is nothing to say.
func (e *Explanation) result(goal result.Goal, l lever, t sweep.Trial) (LeverResult, string) {
	v, why := outcome(goal, t)
	if why != "" {
		return LeverResult{}, why
	}
	out := LeverResult{Set: l.sets[0], Name: l.name(), Node: l.node, Ratio: goal.Gain(e.Base.Value, v), Value: v, of: l}
	if len(l.sets) > 1 {
		out.Sets = l.sets
	}
	if l.work != 1 && goal.Better == system.Less {
		out.Ratio, out.Work = out.Ratio*l.work, l.work
	}
	return out, ""
}

// together adds the limits that bind together, if there are any (inSeries).
func (e *Explanation) together(goal result.Goal, try func(lever) sweep.Trial) {
	runs := map[string]LeverResult{}
	l, ok := inSeries(e.Levers, func(l lever) float64 {
		one, _ := e.result(goal, l, try(l))
		runs[l.name()] = one
		return one.Ratio
	})
	if ok {
		both := runs[l.name()]
		e.Together = &both
	}
}

// outcome is the goal's value of a trial, or why there is none.
func outcome(goal result.Goal, t sweep.Trial) (v float64, why string) {
	switch {
	case t.Err != nil:
		return 0, reason(t.Err)
	case t.Result.Status != result.Complete:
		return 0, string(t.Result.Status) + ": " + t.Result.Reason
	}
	v, ok := goal.Of(t.Result)
	switch {
	case !ok && goal.Unless != "":
		return 0, "with it the run is " + goal.Unless
	case !ok || v == 0 || math.IsNaN(v):
		return 0, "the run has no " + goal.Key()
	}
	return v, ""
}

// reason is an error in one line, without the place on the command line.
func reason(err error) string {
	for _, one := range configs.Each(err) {
		if e, ok := errors.AsType[*configs.Error](one); ok {
			err = errors.New(e.Msg)
			break
		}
	}
	line, _, _ := strings.Cut(err.Error(), "\n")
	return line
}
