// Package validation compares published numbers with simulated ones.
//
// A study is a folder with configurations and a published.yaml. That file has the source, the
// runs, and for each point the published value, its unit, tolerance and label. Labels are never
// mixed: "exact" for closed forms, specifications and peer runs, "measured" for real hardware,
// "headline" if the parameters of the source are not all public, "reconstruction" if the rule
// itself is not public.
//
//	s, err := validation.Load("configs/studies/silicon")
//	r, err := validation.Check(ctx, s, run) // run: a RunFunc that runs a configuration
//	fmt.Println(r.OK())
//
// A simulated value is read from the result of a run, never computed here. A row whose run fails
// or whose metric is missing has a Problem and is not OK.
//
// A measurement is a table of times. Its rows are phases of one run or, with the key each,
// separate runs. A Bound limits the errors over a set of rows, or requires the measured order of
// pairs. Times are in ns and errors in percent.
//
// Left out: confidence intervals, and uncertainty of the measured values.
package validation
