// Package explore searches a design space: it chooses which designs of a grid to evaluate, and
// analyses the outcomes (Pareto front, sensitivity to each axis, agreement of two rankings).
//
//	e, ok := explore.All.Entry("lhs")
//	m, err := e.New(&explore.Space{Sizes: []int{4, 3}}, func(spec any) error { return nil }) // defaults
//	for next := m.Next(known); len(next) > 0; next = m.Next(known) { ... } // evaluate next
//
// A Space is a grid of designs, numbered like the points of a sweep. A Method of the registry All
// proposes designs in batches; the outcomes of a batch are known before the next call. A method is
// a pure function of space, seed and outcomes, so a search gives the same designs with any number
// of workers, and after it was killed and resumed.
//
// Values have the units of the caller; a smaller objective is better. Left out: running designs
// (components/experiment/sweep), continuous axes, and surrogate models.
//
// Sources: K. Deb et al., "A fast and elitist multiobjective genetic algorithm:
// NSGA-II", IEEE TEC 6(2), 2002; A. Owen, "A randomized Halton algorithm in R",
// arXiv:1706.02808 (the sequence is gonum's); M. McKay et al., "A comparison of three
// methods for selecting values of input variables", Technometrics 21(2), 1979; A. Saltelli
// et al., "Variance based sensitivity analysis of model output", CPC 181, 2010; R. Hooke and T. A.
// Jeeves, "Direct search solution of numerical and statistical problems", JACM 8(2), 1961; G. Li et al., "Global
// sensitivity analysis for systems with independent and/or correlated inputs", J. Phys. Chem. A 114(19), 2010.
//
// Deviations of nsga2:
//
//  1. Designs are points of a grid, so crossover and mutation work on positions. A child takes
//     each position from one parent, or a position between both on an ordered axis. A mutation
//     moves by a geometric number of steps, or to any position.
//  2. No design is evaluated twice, and the whole first front survives, because a simulation costs
//     more than keeping a design.
//  3. Two thirds of the children differ from one parent by one step on one axis. The first
//     generation is a Latin hypercube.
//
// Method gradient takes differences of runs for slopes, since most models count whole cycles and bytes. The derivatives of
// a loop nest's relaxed cost (accelerators/nest/relax) search its mapping alone.
package explore
