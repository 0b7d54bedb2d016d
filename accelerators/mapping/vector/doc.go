// Package vector plans work of the vector unit: operands stream through the ifmap buffer
// (parameters through the filter buffer) and results through the ofmap buffer, in parts of equal
// length. Work.Divide chooses the parts; a Walk yields them as steps. Rows of a softmax or norm
// that do not fit pass twice, once for their statistics. Nothing is kept between operators.
package vector
