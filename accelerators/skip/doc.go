// Package skip computes the cycles of an engine of multiplier lanes that skips products whose
// operand is zero or of small magnitude. It has no clock and no ports; package lanes uses it,
// with Spec as its key skip. Engine.Do computes one product.
//
// The distribution of an operand's values and a threshold give the share of values that are
// skipped. Each value is drawn independently. So lanes have different numbers of products left,
// and wait for each other at the points that Sync gives.
//
//   - Inputs: the engine multiplies Width input channels by the weights of Lanes filters in a
//     cycle. Each of the Width channel lanes steps through its own channels and taps and skips
//     inputs, for all filters at once. The border of a convolution is zeros.
//   - Weights: each of the Lanes x Width multipliers steps through the weights of its filter and
//     channels, the same at every position.
//
// Sources: Albericio et al., Cnvlutin, ISCA 2016 (inputs); Zhang et al., Cambricon-X, MICRO 2016
// (weights).
//
// Left out: lanes that skip both operands; the loss of accuracy; correlation of values. An input
// that several positions use is drawn for each. Real zeros come in clusters, so that lanes differ
// more than here, most of all with Sync Never.
package skip
