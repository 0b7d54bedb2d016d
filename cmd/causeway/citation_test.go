package main

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/components/experiment/result"
)

// CITATION.cff names the version of the models, which `causeway version` prints.
func TestCitationHasTheVersion(t *testing.T) {
	t.Parallel()
	src, err := os.ReadFile(filepath.Join(repository(t), "CITATION.cff"))
	require.NoError(t, err)
	require.Contains(t, string(src), "\nversion: "+result.Version+"\n")
}
