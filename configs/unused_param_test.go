package configs

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// A parameter that a file declares and that neither it nor what it extends uses is a slip of
// the pen, in a file as much as in an override.
func TestParametersThatNothingUsesAreRefused(t *testing.T) {
	files := map[string]string{
		"base.yaml": header + "params: {ranks: 4, placement: linear}\nnodes: [{name: A, kind: x, rows: $ranks, at: $placement}]\n",
		"slip.yaml": header + "extends: base.yaml\nparams: {rank: 64, placment: group}\n",
		"uses.yaml": header + "extends: base.yaml\nparams: {rows: 8}\nnodes: [{name: A, cols: '${rows}'}]\n",
		"set.yaml":  header + "extends: base.yaml\nparams: {ranks: 8}\nnodes: [{name: A, at: there}]\n",
		"mid.yaml":  header + "extends: base.yaml\nparams: {side: 8}\n",
		"top.yaml":  header + "extends: mid.yaml\nnodes: [{name: A, cols: $side}]\n",
	}
	l := NewLoader(disk(files))
	_, err := l.Load("slip.yaml")
	require.EqualError(t, err, `slip.yaml:3:10: params.rank: no parameter "rank" in what this file extends, and nothing uses it (want one of: ranks, placement; did you mean "ranks"?)
slip.yaml:3:20: params.placment: no parameter "placment" in what this file extends, and nothing uses it (want one of: ranks, placement; did you mean "placement"?)`)
	for _, good := range []string{"base.yaml", "uses.yaml", "set.yaml", "top.yaml"} {
		_, err := l.Load(good)
		require.NoError(t, err, good)
	}
	_, err = l.Load("uses.yaml", "A.cols=3")
	require.NoError(t, err, "an override takes the last use away")
	_, err = l.Load("mid.yaml")
	require.ErrorContains(t, err, `mid.yaml:3:10: params.side: no parameter "side"`)
}
