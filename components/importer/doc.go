// Package importer turns configurations of other tools into Causeway's. It has what their packages
// (scalesim, booksim, ramulator, astrasim, timeloop) share: the registry of formats (All), the
// files of an import (Input), the account of every setting (Reader), and the YAML with its comments
// (Draft).
//
//	f, err := importer.Choose(in, "")    // by the content
//	d, err := importer.Convert(f, in)    // what cannot be read is an error, all at once
//	text, err := d.Bytes()
//	for _, l := range d.Left { ... }     // what was not carried over, and why
//
// # Contract of a format
//
// A format has a table of all keys of its tool. A key goes to a key of ours, or the table says why
// it does not. Convert asks the Reader for settings. What it has not asked for at the end is in
// Draft.Left with the reason of the table. A key that the tool does not have is in Draft.Unknown with the
// nearest one that it has, or an error where the tool ends with one (Format.Strict, Key.Needed). So
// no setting is ignored without a word. A new tool is a package with one such table, its Convert and a test.
//
// # Left out
//
// Files that the tool reads besides its configuration, such as traces and topologies: the result
// names them. The command that writes files and runs the check is cmd/causeway.
package importer
