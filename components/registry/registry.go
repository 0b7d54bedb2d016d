// Package registry holds the named implementations of one extension point, for example all
// replacement policies.
//
//	var Policies = registry.New[func(ways int) Policy]("replacement policy")
//	Policies.Add(registry.Entry[func(ways int) Policy]{Name: "lru", Doc: "Evicts the line used longest ago.", New: newLRU})
//	e, ok := Policies.Entry("lru")
//
// An entry has all documentation of an implementation: a sentence, the source, the accepted keys.
// `causeway list`, `causeway describe`, the JSON Schema and the reference pages are generated from
// it. Entries are added in init functions; there is no removal and no lock.
package registry

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// An Entry is one implementation of an extension point.
type Entry[F any] struct {
	Name   string
	Doc    string // one sentence: what it does
	Source string // paper and section, or standard, that the behaviour is taken from
	Spec   any    // struct value with the defaults; its yaml tags are the accepted keys; nil if it takes none
	New    F
}

// A Registry holds the implementations of one extension point.
type Registry[F any] struct {
	what    string
	entries map[string]Entry[F]
}

// New returns an empty registry. The text what names the extension point in messages, for example
// "replacement policy".
func New[F any](what string) *Registry[F] {
	return &Registry[F]{what: what, entries: map[string]Entry[F]{}}
}

// Add registers an implementation. It panics if the name is empty or taken, or if Doc is empty:
// these are errors of the program, not of a configuration.
func (r *Registry[F]) Add(e Entry[F]) {
	if e.Name == "" || e.Doc == "" {
		panic(fmt.Sprintf("registry: %s %q lacks a name or a doc", r.what, e.Name))
	}
	if _, dup := r.entries[e.Name]; dup {
		panic(fmt.Sprintf("registry: %s %q registered twice", r.what, e.Name))
	}
	r.entries[e.Name] = e
}

// Names lists the registered names, sorted.
func (r *Registry[F]) Names() []string { return slices.Sorted(maps.Keys(r.entries)) }

// Len returns the number of implementations.
func (r *Registry[F]) Len() int { return len(r.entries) }

// Entry returns the implementation called name.
func (r *Registry[F]) Entry(name string) (Entry[F], bool) { e, ok := r.entries[name]; return e, ok }

// Find is like Entry, with an error that names the entries there are.
func (r *Registry[F]) Find(name string) (Entry[F], error) {
	e, ok := r.entries[name]
	if !ok {
		return e, fmt.Errorf("unknown %s %q (want one of: %s)", r.what, name, strings.Join(r.Names(), ", "))
	}
	return e, nil
}

// Entries lists all implementations by name.
func (r *Registry[F]) Entries() []Entry[F] {
	out := make([]Entry[F], 0, len(r.entries))
	for _, n := range r.Names() {
		out = append(out, r.entries[n])
	}
	return out
}

// SpecOf returns spec, an S or a pointer to one, or def if it is nil. A spec of another type is an
// error. Factories read with it the parameters that they are given.
func SpecOf[S any](spec any, def S) (S, error) {
	switch s := spec.(type) {
	case nil:
		return def, nil
	case S:
		return s, nil
	case *S:
		return *s, nil
	}
	return def, fmt.Errorf("spec is a %T, want a %T", spec, def)
}
