package symmetry

import "fmt"

// orbits divides channels into those that digits move to each other, and returns the first of each
// set with the element that moves it to each of the others. to says where each digit moves
// channels. It reports a channel that an element other than 0 keeps.
func orbits(digits []Digit, to [][]int32) (channel, element []int32, why string) {
	n := len(to[0])
	channel, element = make([]int32, n), make([]int32, n)
	for i := range channel {
		channel[i], element[i] = -1, -1
	}
	var walk func(first, at int32, digit int, e int32) bool
	walk = func(first, at int32, digit int, e int32) bool {
		if digit == len(digits) {
			if channel[at] >= 0 {
				return false
			}
			channel[at], element[at] = first, e
			return true
		}
		for y := range digits[digit].Base {
			if !walk(first, at, digit+1, e*digits[digit].Base+y) {
				return false
			}
			at = to[digit][at]
		}
		return true
	}
	for i := range int32(n) {
		if to[0][i] >= 0 && channel[i] < 0 && !walk(i, i, 0, 0) {
			return nil, nil, fmt.Sprintf("ranks that are equal share a channel (%d of the network)", i)
		}
	}
	return channel, element, ""
}
