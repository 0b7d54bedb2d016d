package configs

import (
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

var texts = rapid.OneOf(
	rapid.SampledFrom([]string{"", " ", "a", "yes", "No", "~", "null", "true", "8", "010", "0x1F", "1e5", "1.5", ".inf", "-", "- a", "a: b", "a #b", "#a", "{a", "[a]", "*a", "&a", "!a", "%a", "@a", "`a", "'a", "\"a", "|", ">", "a\nb", "a\n\nb\n", "\ta", "a ", " a", "1:30", "2001-01-01", "Core[0..3]", "A -> B", "é", "\U0001F600", "a\\b", "=", "<<", "940MHz", "0B", "x,y", "?", "? a", "---", "...", "$$", "\u0085", "\u2028", "\x7f", "0GiB", "00B", "5s", "1e5B"}),
	rapid.StringMatching(`[ -~]{0,12}`),
	rapid.StringN(0, 8, -1),
)

var keys = rapid.StringMatching(`[a-z][a-z0-9_.]{0,6}|[A-Z][a-z]{0,3}|[0-9]{1,2}|"|\$a|y|on`)

// trees draws a value of any shape.
func trees(depth int) *rapid.Generator[*node] {
	return rapid.Custom(func(t *rapid.T) *node {
		most := 6
		if depth == 0 {
			most = 4
		}
		switch rapid.IntRange(0, most).Draw(t, "kind") {
		case 0:
			return &node{kind: Null}
		case 1:
			return &node{kind: Bool, text: fmt.Sprint(rapid.Bool().Draw(t, "bool"))}
		case 2:
			return &node{kind: Int, text: fmt.Sprint(rapid.Int64().Draw(t, "int"))}
		case 3:
			return &node{kind: Float, text: printFloat(rapid.Float64().Draw(t, "float"))}
		case 4:
			return &node{kind: String, text: texts.Draw(t, "text"), literal: true}
		case 5:
			return &node{kind: List, items: rapid.SliceOfN(trees(depth-1), 0, 4).Draw(t, "items")}
		}
		n := &node{kind: Map}
		for _, k := range rapid.SliceOfNDistinct(keys, 0, 4, rapid.ID[string]).Draw(t, "keys") {
			n.entries = append(n.entries, entry{key: k, val: trees(depth-1).Draw(t, k)})
		}
		return n
	})
}

// same compares trees without places and order of keys.
func same(a, b *node) bool {
	if a.kind != b.kind || len(a.items) != len(b.items) || len(a.entries) != len(b.entries) {
		return false
	}
	for i := range a.items {
		if !same(a.items[i], b.items[i]) {
			return false
		}
	}
	for _, e := range a.entries {
		if x := b.get(e.key); x == nil || !same(e.val, x) {
			return false
		}
	}
	return a.text == b.text
}

// Whatever is printed reads back as the same, and prints the same again.
func TestCanonicalRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := trees(3).Draw(t, "tree")
		n = &node{kind: Map, entries: []entry{{key: "root", val: n}}}
		text := Value{n: n}.Canonical()
		v, err := ParseValue("a.yaml", text)
		require.NoError(t, err, string(text))
		// $$ is undone by filling in, as in a document.
		var errs Errors
		v.n = newScope(Value{}, &errs).fill(v)
		require.NoError(t, errs.Err())
		require.True(t, same(n, v.n), string(text))
		require.Equal(t, string(text), string(v.Canonical()))
	})
}

