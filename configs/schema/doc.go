// Package schema says which keys a mapping of a configuration may have: their types, bounds,
// defaults and texts. It finds them in the struct, called Spec, that the mapping decodes into.
//
//	type Spec struct {
//		Rows int         `yaml:"rows" jsonschema:"minimum=1,maximum=65536" doc:"rows of processing elements"`
//		SRAM units.Bytes `yaml:"sram" jsonschema:"required"`
//	}
//
// Fields lists the keys of a Spec. Of returns its JSON Schema, with the values of the Spec as
// defaults. Keys describes the same for people. A Rule is a schema prepared for checks; package
// configs compares its values with it.
//
// A type that decodes itself is opaque: its fields are no keys. Register sets the schema of such
// a type, and SelfDecoding declares by which interface such a type is known.
//
// An invalid Spec is an error of the program, and panics.
//
// # Left out
//
// This package reads no configuration and knows no values, files or positions: see package
// configs. The schema of a whole configuration is in package configs/editor.
package schema
