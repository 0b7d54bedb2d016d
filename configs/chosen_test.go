package configs

import (
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