// A resolved configuration resolves to itself, whatever it holds, and the order
// of nodes and keys counts nothing.
func TestResolvedRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var src strings.Builder
		src.WriteString(header + "params: {a: 3, b: x, c: \"${b}${a}\"}\n")
		section := &node{kind: Map, entries: []entry{{key: "data", val: trees(2).Draw(t, "workload")}}}
		src.WriteString("workload:\n  " + strings.ReplaceAll(strings.TrimSuffix(string(Value{n: section}.Canonical()), "\n"), "\n", "\n  ") + "\n")
		names := rapid.SliceOfNDistinct(rapid.StringMatching(`[A-C][0-9]{0,2}`), 0, 4, rapid.ID[string]).Draw(t, "names")
		order := rapid.Permutation(names).Draw(t, "order")
		with := func(names []string, flip bool) string {
			out := src.String() + "nodes:\n"
			for _, n := range names {
				if flip {
					out += "  - {rows: $a, kind: core, name: " + n + ", note: \"${b}$$\"}\n"
				} else {
					out += "  - {name: " + n + ", kind: core, rows: $a, note: \"${b}$$\"}\n"
				}
			}
			if len(names) == 0 {
				out += "  []\n"
			}
			return out
		}
		d, err := Parse("a.yaml", []byte(with(names, false)), Options{})
		if err != nil {
			t.Fatalf("%v\n%s", err, with(names, false))
		}
		again, err := Parse("b.yaml", d.Resolved(), Options{})
		require.NoError(t, err, string(d.Resolved()))
		require.Equal(t, string(d.Resolved()), string(again.Resolved()))
		other, err := Parse("c.yaml", []byte(with(order, true)), Options{})
		require.NoError(t, err)
		require.Equal(t, string(d.Resolved()), string(other.Resolved()))
	})
}

// Merging twice changes nothing more, and merging nothing changes nothing.
func TestMergeProperties(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a := Value{n: &node{kind: Map, entries: []entry{{key: "x", val: trees(3).Draw(t, "a")}}}}
		b := Value{n: &node{kind: Map, entries: []entry{{key: "x", val: trees(3).Draw(t, "b")}}}}
		empty := Value{n: &node{kind: Map}}
		require.Equal(t, string(a.Canonical()), string(a.Merge(empty).Canonical()))
		require.Equal(t, string(a.Canonical()), string(a.Merge(Value{}).Canonical()))
		once := a.Merge(b)
		if !strings.Contains(string(b.Canonical()), "null") { // a null finds nothing the second time
			require.Equal(t, string(once.Canonical()), string(once.Merge(b).Canonical()))
		}
	})
}

// FuzzParse: no text makes the parser panic or hang, every complaint has a
// place, and what loads resolves to itself.
func FuzzParse(f *testing.F) {
	for _, name := range []string{"testdata/one.yaml", "testdata/two.yaml", "testdata/three.yaml"} {
		text, err := os.ReadFile(name)
		require.NoError(f, err)
		f.Add(text, "cores=8")
	}
	transcript, err := os.ReadFile("testdata/errors.txt")
	require.NoError(f, err)
	for _, c := range strings.Split(string(transcript), "\n=== ") {
		_, body, _ := strings.Cut(c, "\n")
		input, _, _ := strings.Cut(body, "---\n")
		set := "Core[1].rows=$a"
		if s, ok := strings.CutPrefix(input, "set: "); ok {
			set, input, _ = strings.Cut(s, "\n")
		}
		f.Add([]byte(strings.Replace(input, "core: ", header+"nodes: [{name: Core, kind: core}]\nworkload: ", 1)), set)
	}
	f.Add([]byte(grouped), "Chip[1].Tile.rows=8")
	f.Add([]byte(overridden), `mapping."conv1.1".tile={a: [1, b]}`)
	f.Fuzz(func(t *testing.T, src []byte, set string) {
		o := presetOptions()
		o.ReadFile = func(string) ([]byte, error) { return nil, os.ErrNotExist }
		o.Set = []string{set}
		d, err := Parse("f.yaml", src, o)
		for _, e := range flatten(err) {
			var x *Error
			require.ErrorAs(t, e, &x)
			require.NotEmpty(t, x.File, e)
			require.Positive(t, x.Line, e)
		}
		if err != nil || d == nil {
			return
		}
		_ = decodeAll(d)
		for _, v := range d.Root.Get("nodes").Items() {
			if v.Get("group").Exists() {
				_, _ = d.Instantiate(v)
			}
		}
		again, err := Parse("g.yaml", d.Resolved(), presetOptions())
		if err != nil {
			t.Fatalf("%v\n%s", err, d.Resolved())
		}
		require.Equal(t, string(d.Resolved()), string(again.Resolved()))
	})
}

func flatten(err error) []error {
	var errs Errors
	if errors.As(err, &errs) {
		return errs
	}
	if err != nil {
		return []error{err}
	}
	return nil
}
