package importer_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/components/importer"
	_ "github.com/causeway-sim/causeway/components/importer/astrasim"
	_ "github.com/causeway-sim/causeway/components/importer/booksim"
	_ "github.com/causeway-sim/causeway/components/importer/ramulator"
	_ "github.com/causeway-sim/causeway/components/importer/scalesim"
	_ "github.com/causeway-sim/causeway/components/importer/timeloop"
)

// tool is a tool of one key, which keeps what it does not ask for.
func tool(keys ...importer.Key) importer.Format {
	return importer.Format{
		Title: "Tool", Keys: keys, Unknown: "Tool ignores them",
		Convert: func(_ *importer.Input, r *importer.Reader, d *importer.Draft) error {
			r.Add("a:1", "rows", "4")
			r.Add("a:2", "gone", "5")
			r.Add("a:3", "same", "0")
			r.Add("a:4", "strange", "6")
			r.Add("a:5", "group.one", "7")
			v := r.Get("rows", "1")
			d.Node("Core", "systolic").From("shape.rows", v.Int(), v)
			return nil
		},
	}
}

var all = []importer.Key{
	{Name: "rows", Ours: "shape.rows"}, {Name: "gone", Why: "no such part"}, {Name: "same", Why: "never", Same: []string{"0"}}, {Name: "group.*", Why: "a group"},
}

func TestEverySettingIsTold(t *testing.T) {
	d, err := importer.Convert(tool(all...), &importer.Input{Name: "a"})
	require.NoError(t, err)
	text, err := d.Bytes()
	require.NoError(t, err)
	require.Equal(t, `# Tool, imported from a by causeway import.
# Unknown keys, which are not carried over (Tool ignores them):
#     a:4: strange = 6
# Not carried over, or not as it is:
# - no such part
#     a:2: gone = 5
# - a group
#     a:5: group.one = 7
# Always so here: same = 0
schema: causeway/1
nodes:
  - name: Core
    kind: systolic
    shape:
      rows: 4 # rows = 4
`, string(text))
}

// An unknown key is named with the known one that looks most like it. It is an error where the tool
// ends with one: at any unknown key, or because the key that was meant is missing and needed.
func TestUnknownKeys(t *testing.T) {
	f := importer.Format{
		Title: "Tool", Unknown: "Tool ignores them",
		Keys: []importer.Key{{Name: "rows", Ours: "rows", Needed: true}, {Name: "a.cols", Ours: "cols"}, {Name: "a.b.depth", Ours: "depth"}, {Name: "c.depth", Ours: "depth"}, {Name: "g.*", Why: "a group"}},
	}
	convert := func(strict bool, keys ...string) (string, error) {
		f.Strict = strict
		f.Convert = func(_ *importer.Input, r *importer.Reader, _ *importer.Draft) error {
			r.Also("a.timing")
			for _, k := range keys {
				r.Add("f:1", k, "1")
			}
			return nil
		}
		d, err := importer.Convert(f, &importer.Input{})
		if err != nil {
			return "", err
		}
		return d.Account(), nil
	}
	for key, near := range map[string]string{
		"a.clos": "a.cols", "a.timming": "a.timing", "a.bb.depth": "a.b.depth", "a.unlike_all": "", "other": "", "rosw": "rows",
	} {
		got, err := convert(false, key, "rows")
		require.NoError(t, err)
		want := "f:1: " + key + " = 1\n"
		if near != "" {
			want = "f:1: " + key + " = 1 (did you mean \"" + near + "\"?)\n"
		}
		require.Contains(t, got, "Unknown keys, which are not carried over (Tool ignores them):\n    "+want)
		_, err = convert(true, key, "rows")
		require.ErrorContains(t, err, "f:1: "+key+": unknown key")
	}
	got, err := convert(false, "g.anything", "rows")
	require.NoError(t, err)
	require.NotContains(t, got, "Unknown")
	_, err = convert(false, "rosw")
	require.EqualError(t, err, `f:1: rosw: unknown key (did you mean "rows"?); Tool ends with an error, as rows is missing`)
}

// A format that asks for a key which its table carries nowhere is an error of the program.
func TestTableIsComplete(t *testing.T) {
	require.PanicsWithValue(t, "importer: Tool: rows is asked for, and the table carries it nowhere", func() {
		_, _ = importer.Convert(tool(), &importer.Input{})
	})
}

// An input is recognised by its content alone; none or several are errors with the choices.
func TestChoose(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) string {
		file := filepath.Join(dir, name)
		require.NoError(t, os.WriteFile(file, []byte(text), 0o600))
		return file
	}
	book, scale := write("a", "topology = mesh;\nk = 4;\n"), write("b", "[architecture_presets]\nArrayHeight: 4\n")
	astra, ram := write("c", "topology: [Ring]\nnpus_count: [4]\n"), write("d", "{\"frontend\": {}, \"memory_system\": {}}")
	loop, none := write("e", "problem: {shape: {dimensions: [M]}}\n"), write("f", "key: value\n")
	for file, want := range map[string]string{book: "BookSim", scale: "SCALE-Sim", astra: "ASTRA-sim", ram: "Ramulator 2", loop: "Timeloop"} {
		in, err := importer.Open(file)
		require.NoError(t, err)
		f, err := importer.Choose(in, "")
		require.NoError(t, err)
		require.Equal(t, want, f.Title)
	}
	for _, c := range []struct {
		files []string
		from  string
		want  string
	}{
		{[]string{none}, "", "not a configuration of a tool that is known (want --from one of: astrasim, booksim, ramulator, scalesim, timeloop)"},
		{[]string{book, scale}, "", "may be of booksim or scalesim (want --from one of: booksim, scalesim)"},
		{[]string{book}, "gem5", `unknown tool "gem5" (want --from one of: astrasim`},
	} {
		in, err := importer.Open(c.files...)
		require.NoError(t, err)
		_, err = importer.Choose(in, c.from)
		require.ErrorContains(t, err, c.want)
	}
	_, err := importer.Open(filepath.Join(dir, "missing"))
	require.Error(t, err)
}
