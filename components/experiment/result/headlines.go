package result

import (
	"cmp"
	"slices"
	"strings"

	"github.com/causeway-sim/causeway/components/cause"
	"github.com/causeway-sim/causeway/components/stats"
	"github.com/causeway-sim/causeway/components/system"
	"github.com/causeway-sim/causeway/components/units"
	"github.com/causeway-sim/causeway/configs"
)

// Whole lists the headlines of the whole system. A step of training takes the whole time.
var Whole = []system.Headline{
	{Metric: system.StepTime, Unit: stats.NS, Better: system.Less, Label: "time of a step"},
	{Metric: system.TotalTime, Unit: stats.NS, Better: system.Less, Label: TotalTime.Label, Unless: system.StepTime},
	{Metric: "images_per_second", Unit: stats.Rate, Better: system.More, Label: "images per second"},
	{Metric: "tokens_per_second", Unit: stats.Rate, Better: system.More, Label: "tokens per second"},
	{Metric: "energy", Unit: stats.PJ, Better: system.Less, Label: "energy"},
	{Metric: "area", Unit: stats.MM2, Better: system.Less, Label: "area"},
	{Metric: "cost", Unit: stats.USD, Better: system.Less, Label: "cost"},
	{Metric: "carbon_embodied", Unit: stats.Gram, Better: system.Less, Label: "embodied carbon"},
	{Metric: "carbon_operational", Unit: stats.Gram, Better: system.Less, Label: "operational carbon"},
}

// An Asked is a main metric of a run with its headline.
type Asked struct {
	Key   string // Key
	Where string
	Of    stats.Metric // the metric itself
	system.Headline
	Subject system.Subject
	place   int // among the headlines of the kind
}

// Headlines returns the main metrics among ms, the most important first, as declared by the kinds
// of the nodes. config is the resolved configuration.
func Headlines(config []byte, ms []stats.Metric) (out []Asked) {
	kinds := kindsOf(config)
	for _, m := range ms {
		subject, all := kinds.whole, Whole
		switch m.Unit {
		case stats.PJ, stats.MM2, stats.USD, stats.Gram:
			subject = system.OfCosts
		}
		if m.Where != "" {
			k, ok := kinds.of(m.Where)
			if !ok {
				continue
			}
			subject, all = k.Subject, k.Headlines
		}
		i := slices.IndexFunc(all, func(h system.Headline) bool { return h.Metric == m.Name && cmp.Or(h.Phase, "all") == m.Phase })
		if i < 0 || all[i].Unless != "" && meaningless(ms, m, all[i].Unless) {
			continue
		}
		out = append(out, Asked{Key(m), m.Where, m, all[i], subject, i})
	}
	slices.SortStableFunc(out, func(a, b Asked) int {
		return cmp.Or(cmp.Compare(a.Subject, b.Subject), cmp.Compare(min(len(a.Where), 1), min(len(b.Where), 1)), cmp.Compare(a.place, b.place), configs.CompareNames(a.Where, b.Where))
	})
	return out
}

// Headlines returns the main metrics of the run, the most important first.
func (r *Result) Headlines() []Asked { return Headlines(r.Config, r.Metrics) }

// Headline returns the declared headline of a metric by its key, of any kind of node: the most
// important one. place is its rank among all declared headlines, lowest first.
func Headline(key string) (h system.Headline, place int, ok bool) {
	name, _, _ := strings.Cut(key, "@")
	whole := !strings.Contains(name, ".")
	name = name[strings.LastIndexByte(name, '.')+1:]
	if i := slices.IndexFunc(Whole, func(h system.Headline) bool { return h.Metric == name }); i >= 0 && whole {
		return Whole[i], i, true
	}
	place = 1 << 20
	for _, e := range system.Kinds.Entries() {
		for i, x := range e.New.Headlines {
			if at := len(Whole) + 32*int(e.New.Subject) + i; x.Metric == name && at < place {
				h, place, ok = x, at, true
			}
		}
	}
	return h, place, ok
}

// Clocks returns a function from the name of a node to its clock; ok is false if the resolved
// configuration has none.
func (r *Result) Clocks() func(where string) (f units.Frequency, ok bool) {
	k := kindsOf(r.Config)
	return func(where string) (units.Frequency, bool) {
		f, ok := k.clocks[cause.Base(where)]
		return f, ok
	}
}

// DefaultClocks is Clocks for nodes that name no clock: that of their kind.
func (r *Result) DefaultClocks() func(where string) (f units.Frequency, ok bool) {
	k := kindsOf(r.Config)
	return func(where string) (units.Frequency, bool) {
		f, ok := k.of(where)
		return f.Clock, ok && !f.Clock.IsZero()
	}
}

// meaningless reports whether another metric, of the node or of the system, takes the meaning from m.
func meaningless(ms []stats.Metric, m stats.Metric, unless string) bool {
	return slices.ContainsFunc(ms, func(o stats.Metric) bool {
		return o.Name == unless && (o.Where == m.Where || o.Where == "") && o.Phase == m.Phase && o.Value != 0
	})
}

// kinds are those of the nodes of a configuration, by name without indices: Chip.Core.
type kinds struct {
	byName map[string]system.Factory
	clocks map[string]units.Frequency // of the nodes that name one
	whole  system.Subject             // of the system as a whole
}

func (k kinds) of(where string) (system.Factory, bool) {
	f, ok := k.byName[cause.Base(where)]
	return f, ok
}

// kindsOf reads the kinds of the nodes of a resolved configuration; none if it cannot be read.
func kindsOf(config []byte) kinds {
	out := kinds{map[string]system.Factory{}, map[string]units.Frequency{}, system.OfPrograms}
	root, err := configs.ParseValue("config.resolved.yaml", config)
	if err != nil {
		return out
	}
	if root.Get("workload").Exists() || root.Get("workloads").Exists() {
		out.whole = system.OfWork
	}
	out.add(root, root.Get("nodes"), "")
	return out
}

// add adds the nodes of a list, and those inside groups.
func (k *kinds) add(root, nodes configs.Value, prefix string) {
	for _, n := range nodes.Items() {
		name := prefix + n.Get("name").Text()
		if g := n.Get("group"); g.Exists() && strings.Count(prefix, ".") < 8 {
			k.add(root, root.Get("groups").Get(g.Text()).Get("nodes"), name+".")
			continue
		}
		k.note(root, n, name)
		if inner := n.Get("memory"); inner.Kind() == configs.Map {
			k.note(root, inner, name+".Memory")
		}
	}
}

// note adds the kind of one node, from the node or its preset.
func (k *kinds) note(root, n configs.Value, name string) {
	kind, fidelity, rate := n.Get("kind"), n.Get("fidelity").Text(), n.Get("clock").Text()
	if preset := root.Get("presets").Get(n.Get("preset").Text()); !kind.Exists() && preset.Exists() {
		kind, fidelity, rate = preset.Get("kind"), cmp.Or(fidelity, preset.Get("fidelity").Text()), cmp.Or(rate, preset.Get("clock").Text())
	}
	if f, err := units.ParseFrequency(rate); err == nil {
		k.clocks[name] = f
	}
	levels := system.Fidelities(kind.Text())
	for _, f := range levels {
		if f.Fidelity == fidelity || fidelity == "" && f.Default {
			k.byName[name] = f
			return
		}
	}
	if len(levels) > 0 { // a fidelity that a parameter gives: what a reader asks is nearly the same
		k.byName[name] = levels[0]
	}
}
