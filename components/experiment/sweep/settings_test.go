package sweep

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
