// Package commtest has helpers for tests of communication trace formats: reading files that a test
// writes, and programs as text. Failures end the test.
package commtest

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/workloads/comm"
)

// Load writes the files, by name, into a folder and opens path in it. Errors name files
// without the folder.
func Load(t testing.TB, files map[string]string, path string) (*comm.Program, error) {
	dir := t.TempDir()
	for name, text := range files {
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644))
	}
	p, _, err := comm.Open(filepath.Join(dir, path), comm.Options{})
	if e, ok := err.(*comm.Error); ok {
		e.File = strings.TrimPrefix(e.File, dir+string(filepath.Separator))
	}
	return p, err
}

// Dump writes a rank as one line per operation.
func Dump(r *comm.Rank) string {
	var b strings.Builder
	for i := range r.Len() {
		o := r.Op(i)
		fmt.Fprintf(&b, "%d %s", i, o)
		if o.Time > 0 {
			fmt.Fprintf(&b, " %s", o.Time)
		}
		if o.Group > 0 {
			fmt.Fprintf(&b, " group %d", o.Group)
		}
		if o.Unit > 0 {
			fmt.Fprintf(&b, " unit %d", o.Unit)
		}
		for _, d := range r.Deps(i) {
			word := "after"
			if d.Start() {
				word = "with"
			}
			fmt.Fprintf(&b, ", %s %d", word, d.Op())
		}
		b.WriteString("\n")
	}
	return b.String()
}

// Fuzz reads arbitrary bytes as a file of one rank: a program or an *Error.
func Fuzz(f *testing.F, format string) {
	f.Fuzz(func(t *testing.T, b []byte) {
		p, err := comm.Decode("f", b, format)
		if err != nil {
			require.ErrorAs(t, err, new(*comm.Error))
			return
		}
		_ = p.Check()
		_ = comm.Summarize(p)
		_ = comm.Pairs(p)
	})
}

// Rewrite writes a program as one file per rank and reads the files.
func Rewrite(t require.TestingT, p *comm.Program, write func(w io.Writer, p *comm.Program, rank int) error) *comm.Program {
	dir, err := os.MkdirTemp("", "comm")
	require.NoError(t, err)
	defer os.RemoveAll(dir)
	for i := range p.Ranks {
		var b bytes.Buffer
		require.NoError(t, write(&b, p, i))
		require.NoError(t, os.WriteFile(filepath.Join(dir, fmt.Sprintf("x.%d", i)), b.Bytes(), 0o644))
	}
	back, _, err := comm.Open(filepath.Join(dir, "x.%d"), comm.Options{Ranks: len(p.Ranks)})
	require.NoError(t, err)
	return back
}
