package remote

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"
)

// Settings of a request are those of --set: null takes a key away, and an empty text is one.
func TestSettingsOfARequest(t *testing.T) {
	var s Settings
	require.NoError(t, json.Unmarshal([]byte(`{"Core.rows": null, "a": "", "b": "x", "c": 64, "d": true}`), &s))
	require.Equal(t, Settings{"Core.rows=null", `a=""`, "b=x", "c=64", "d=true"}, s)
	require.NoError(t, json.Unmarshal([]byte(`["Core.rows=3"]`), &s))
	require.Equal(t, Settings{"Core.rows=3"}, s)
	require.ErrorContains(t, json.Unmarshal([]byte(`3`), &s), "set: want")
}

// A line that is no request keeps its ID, so that the client knows which one failed, and the error
// says what a request may hold.
func TestParse(t *testing.T) {
	q, err := Parse([]byte(`{"id": 7, "op": "run", "set": {"b": 2, "a": "x"}, "metrics": ["total_time"]}`))
	require.NoError(t, err)
	names, err := q.Names()
	require.NoError(t, err)
	require.Equal(t, []string{"total_time"}, names)
	require.Equal(t, Settings{"a=x", "b=2"}, q.Set)

	q, err = Parse([]byte(`{"op": "tell", "metrics": {"total_time": 1.5e6}}`))
	require.NoError(t, err)
	values, err := q.Values()
	require.NoError(t, err)
	require.Equal(t, map[string]float64{"total_time": 1.5e6}, values)

	for line, want := range map[string]string{
		`{"id": 7, "sets": 1}`:                       `request: unknown field "sets" (want one of: id, op, file, text, axes, set, point, n, metrics, failed, full, name)`,
		`{"id": 7, "op": "run", "metrics": {"x":1}}`: `metrics: want ["total_time"]`,
		`{"id": 7, "op": "tell", "metrics": ["x"]}`:  `metrics: want {"total_time": 1.5e6}`,
	} {
		q, err := Parse([]byte(line))
		require.EqualError(t, err, want)
		require.Equal(t, `7`, string(q.ID))
	}
	_, err = Parse([]byte(`{`))
	require.ErrorContains(t, err, "request: unexpected EOF")
}
