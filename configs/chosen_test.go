package configs

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

// A parameter says what is extended: its default, what a file above says, and an
// override, in this order of strength. The loader keeps no choice for the next load.
func TestParameterChoosesWhatIsExtended(t *testing.T) {
	o := disk(map[string]string{
		"dir/main.yaml":       header + "extends: parts/${part}.yaml\nparams: {part: a, side: 3}\n",
		"dir/over/child.yaml": header + "extends: ../main.yaml\nparams: {part: b}\n",
		"dir/parts/a.yaml":    header + "nodes: [{name: A, kind: x}]\n",
		"dir/parts/b.yaml":    header + "nodes: [{name: B, kind: x, rows: $side}]\n",
	})
	l := NewLoader(o)
	for _, c := range []struct {
		file string
		set  []string
		want string
	}{
		{"dir/main.yaml", nil, "A"},
		{"dir/main.yaml", []string{"part=b"}, "B"},
		{"dir/main.yaml", nil, "A"},
		{"dir/main.yaml", []string{"params.part=b", "side=4"}, "B"},
		{"dir/over/child.yaml", nil, "B"},
		{"dir/over/child.yaml", []string{"part=a"}, "A"},
	} {
		d, err := l.Load(c.file, c.set...)
		require.NoError(t, err, "%s %v", c.file, c.set)
		require.Equal(t, c.want, d.Root.Get("nodes").Items()[0].Get("name").Text(), "%s %v", c.file, c.set)
	}
	for set, want := range map[string]string{
		"part=c":   `dir/main.yaml:2:10: extends: parts/c.yaml: no such file ($part is set at --set:1)`,
		"part=[1]": `dir/main.yaml:2:10: extends: $part is a list, which fits into no text`,
	} {
		_, err := Load("dir/main.yaml", Options{ReadFile: o.ReadFile, Set: []string{set}})
		require.EqualError(t, err, want)
	}
	_, err := Parse("dir/x.yaml", []byte(header+"extends: ${part}.yaml\n"), o)
	require.ErrorContains(t, err, `extends: no parameter "part"`)
}

// The error of a parameter whose file is missing lists the files that exist: not those of other
// names, not parts of one of them, and not the file that extends it.
func TestChoicesOfExtends(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"on_a.yaml", "on_bee.yaml", "on_bee.fitted.yaml", "on_v1.5.yaml", "off.yaml", "on_c.txt"} {
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(header), 0o644))
	}
	for extends, want := range map[string]string{
		`"on_${part}.yaml"`: `(want one of: a, bee, v1.5; did you mean "bee"?)`,
		`$part`:             `(want one of: off.yaml, on_a.yaml, on_bee.yaml, on_c.txt, on_v1.5.yaml)`,
		`"${part}_a.yaml"`:  `(want on)`,
		`"${part}/a.yaml"`:  `bbe/a.yaml: no such file ($part is set at --set:1)`,
	} {
		main := filepath.Join(dir, "main.yaml")
		require.NoError(t, os.WriteFile(main, []byte(header+"extends: "+extends+"\nparams: {part: a}\n"), 0o644))
		_, err := Load(main, Options{Set: []string{"part=bbe"}})
		require.ErrorContains(t, err, want, extends)
	}
}
