package collective

import "fmt"

// gridOf is the width and height of a grid of n ranks. Without dims it is the
// square.
func gridOf(dims []int, n int) (w, h int, err error) {
	switch len(dims) {
	case 0:
		for w*w < n {
			w++
		}
		if w*w != n {
			return 0, 0, fmt.Errorf("%d ranks are no square (give dims)", n)
		}
		return w, w, nil
	case 2:
		w, h = dims[0], dims[1]
		if w < 1 || h < 1 || w > MaxRanks || h > MaxRanks || w*h != n {
			return 0, 0, fmt.Errorf("dims are %dx%d (want a product of %d, the ranks)", w, h, n)
		}
		return w, h, nil
	}
	return 0, 0, fmt.Errorf("dims has %d numbers (want width and height)", len(dims))
}

// cycle is a ring through a grid that steps to neighbours. Where both sides are
// odd there is none; then one step, the first, is two hops long: from the corner
// (0, 0) past (1, 0), the last of the ring, to (2, 0). Rank x + w*y is at (x, y).
func cycle(dims []int, n int) ([]int, error) {
	w, h, err := gridOf(dims, n)
	if err != nil {
		return nil, err
	}
	at := func(x, y int) int { return x + w*y }
	if w == 1 || h == 1 {
		return upTo(n), nil // a line: the last step goes all the way back
	}
	if w%2 == 1 && h%2 == 1 {
		rest := oddCycle(w, h)
		return append(append([]int{at(0, 0)}, rest[1:]...), rest[0]), nil
	}
	// Along the first row to the right, back in the other rows: column after
	// column, up and down, if the width is even; else the same, turned.
	flip := w%2 == 1 && h%2 == 0
	if flip {
		w, h = h, w
		at = func(x, y int) int { return y + h*x }
	}
	out := make([]int, 0, n)
	for x := range w {
		out = append(out, at(x, 0))
	}
	for i := range w {
		x := w - 1 - i
		for j := 1; j < h; j++ {
			y := j
			if i%2 == 1 {
				y = h - j
			}
			out = append(out, at(x, y))
		}
	}
	return out, nil
}
