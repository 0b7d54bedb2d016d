package cause_test

import (
	"math/rand/v2"
	"regexp"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/components/cause"
)

// The name without indices is that of a regular expression, for random texts of brackets.
func TestBaseLeavesIndicesOut(t *testing.T) {
	index := regexp.MustCompile(`\[[0-9]+\]`)
	r := rand.New(rand.NewPCG(1, 1))
	for range 20000 {
		name := make([]byte, r.IntN(12))
		for i := range name {
			name[i] = "C.[]09[5]"[r.IntN(9)]
		}
		require.Equal(t, index.ReplaceAllString(string(name), ""), cause.Base(string(name)), "%s", name)
	}
}
