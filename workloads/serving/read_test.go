package serving_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/workloads/serving"
)

// A key that a line has twice is refused: the last one would win.
func TestKeyTwice(t *testing.T) {
	_, err := serving.Read("rq.jsonl", []byte(`{"arrival_s": 0, "input_toks": 8, "output_toks": 2, "input_toks": 9}`))
	require.EqualError(t, err, `rq.jsonl:1:53: key "input_toks" is here twice`)
	_, err = serving.Read("rq.jsonl", []byte(`{"arrival_s": 0, "input_toks": 8, "output_toks": 2}`))
	require.NoError(t, err)
}
