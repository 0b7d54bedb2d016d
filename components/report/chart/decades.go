package chart

// Decades reports whether lines are to be drawn over a logarithmic axis: their places are
// positive, span more than a factor of 100, and lie closer together at the lower end, as
// sizes that double do. Places in even steps, such as loads, stay on a linear one.
func Decades(series []Series) bool {
	lo, hi, low, n := 0., 0., 0, 0
	for _, s := range series {
		for _, x := range s.X {
			if n == 0 {
				lo, hi = x, x
			}
			lo, hi, n = min(lo, x), max(hi, x), n+1
		}
	}
	if n == 0 || lo <= 0 || hi/lo <= 100 {
		return false
	}
	for _, s := range series {
		for _, x := range s.X {
			if x < hi/4 {
				low++
			}
		}
	}
	return 2*low > n
}
