package comm

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// load reads files that a test names; a name without %d is a file on its own.
func load(t testing.TB, files map[string]string, path string) (*Program, error) {
	dir := t.TempDir()
	for name, text := range files {
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644))
	}
	p, _, err := Open(filepath.Join(dir, path), Options{})
	if e, ok := err.(*Error); ok {
		e.File = strings.TrimPrefix(e.File, dir+string(filepath.Separator))
	}
	return p, err
}

// dump writes a rank as one line per operation.
func dump(r *Rank) string {
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

// fuzz reads arbitrary bytes as a file of one rank: a program or an *Error.
func fuzz(f *testing.F, format string) {
	f.Fuzz(func(t *testing.T, b []byte) {
		p, err := Decode("f", b, format)
		if err != nil {
			require.ErrorAs(t, err, new(*Error))
			return
		}
		_ = p.Check()
		_ = Summarize(p)
		_ = Pairs(p)
	})
}

// Rewrite writes a program as files of a rank each and reads them.
func rewrite(t require.TestingT, p *Program, write func(w io.Writer, p *Program, rank int) error) *Program {
	dir, err := os.MkdirTemp("", "comm")
	require.NoError(t, err)
	defer os.RemoveAll(dir)
	for i := range p.Ranks {
		var b bytes.Buffer
		require.NoError(t, write(&b, p, i))
		require.NoError(t, os.WriteFile(filepath.Join(dir, fmt.Sprintf("x.%d", i)), b.Bytes(), 0o644))
	}
	back, _, err := Open(filepath.Join(dir, "x.%d"), Options{Ranks: len(p.Ranks)})
	require.NoError(t, err)
	return back
}
