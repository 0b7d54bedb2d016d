package glob

import "strings"

// Match matches s against a pattern in which * stands for any text and ? for any
// character.
func Match(pattern, s string) bool {
	p, star, mark := 0, -1, 0
	for i := 0; i < len(s); {
		switch {
		case p < len(pattern) && pattern[p] == '*':
			star, mark = p, i
			p++
		case p < len(pattern) && (pattern[p] == '?' || pattern[p] == s[i]):
			p++
			i++
		case star >= 0: // let the last star take one more
			mark++
			p, i = star+1, mark
		default:
			return false
		}
	}
	return strings.Trim(pattern[p:], "*") == ""
}
