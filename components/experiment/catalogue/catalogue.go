package catalogue

import (
	"strings"

	"github.com/causeway-sim/causeway/accelerators/dataflow"
	"github.com/causeway-sim/causeway/accelerators/mapping"
	"github.com/causeway-sim/causeway/accelerators/nearmem/offload"
	"github.com/causeway-sim/causeway/accelerators/skip"
	"github.com/causeway-sim/causeway/components/cost"
	"github.com/causeway-sim/causeway/components/experiment"
	"github.com/causeway-sim/causeway/components/experiment/demand"
	"github.com/causeway-sim/causeway/components/experiment/evaluation"
	"github.com/causeway-sim/causeway/components/explore"
	"github.com/causeway-sim/causeway/components/registry"
	"github.com/causeway-sim/causeway/components/system"
	"github.com/causeway-sim/causeway/configs"
	"github.com/causeway-sim/causeway/configs/editor"
	files "github.com/causeway-sim/causeway/configs/presets"
	"github.com/causeway-sim/causeway/configs/schema"
	"github.com/causeway-sim/causeway/memory/cache/prefetch"
	"github.com/causeway-sim/causeway/memory/policy"
	"github.com/causeway-sim/causeway/memory/tiering/placement"
	"github.com/causeway-sim/causeway/noc/allocator"
	"github.com/causeway-sim/causeway/noc/collective"
	"github.com/causeway-sim/causeway/noc/congestion"
	"github.com/causeway-sim/causeway/noc/routing"
	"github.com/causeway-sim/causeway/noc/topology"
	"github.com/causeway-sim/causeway/noc/traffic"
	"github.com/causeway-sim/causeway/workloads/comm"
	"github.com/causeway-sim/causeway/workloads/comm/motif"
	"github.com/causeway-sim/causeway/workloads/format"
	"github.com/causeway-sim/causeway/workloads/player/seat"
	"github.com/causeway-sim/causeway/workloads/schedule"
	"github.com/causeway-sim/causeway/workloads/service"
	"github.com/causeway-sim/causeway/workloads/serving"
	"github.com/causeway-sim/causeway/workloads/synthetic"
	"github.com/causeway-sim/causeway/workloads/trace"
	"github.com/causeway-sim/causeway/workloads/zoo"
)

// An Item is one registered implementation with its documentation.
type Item struct {
	What, Name, Doc, Source string
	Keys                    []schema.Key
	Text                    string // the file of a preset
}

// A Section is all items of one extension point.
type Section struct {
	What  string
	Items []Item
}

// Plural is the plural name of its items: kinds, topologies.
func (s Section) Plural() string {
	if word, ok := strings.CutSuffix(s.What, "y"); ok {
		return word + "ies"
	}
	return s.What + "s"
}

// All lists everything that is registered, by extension point.
func All() []Section { return catalogue(true) }

// Index is All without keys, which are slow to collect.
func Index() []Section { return catalogue(false) }

func catalogue(keys bool) []Section {
	out := make([]Section, 0, len(sections)+2)
	for _, s := range sections {
		out = append(out, s.of(keys))
	}
	return append(out, presetSection(), languageSection(keys))
}

// IndexOf returns the section of an extension point in Index; ok is false if there is none.
func IndexOf(what string) (s Section, ok bool) {
	for _, x := range sections {
		if x.what == what {
			return x.of(false), true
		}
	}
	switch what {
	case "preset":
		return presetSection(), true
	case "section":
		return languageSection(false), true
	}
	return s, false
}

// languageSection lists the sections of a configuration besides its nodes and links.
func languageSection(keys bool) Section {
	out := Section{What: "section"}
	for _, s := range languageSections() {
		it := Item{What: "section", Name: s.Name, Doc: s.Doc}
		if keys && s.Spec != nil {
			it.Keys = schema.Keys(s.Spec)
		}
		out.Items = append(out.Items, it)
	}
	return out
}

func presetSection() Section {
	presets := Section{What: "preset"}
	for _, p := range configs.Presets() {
		text, _ := files.FS.ReadFile(p.Name + ".yaml") // it was found there
		it := Item{What: "preset", Name: p.Name, Doc: p.Doc, Source: p.Source, Text: string(text)}
		if p.Kind == "" {
			it.Doc = "A whole system, for extends: preset:" + p.Name + "."
		}
		presets.Items = append(presets.Items, it)
	}
	return presets
}

