// Package configs reads configurations: YAML files whose values keep their file, line and column.
//
//	schema: causeway/1
//	extends: base.yaml
//	params: {cores: 4, spec: tpu_v4_core}
//	nodes:
//	  - {name: Core, kind: systolic, count: $cores, preset: $spec, rows: 64}
//
// Load and Parse make a Document: they merge the extended files, apply the --set overrides, fill
// in parameters and presets, and return a tree of Values. This package does not interpret nodes,
// links and sections: components/system and others read them from the tree, report errors with
// Value.Errorf, and fill their Specs with Value.Decode. A Loader reads each file once, for sweeps.
// The keys that a Spec accepts are found by package configs/schema.
// Examples: Example, ExampleValue_Decode, ExampleDocument_Resolved.
//
// # YAML
//
// One document in UTF-8. Plain scalars follow the core schema of YAML 1.2: yes, no, on and off are
// text; so is 1_000; 0x10 and 0o17 are numbers. Forms on which YAML readers disagree are errors
// that name a remedy: 010, .inf and .nan, duplicate keys, keys without a value, tags. Anchors and
// the merge key << work. One file holds at most 2^18 values, anchored ones counted per use, in at
// most 100 levels, and 4096 keys in one mapping. The order of keys in a mapping never matters.
//
// # Parameters
//
// $name as a whole scalar becomes the parameter with its type; ${name} inside a longer text
// becomes its text; $$ is a dollar sign. A parameter may use other parameters. An override has the
// type of the parameter's default; a parameter with the default null has any type and must be
// given. A group sees the document's parameters; its own parameters hide them.
//
// # Merging: extends, presets, elements, overrides
//
// Mappings merge by key and lists of named items by name (memory ranges by tier); other values are
// replaced. A mapping of another name replaces the old one: {name: mesh} inherits nothing from
// {name: dragonfly}. null removes a key, {name: X, remove: true} removes an item. extends takes a
// file, preset:NAME or a list of them; later ones win. An item that is a list stands for the first
// of its files that exists. A preset provides defaults for the node, or
// the mapping inside it, that names it. It is searched in the presets section, then as a file
// (with a / or .yaml), then among the built-in ones.
//
// # Overrides
//
//	cores=8                a parameter (or params.cores)
//	workload.batch=4       a key of a section
//	memory.far.size=64GiB  a key of a named item
//	Core.rows=64           a key of a node, for all its elements
//	Core[2].rows=64        one element; also Core[0..3], Core[0,2], Core[0..71:2]
//	Chip[1].Core.rows=64   inside a group
//	mapping.layers[0].order=mnk
//
// In YAML the last two kinds are spelled
//
//	elements: [{index: 2, rows: 64}]
//	override: {Core: {rows: 64}}
//
// # Errors
//
// All errors are reported at once, each with the place in the file that supplied the value:
//
//	system.yaml:7:5: nodes.Core.rosw: unknown key (want one of: cols, rows; did you mean "rows"?)
//
// The error of a value from a parameter also has the place where the parameter is set. An invalid
// Spec panics, as an error of the program.
//
// # Left out
//
// Comments, expressions ($a*$b), conditions, and includes other than extends.
//
// # Deviations
//
//  1. A relative name under the keys file and *_file in an extended file or an override is
//     rewritten relative to the main file, so that the resolved configuration is complete. File
//     names under other keys are not recognised.
//  2. A preset of the presets section wins over a built-in one of the same name, so a new built-in
//     preset does not change old configurations.
package configs
