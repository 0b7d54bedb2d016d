package sweeps

import "strings"

// flagged puts a flag in front of each value.
func flagged(flag string, values []string) (out []string) {
	for _, v := range values {
		out = append(out, flag, v)
	}
	return out
}

// shellLine joins words so that a shell takes them apart again.
func shellLine(words []string) string {
	out := make([]string, len(words))
	for i, w := range words {
		plain := w != "" && strings.IndexFunc(w, func(r rune) bool {
			return !(r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("_-./=:,@%+", r))
		}) < 0
		out[i] = w
		if !plain {
			out[i] = "'" + strings.ReplaceAll(w, "'", `'\''`) + "'"
		}
	}
	return strings.Join(out, " ")
}
