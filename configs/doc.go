// Package configs reads configurations: YAML in which every value knows its
// file, line and column.
//
//	schema: causeway/1
//	extends: base.yaml
//	params: {cores: 4, spec: tpu_v4_core}
//	nodes:
//	  - {name: Core, kind: systolic, count: $cores, preset: $spec, rows: 64}
//
// Load and Parse make a Document: they merge what the file extends below it,
// carry out the --set overrides, fill in parameters and presets, and leave a
// tree of Values. What nodes, links and sections mean is not known here;
// components/system and others read it off the tree, complain with
// Value.Errorf, and fill their Specs with Value.Decode. A Loader reads each
// file once, which is what a sweep uses.
//
// # YAML
//
// One document in UTF-8. Plain scalars follow the core schema of YAML 1.2:
// yes, no, on and off are text; so is 1_000; 0x10 and 0o17 are numbers. What
// readers of YAML disagree on is refused, with the remedy: 010, .inf and .nan,
// keys given twice, keys without a value, tags. Anchors and the merge key <<
// work. One file holds at most 2^18 values, anchored ones counted per use, in
// at most 100 levels, and 4096 keys in one mapping. The order of keys in a mapping never matters.
//
// # Parameters
//
// $name as a whole scalar becomes the parameter with its type; ${name} inside
// a longer text becomes its text; $$ is the sign itself. A parameter may be
// made of others. An override of a parameter has the type of its default; a
// parameter with the default null has any type and must be given. A group sees
// the document's parameters, and its own in front of them.
//
// # Merging: extends, presets, elements, overrides
//
// Mappings merge by key and lists of named things by name (memory ranges by
// tier); other values are replaced. A mapping with another name replaces one,
// so that {name: mesh} inherits nothing of {name: dragonfly}. null takes a key
// away, {name: X, remove: true} an item. extends takes a file, preset:NAME or
// a list of them, the later over the earlier. A preset stands below the node,
// or the mapping inside it, that names it: one of the presets section, a file
// (with a / or .yaml), or a built-in one, looked for in this order.
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
// Everything wrong is reported at once, as
//
//	system.yaml:7:5: nodes.Core.rosw: unknown key (want one of: cols, rows; did you mean "rows"?)
//
// with the place in the file that supplied the value. A value that came through
// a parameter says in addition where that was set.
//
// # Left out
//
// Comments are not kept. There are no expressions ($a*$b), no conditions and no
// includes but extends.
//
// # Deviations
//
//  1. Relative names under the keys file and *_file that an extended file or an
//     override supplies are rewritten relative to the main file, so that the
//     resolved configuration stands for itself. Other keys are not known to
//     hold file names.
//  2. A preset of the presets section wins over a built-in one of the same
//     name, so that a new built-in preset changes no old configuration.
package configs
