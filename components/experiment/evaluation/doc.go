// Package evaluation computes from a finished run what sections of its configuration ask for: cost and
// carbon of the chips. A section does not change the run; it adds metrics, tables for the report, and
// sentences. Where section thermal throttles chips, the run is repeated with lower limits of power: the section is a Cooler, and
// Run.Throttled says what was found.
//
//	all, err := evaluation.Read(doc, nodes)      // before the run
//	found, err := all.Evaluate(&evaluation.Run{Metrics: ms, Time: ns})
//
// To add a section, register a Reader in Sections under the name of the section. The language accepts
// the names of configs/document.go.
package evaluation
