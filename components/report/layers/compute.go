package layers

// computeColumns are what compute cycles are cut into, where a core divides them:
// useful work, the vector unit alone, and what the array loses. The last one is of
// cores that do not divide them.
var computeColumns = []string{"useful_cycles", "vector_cycles", "mapping_loss_cycles", "fill_cycles", "drain_cycles", "compute_cycles"}

// divided cuts the compute cycles of a layer or a node into computeColumns. get finds
// a figure by its name. The cycles in which the vector unit works alone lie in the
// mapping loss of the array and are taken out of it.
func divided(get func(name string) (float64, bool)) (parts [6]float64) {
	compute, _ := get("compute_cycles")
	useful, ok := get("useful_cycles")
	if !ok {
		parts[5] = compute
		return parts
	}
	mapping, _ := get("mapping_loss_cycles")
	fill, _ := get("fill_cycles")
	drain, _ := get("drain_cycles")
	vector := 0.0
	if array, ok := get("array_cycles"); ok {
		vector = compute - array
	}
	return [6]float64{useful, vector, mapping - vector, fill, drain, 0}
}
