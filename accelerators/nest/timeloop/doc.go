// Package timeloop reads the files of Timeloop v0.4: architecture, problem, mapping,
// constraints, sparse optimisations, and Accelergy's tables of energy and area.
//
//	in, err := timeloop.Read(timeloop.Source{Name: "input.yaml", Text: b})
//	n, err := nest.New(&in.Problem, &in.Arch, in.Sparse, nest.Rules2024)
//	err = in.Legal(n)
//
// Files are read together, in any number: one may hold everything, as Timeloop's
// front end writes it (parsed-processed-input.yaml), or each section may have its own.
// An architecture has subtrees, as the front end resolves it, or nodes as people write
// it (!Container, !Component, !Parallel, !Hierarchical, with spatial meshes and
// constraints in place). Templates, expressions and variables belong to the front end.
//
// The program has to link a reader of text (import _ ".../configs/yaml").
//
// # Strict
//
// A key that is not known is an error with the nearest one that is. An attribute of a component
// that is not known and looks like none that counts is in Input.Unknown, since classes of
// Accelergy's have attributes of their own. A key that is
// known and changes no count, cycle or energy here is in Input.Unused: what Accelergy
// estimates energies from, since the table holds them (classes, technology, ports,
// banks); how Timeloop's own mapper is run; H, W and padding, since tensors are as
// large as the loops reach; split positions of a mapping are checked against the mesh
// and change no count. What would change them and is not modelled is an error: power
// gating, overbooking, gating at compute, distributions other than fixed_structured
// and hypergeometric.
//
// # Sources
//
// Timeloop's documentation of v0.4; the rules of permutations, splits and defaults
// were checked against 50 outputs of timeloop-accelergy-exercises, of which 16 are
// kept with the inputs of the tests.
package timeloop
