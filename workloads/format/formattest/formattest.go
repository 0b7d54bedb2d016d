// Package formattest has helpers for tests of model formats: checks of errors, and external input
// files.
package formattest

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/workloads/format"
)

// Inputs returns the path of an external input file or folder. It lies in CAUSEWAY_INPUTS, else in
// shared/inputs beside the checkout. If the input is absent the test is skipped.
func Inputs(t testing.TB, name string) string {
	dir := os.Getenv("CAUSEWAY_INPUTS")
	if dir == "" {
		dir = filepath.Join("..", "..", "..", "..", "shared", "inputs")
	}
	p := filepath.Join(dir, filepath.FromSlash(name))
	if _, err := os.Stat(p); err != nil {
		t.Skipf("input %s is absent", name)
	}
	return p
}

// CheckErrors requires that every error joined in err is a *format.Error with a message
// and with a line and column, or neither.
func CheckErrors(t testing.TB, err error) {
	t.Helper()
	errs := []error{err}
	if j, ok := err.(interface{ Unwrap() []error }); ok {
		errs = j.Unwrap()
	}
	for i, err := range errs {
		var e *format.Error
		if i > 0 && strings.HasPrefix(err.Error(), "and ") {
			continue
		}
		require.ErrorAs(t, err, &e)
		require.NotEmpty(t, e.Msg)
		require.True(t, e.Line > 0 && e.Col > 0 || e.Line == 0, e.Error())
	}
}
