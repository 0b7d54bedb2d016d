// Package named reads a configuration key that chooses an implementation of a registry: its name,
// or a mapping of its name and parameters.
//
//	policy: fcfs
//	policy: {name: edf, preempt: true}
//
// To make a key, embed Choice in a type, call Read in its UnmarshalConfig, and register Schema for
// it (schema.RegisterFunc). workloads/schedule.PolicyName is one:
//
//	type PolicyName struct{ named.Choice }
//
//	func (p *PolicyName) UnmarshalConfig(v configs.Value) (err error) {
//		p.Choice, err = named.Read(v, "scheduling policy", Policies)
//		return err
//	}
//
// An unknown name, and a parameter that the implementation does not have, are errors with file, line and
// column. Left out: making the implementation (the registry's entry does it) and bounds of parameters
// (the implementation checks them).
package named

import (
	"github.com/causeway-sim/causeway/components/registry"
	"github.com/causeway-sim/causeway/configs"
	"github.com/causeway-sim/causeway/configs/schema"
)

// A Choice is the name of an entry of a registry and its parameters.
type Choice struct {
	Name string
	Spec any // the parameters, of the type of the entry's Spec; nil if it takes none
}

// String is the name.
func (n Choice) String() string { return n.Name }

// Read reads the name of an entry and its parameters. An unknown name or key is an error at its
// place in the file. The text what names the extension point in errors, for example "scheduling
// policy".
func Read[F any](v configs.Value, what string, all *registry.Registry[F]) (Choice, error) {
	name, err := v.Choice(what, all.Names())
	if err != nil {
		return Choice{}, err
	}
	e, _ := all.Entry(name)
	spec, err := v.Parameters(e.Spec)
	return Choice{name, spec}, err
}

// Schema is the JSON Schema of such a key; title is for example "a scheduling policy". Its example
// is the first name.
func Schema[F any](title string, all *registry.Registry[F]) schema.Schema {
	return schema.Schema{
		"title": title + ": its name and parameters", "examples": []any{all.Names()[0]},
		"anyOf": []any{
			schema.Schema{"type": "string", "enum": all.Names()},
			schema.Schema{"type": "object", "required": []any{"name"}},
		},
	}
}
