package system

import (
	"cmp"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"sync"

	"github.com/causeway-sim/causeway/components/registry"
	"github.com/causeway-sim/causeway/components/units"
	"github.com/causeway-sim/causeway/configs"
)

// Value is a value of the configuration with its place.
type Value = configs.Value

// A Kind registers one fidelity of a node kind. S is its Spec: a struct whose
// yaml tags are the accepted keys and whose field docs carry the units.
type Kind[S any] struct {
	Name            string // "memory"
	Fidelity        string // "ideal"; "" where the kind has one level only
	DefaultFidelity bool   // taken where the node has no fidelity key
	Doc             string // one sentence
	Source          string // paper and section, or standard
	Default         S
	Works           bool // its nodes carry out workloads
	// Files are the keys whose values name input files of the node, besides file and
	// those that end with _file.
	Files []string
	// Beside finds further input files of the node, which lie in the folder of the file
	// that a key names; "" is none. It may be nil.
	Beside func(key, file string) []string
	// Program is set if nodes stand for programs or for load, which are no hardware: they have no
	// energy of their own.
	Program bool
	// Searches is set if nodes search for mappings, with keys under search.
	Searches bool
	// Subject is the rank of the kind in reports, and Headlines are its main metrics, the most
	// important first.
	Subject   Subject
	Headlines []Headline
	// Goal names the headline by which a run is judged if such a node sets the work: TotalTime if
	// the run ends when the work is done, another metric if the time is given. Nil: such nodes set
	// no work.
	Goal func(s S) string
	// Levers are the changes of a node that may help a run. Nil: there are none.
	Levers func(s S) []Lever
	// New makes the node. v is the node's mapping, for errors with the place of a key:
	// v.Get("rows").Errorf(...).
	New func(env *Env, name string, s S, v configs.Value) (Node, error)
}

// A Factory is the registered form of a Kind.
type Factory struct {
	Kind, Fidelity string
	Default        bool     // the fidelity of nodes that name none
	Works          bool     // as Kind has it
	Keys           []string // accepted besides those of the language
	Files          []string // as Kind has it
	Beside         func(key, file string) []string
	Searches       bool
	Program        bool // as Kind has it
	Subject        Subject
	Headlines      []Headline
	Clock          units.Frequency // of a node without the key clock; zero: it has none of its own
	// Goal and Levers are those of Kind, called with the result of Decode; never nil. Goal returns
	// "" for a node that sets no work.
	Goal   func(spec any) string
	Levers func(spec any) []Lever
	// Decode reads the Spec out of a node's mapping.
	Decode func(v configs.Value) (spec any, err error)
	// New makes a node from what Decode returned. Several nodes may be made
	// from one Spec, so it is read-only.
	New func(env *Env, name string, spec any, v configs.Value) (Node, error)
}

// Kinds holds every node kind, one entry per fidelity, named "memory/ideal" or
// just "systolic" where there is no fidelity.
var Kinds = registry.New[Factory]("node kind")

// nodeKeys are the keys that belong to the language, not to the kind.
var nodeKeys = []string{"name", "kind", "fidelity", "preset", "count", "elements"}

// clockOf is the value of the key clock in a Spec.
func clockOf(spec any) (f units.Frequency) {
	v := reflect.ValueOf(spec)
	for i := range v.NumField() {
		if name, _, _ := strings.Cut(v.Type().Field(i).Tag.Get("yaml"), ","); name == "clock" {
			f, _ = v.Field(i).Interface().(units.Frequency)
		}
	}
	return f
}

// Register adds one fidelity of a node kind, in an init. It panics where two
// registrations disagree, which is an error of the program.
func Register[S any](k Kind[S]) {
	keys := specKeys(reflect.TypeFor[S]())
	for _, key := range keys {
		if slices.Contains(nodeKeys, key) {
			panic(fmt.Sprintf("system: kind %s: key %q belongs to the language", k.Name, key))
		}
	}
	if k.DefaultFidelity {
		for _, f := range Fidelities(k.Name) {
			if f.Default {
				panic(fmt.Sprintf("system: kind %s: default fidelities %s and %s", k.Name, f.Fidelity, k.Fidelity))
			}
		}
	}
	Kinds.Add(registry.Entry[Factory]{
		Name: kindName(k.Name, k.Fidelity), Doc: k.Doc, Source: k.Source, Spec: k.Default,
		New: Factory{
			Kind: k.Name, Fidelity: k.Fidelity, Default: k.DefaultFidelity || k.Fidelity == "", Works: k.Works, Keys: keys, Files: k.Files, Beside: k.Beside, Searches: k.Searches, Program: k.Program,
			Subject: k.Subject, Headlines: k.Headlines, Clock: clockOf(k.Default),
			Goal: func(spec any) string {
				if k.Goal == nil {
					return ""
				}
				return k.Goal(spec.(S))
			},
			Levers: func(spec any) []Lever {
				if k.Levers == nil {
					return nil
				}
				return k.Levers(spec.(S))
			},
			Decode: func(v configs.Value) (any, error) {
				spec := k.Default
				err := v.Decode(&spec, configs.Beside(nodeKeys...))
				return spec, err
			},
			New: func(env *Env, name string, spec any, v configs.Value) (Node, error) {
				return k.New(env, name, spec.(S), v)
			},
		},
	})
}

func kindName(kind, fidelity string) string {
	if fidelity == "" {
		return kind
	}
	return kind + "/" + fidelity
}

// KindNames lists the kinds without their fidelities, sorted.
func KindNames() []string {
	var out []string
	for _, e := range Kinds.Entries() {
		out = append(out, e.New.Kind)
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// WorkerKinds lists the kinds whose nodes carry out workloads, sorted.
func WorkerKinds() []string {
	var out []string
	for _, e := range Kinds.Entries() {
		if e.New.Works {
			out = append(out, e.New.Kind)
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// Fidelities lists the levels of a kind by name. The list is shared: callers must not change it.
func Fidelities(kind string) []Factory {
	known, ok := fidelities.Load(kind)
	if !ok || known.(levels).of != Kinds.Len() { // registered since
		known = levels{Kinds.Len(), listFidelities(kind)}
		fidelities.Store(kind, known)
	}
	return known.(levels).list
}

// fidelities caches the results of Fidelities by kind, because every node of every point of a
// sweep needs them.
var fidelities sync.Map

// levels are those of one kind, found among so many factories.
type levels struct {
	of   int
	list []Factory
}

func listFidelities(kind string) []Factory {
	var out []Factory
	for _, e := range Kinds.Entries() {
		if e.New.Kind == kind {
			out = append(out, e.New)
		}
	}
	slices.SortFunc(out, func(a, b Factory) int { return cmp.Compare(a.Fidelity, b.Fidelity) })
	return slices.Clip(out)
}

// specKeys lists the keys of a Spec, those of inlined structs included.
func specKeys(t reflect.Type) []string {
	for t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	if t.Kind() != reflect.Struct {
		panic(fmt.Sprintf("system: Spec %s is no struct", t))
	}
	var out []string
	for f := range t.Fields() {
		tag, opts, _ := strings.Cut(f.Tag.Get("yaml"), ",")
		switch {
		case strings.Contains(opts, "inline"), f.Anonymous && tag == "" && f.Type.Kind() == reflect.Struct:
			out = append(out, specKeys(f.Type)...)
		case !f.IsExported() || tag == "-":
		case tag == "":
			panic(fmt.Sprintf("system: Spec %s: field %s has no yaml tag", t, f.Name))
		default:
			out = append(out, tag)
		}
	}
	return out
}
