package chart

import (
	"encoding/json"
	"math"
	"testing"

	"github.com/stretchr/testify/require"
)

// Numbers are short in JSON, and what is undefined is null, which JSON can hold.
func TestNumbers(t *testing.T) {
	b, err := json.Marshal(Numbers{1, 0.1, 1e-9, 123456789.25, math.NaN(), math.Inf(1), -3})
	require.NoError(t, err)
	require.Equal(t, `[1,0.1,1e-09,1.234568e+08,null,null,-3]`, string(b))
	var back []any
	require.NoError(t, json.Unmarshal(b, &back), "every form is JSON")
}

func TestCell(t *testing.T) {
	b, err := json.Marshal(Cell{2, 1, 0.5})
	require.NoError(t, err)
	require.Equal(t, `[2,1,0.5]`, string(b))
}
