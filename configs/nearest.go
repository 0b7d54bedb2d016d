package configs

import "strings"

// Nearest is the word of among that word was most likely meant to be, or ""
// if none is close: at most one edit in three letters (insert, delete, change,
// swap of neighbours), where capitals and the choice of - or _ count nothing.
// The first of equally close words wins.
func Nearest(word string, among []string) string {
	word = fold(word)
	if word == "" {
		return ""
	}
	best, least := "", len(word)/3+1
	if len(word) < 3 {
		least = 1
	}
	for _, w := range among {
		f := fold(w)
		d := distance(word, f, least)
		if len(word) >= 3 && (strings.HasPrefix(f, word) || len(f) >= 3 && strings.HasPrefix(word, f)) {
			d = min(d, 1) // clk for clock is no typing error, but an abbreviation often is a prefix
		}
		if d < least || d == least && best == "" {
			best, least = w, d
		}
	}
	return best
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
