// Package explore chooses which designs of a grid to evaluate and says what the
// evaluated ones show: the designs that no other beats, how much each axis explains, and
// how well one ranking agrees with another. It knows no simulator.
//
// A Space is a grid of designs numbered like the points of a sweep. A Method, one of All,
// names designs a batch at a time; it knows the outcomes of a batch before the next is
// asked for. A method is a pure function of space, seed and outcomes, so that any number
// of workers, and a search that was killed and goes on, come to the same designs.
//
// Sources: K. Deb et al., "A fast and elitist multiobjective genetic algorithm:
// NSGA-II", IEEE TEC 6(2), 2002; A. Owen, "A randomized Halton algorithm in R",
// arXiv:1706.02808 (the sequence is gonum's); M. McKay et al., "A comparison of three
// methods for selecting values of input variables", Technometrics 21(2), 1979; A. Saltelli
// et al., "Variance based sensitivity analysis of model output", CPC 181, 2010.
//
// Deviations of nsga2:
//
//  1. Designs are whole points of a grid, so crossover and mutation work on positions:
//     a child takes each position from one parent, or one between both where the axis is
//     ordered; a mutation moves by a geometric number of steps, or anywhere.
//  2. No design is evaluated twice, and the whole first front survives, however large: a
//     simulation costs more than remembering it.
//  3. Two thirds of the children are neighbours of one parent, a step away on one axis.
//     The first generation is a Latin hypercube.
package explore