// sections are the extension points that have a registry. The keys of an entry take time to
// find, so of returns them only when keys is set.
var sections = []struct {
	what string
	of   func(keys bool) Section
}{
	{"kind", func(k bool) Section { return sectionOf("kind", system.Kinds, k) }},
	{"model", func(k bool) Section { return sectionOf("model", zoo.All, k) }},
	{"dataflow", func(k bool) Section { return sectionOf("dataflow", dataflow.All, k) }},
	{"format", func(k bool) Section { return sectionOf("format", format.All, k) }},
	{"trace", func(k bool) Section { return sectionOf("trace", trace.All, k) }},
	{"topology", func(k bool) Section { return sectionOf("topology", topology.All, k) }},
	{"routing", func(k bool) Section { return sectionOf("routing", routing.All, k) }},
	{"congestion", func(k bool) Section { return sectionOf("congestion", congestion.All, k) }},
	{"allocator", func(k bool) Section { return sectionOf("allocator", allocator.All, k) }},
	{"pattern", func(k bool) Section { return sectionOf("pattern", traffic.All, k) }},
	{"generator", func(k bool) Section { return sectionOf("generator", synthetic.Layers, k) }},
	{"policy", func(k bool) Section { return sectionOf("policy", policy.All, k) }},
	{"prefetcher", func(k bool) Section { return sectionOf("prefetcher", prefetch.All, k) }},
	{"placement", func(k bool) Section { return sectionOf("placement", placement.All, k) }},
	{"communication", func(k bool) Section { return sectionOf("communication", comm.All, k) }},
	{"motif", func(k bool) Section { return sectionOf("motif", motif.All, k) }},
	{"collective", func(k bool) Section { return sectionOf("collective", collective.All, k) }},
	{"offload", func(k bool) Section { return sectionOf("offload", offload.All, k) }},
	{"service", func(k bool) Section { return sectionOf("service", service.All, k) }},
	{"method", func(k bool) Section { return sectionOf("method", explore.All, k) }},
	{"scheduler", func(k bool) Section { return sectionOf("scheduler", schedule.Policies, k) }},
	{"admission", func(k bool) Section { return sectionOf("admission", serving.Admissions, k) }},
	{"preemption", func(k bool) Section { return sectionOf("preemption", serving.Preemptions, k) }},
	{"rule", func(k bool) Section { return sectionOf("rule", serving.AllRules, k) }},
	{"arrival", func(k bool) Section { return sectionOf("arrival", schedule.Arrivals, k) }},
	{"yield", func(k bool) Section { return sectionOf("yield", cost.Yields, k) }},
	{"distribution", func(k bool) Section { return sectionOf("distribution", skip.Distributions, k) }},
}

// Names lists the extension points.
func Names() []string {
	var out []string
	for _, s := range sections {
		out = append(out, (&Section{What: s.what}).Plural())
	}
	return append(out, (&Section{What: "preset"}).Plural(), (&Section{What: "section"}).Plural())
}

func sectionOf[F any](what string, r *registry.Registry[F], keys bool) Section {
	s := Section{What: what}
	for _, e := range r.Entries() {
		it := Item{What: what, Name: e.Name, Doc: e.Doc, Source: e.Source}
		if keys && e.Spec != nil {
			it.Keys = schema.Keys(e.Spec)
		}
		s.Items = append(s.Items, it)
	}
	return s
}

// Find returns the items called name. The name of a kind finds all its fidelities.
func Find(name string) []Item {
	var out []Item
	for _, s := range All() {
		for _, it := range s.Items {
			base, _, _ := strings.Cut(it.Name, "/")
			if it.Name == name || it.What == "kind" && base == name {
				out = append(out, it)
			}
		}
	}
	return out
}

// Nearest returns the registered name closest to name, or "".
func Nearest(name string) string {
	var all []string
	for _, s := range Index() {
		for _, it := range s.Items {
			all = append(all, it.Name)
		}
	}
	return configs.Nearest(name, all)
}

// Schema is the JSON Schema of the whole language with every built-in kind.
func Schema() ([]byte, error) {
	var kinds []schema.Kind
	for _, e := range system.Kinds.Entries() {
		kinds = append(kinds, schema.Kind{Kind: e.New.Kind, Fidelity: e.New.Fidelity, Default: e.New.Default, Doc: e.Doc, Spec: e.Spec})
	}
	return editor.Schema(kinds, languageSections()...)
}

// languageSections are the top-level sections that the schema describes.
func languageSections() []schema.Section {
	return append(append(system.Sections(), evaluation.Schemas()...),
		schema.Section{Name: "workload", Doc: "The network that runs.", Spec: demand.Spec{}},
		schema.Section{Name: "collectives", Doc: "Algorithms of the collectives of all ranks.", Spec: seat.Collectives{}},
		schema.Section{Name: "mapping", Doc: "How work is split over cores and cut into tiles.", Spec: mapping.DefaultSpec()},
		schema.Section{Name: "simulation", Doc: "Seed and extent of the run.", Spec: experiment.SimulationSpec{}},
	)
}
