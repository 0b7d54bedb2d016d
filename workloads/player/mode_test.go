package player

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestModes(t *testing.T) {
	for _, s := range []string{"closed:8", "open:12", "timed"} {
		var m Mode
		require.NoError(t, m.UnmarshalText([]byte(s)))
		require.Equal(t, s, m.String())
	}
	for _, s := range []string{"", "closed", "closed:", "closed:-1", "open:0", "timed:3", "closed:1048577", "open:4294967297"} {
		require.Error(t, new(Mode).UnmarshalText([]byte(s)), s)
	}
}
