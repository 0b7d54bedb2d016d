package schema

// A Kind describes one node kind at one fidelity.
type Kind struct {
	Kind     string
	Fidelity string // "" if the kind has one level only
	Default  bool   // taken where the node names no fidelity
	Doc      string // one sentence
	Spec     any    // struct with the defaults
}

// A Section describes one top-level section of a configuration.
type Section struct {
	Name string // workload
	Doc  string
	Spec any
}
