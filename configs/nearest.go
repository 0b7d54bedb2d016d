package configs

import "strings"

// Nearest returns the word of among that is closest to word, or "" if none is close. A close word
// has at most one edit (insert, delete, change, swap of neighbours) per three letters plus one, or
// is abbreviated by word (clk for clock). Case, and - or _, do not count. The first of equally
// close words wins.
func Nearest(word string, among []string) string {
	word = fold(word)
	limit := len(word)/3 + 1
	switch len(word) {
	case 0:
		return ""
	case 1:
		limit = 0 // any other letter would be as near
	case 2:
		limit = 1
	}
	best, least := "", limit+1
	for _, w := range among {
		f := fold(w)
		d := distance(word, f, limit)
		if len(word) >= 3 && abbreviates(word, f) || len(f) >= 3 && strings.HasPrefix(word, f) {
			d = min(d, 1)
		}
		if d < least {
			best, least = w, d
		}
	}
	return best
}

// abbreviates reports whether the letters of short stand in long in their order,
// from the first one on.
func abbreviates(short, long string) bool {
	if long == "" || short[0] != long[0] {
		return false
	}
	i := 0
	for j := 0; j < len(long) && i < len(short); j++ {
		if long[j] == short[i] {
			i++
		}
	}
	return i == len(short)
}

func fold(s string) string { return strings.ReplaceAll(strings.ToLower(s), "-", "_") }

// distance is the optimal string alignment distance, or limit+1 if it is more
// than limit.
func distance(a, b string, limit int) int {
	if len(a)-len(b) > limit || len(b)-len(a) > limit || len(a) > 64 || len(b) > 64 {
		return limit + 1
	}
	var before, last, row [65]int
	for j := range len(b) + 1 {
		last[j] = j
	}
	for i := 1; i <= len(a); i++ {
		row[0] = i
		for j := 1; j <= len(b); j++ {
			change := 1
			if a[i-1] == b[j-1] {
				change = 0
			}
			row[j] = min(last[j]+1, row[j-1]+1, last[j-1]+change)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				row[j] = min(row[j], before[j-2]+1)
			}
		}
		before, last = last, row
	}
	return min(last[len(b)], limit+1)
}
