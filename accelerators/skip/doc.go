// Package skip is what an engine of multiplier lanes gains by leaving products out: those
// by an operand that is zero, and those by an operand of small magnitude.
//
// How often an operand is skipped follows from the distribution of its values and a
// threshold. Which operands are skipped is drawn, each for itself; so lanes have different
// numbers of products left, and wait for each other where the engine makes them (Sync).
//
//   - Inputs: the engine multiplies Width input channels by the weights of Lanes filters in
//     a cycle. Each of the Width channel lanes goes through its own channels and taps and
//     passes over what is skipped, for all filters at once. The border of a convolution is
//     zeros.
//   - Weights: each of the Lanes x Width multipliers goes through the weights of its filter
//     and channels, the same at every position.
//
// Engines after the first kind: Albericio et al., Cnvlutin, ISCA 2016; after the second:
// Zhang et al., Cambricon-X, MICRO 2016.
//
// Left out: lanes that skip both operands; values that depend on each other: those of an
// input that serves several positions are drawn for each, and real zeros come in clusters,
// which makes lanes less equal than here, most of all with Sync Never; what the skipped
// products were worth, that is accuracy.
package skip
