package graph

// outSize is the output size of a window over one dimension, rounded down.
func outSize(in, k, stride, dilation, padA, padB int) int {
	return (in+padA+padB-dilation*(k-1)-1)/stride + 1
}

// fits says that a window goes into a padded input at least once. Integer
// division rounds towards 0, so the output size alone does not tell.
func fits(in, k, dilation, pad int) bool { return dilation*(k-1)+1 <= in+pad }
