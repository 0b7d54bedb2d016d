package configs

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

var update = flag.Bool("update", false, "rewrite testdata")

// The transcript holds wrong configurations and all that is said about each.
// A case starts with "=== what it is", its input goes to "---", its messages
// to the next case. "core: ..." stands for a configuration with one node of
// kind core with these keys, "set: ..." for an override.
func TestErrorTranscript(t *testing.T) {
	const file = "testdata/errors.txt"
	text, err := os.ReadFile(file)
	require.NoError(t, err)
	head, rest, _ := strings.Cut(string(text), "=== ")
	var out bytes.Buffer
	out.WriteString(head)
	n := 0
	for _, c := range strings.Split(rest, "\n=== ") {
		name, body, _ := strings.Cut(c, "\n")
		input, want, ok := strings.Cut(body+"\n", "---\n")
		require.True(t, ok, name)
		n++
		got := complain(input)
		fmt.Fprintf(&out, "=== %s\n%s---\n%s\n\n", name, input, got)
		if !*update {
			t.Run(name, func(t *testing.T) {
				require.NotEqual(t, "nothing", got)
				require.Equal(t, strings.TrimSpace(want), got)
			})
		}
	}
	require.Greater(t, n, 60)
	if *update {
		require.NoError(t, os.WriteFile(file, append(bytes.TrimRight(out.Bytes(), "\n"), '\n'), 0o644))
	}
}

func complain(input string) string {
	var set []string
	var src strings.Builder
	for line := range strings.Lines(input) {
		if s, ok := strings.CutPrefix(line, "set: "); ok {
			set = append(set, strings.TrimSpace(s))
		} else if s, ok := strings.CutPrefix(line, "core: "); ok {
			src.WriteString("schema: causeway/1\nnodes:\n  - {name: Core, kind: core, " + strings.TrimSpace(s) + "}\n")
		} else {
			src.WriteString(line)
		}
	}
	text := strings.NewReplacer("<TAB>", "\t", "<FF>", "\xff", "<NUL>", "\x00", "<DOC>", "---").Replace(strings.TrimSuffix(src.String(), "<EOF>\n"))
	var errs Errors
	o := presetOptions()
	o.Set = set
	o.ReadFile = func(name string) ([]byte, error) {
		switch name {
		case "loop.yaml":
			return []byte("schema: causeway/1\nextends: bad.yaml\n"), nil
		case "wrong.yaml":
			return []byte("schema: causeway/1\nnodse: []\n"), nil
		}
		return nil, os.ErrNotExist
	}
	d, err := Parse("bad.yaml", []byte(text), o)
	errs.Add(err)
	if d != nil {
		errs.Add(decodeAll(d))
	}
	if errs.Err() == nil {
		return "nothing"
	}
	for _, e := range errs {
		var x *Error
		if !errors.As(e, &x) || x.File == "" || x.Line == 0 && x.File != SetFile {
			return "NO POSITION: " + e.Error()
		}
	}
	return errs.Err().Error()
}
