package configs

import (
	"errors"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"
)

func parse(t require.TestingT, src string) Value {
	v, err := ParseValue("a.yaml", []byte(src))
	require.NoError(t, err)
	return v
}

func TestKindsOfScalars(t *testing.T) {
	for src, want := range map[string]any{
		"null": nil, "~": nil, "true": true, "True": true, "FALSE": false,
		"8": int64(8), "-8": int64(-8), "+8": int64(8), "0": int64(0), "0x1F": int64(31), "0o17": int64(15),
		"18446744073709551615": uint64(18446744073709551615),
		"8.5":                  8.5, "8.0": 8.0, "1e3": 1000.0, ".5": 0.5, "5.": 5.0, "-1.5E-3": -0.0015,
		"yes": "yes", "no": "no", "on": "on", "Off": "Off", "y": "y", "1_000": "1_000", "1:30": "1:30",
		"2001-01-01": "2001-01-01", "940MHz": "940MHz", "1e5x": "1e5x", "-": nil, "-x": "-x", "0b1": "0b1",
		`"8"`: "8", "'true'": "true", "!!str 8": "8", "Core[0..3]": "Core[0..3]", "A -> B": "A -> B",
	} {
		if src == "-" {
			continue // an empty list item, see the transcript
		}
		require.Equal(t, want, parse(t, "a: "+src).Get("a").Any(), src)
	}
}

func TestAccessors(t *testing.T) {
	v := parse(t, "name: Core\nrows: 8\nload: 0.5\nexact: true\nbig: 1e3\nlist: [{name: A}, {x: 1}]\nmemory: [{tier: near, size: 1}]\nodd: ~\n")
	require.Equal(t, []string{"name", "rows", "load", "exact", "big", "list", "memory", "odd"}, v.Keys())
	s, err := v.Get("name").String()
	require.NoError(t, err)
	require.Equal(t, "Core", s)
	i, err := v.Get("big").Int()
	require.NoError(t, err)
	require.EqualValues(t, 1000, i)
	f, err := v.Get("rows").Float()
	require.NoError(t, err)
	require.Equal(t, 8.0, f)
	b, err := v.Get("exact").Bool()
	require.NoError(t, err)
	require.True(t, b)
	require.Equal(t, "0.5", v.Get("load").Text())
	require.Equal(t, "", v.Get("list").Text())
	require.Equal(t, "list.A", v.Get("list").Items()[0].Path())
	require.Equal(t, "list[1].x", v.Get("list").Items()[1].Get("x").Path())
	require.Equal(t, "memory.near.size", v.Get("memory").Items()[0].Get("size").Path())
	require.True(t, v.Get("odd").Exists())
	require.Equal(t, Null, v.Get("odd").Kind())
	require.Equal(t, Pos{"a.yaml", 2, 1}, v.KeyPos("rows"))
	require.Equal(t, Pos{"a.yaml", 2, 7}, v.Get("rows").Pos())
	require.Nil(t, v.Get("rows").Keys())
	require.Nil(t, v.Get("rows").Items())
	_, err = v.Get("name").Int()
	require.EqualError(t, err, `a.yaml:1:7: name: "Core" is not a whole number`)
	_, err = v.Get("load").Uint()
	require.EqualError(t, err, `a.yaml:3:7: load: 0.5 is not a whole number`)
	_, err = v.Get("rows").String()
	require.EqualError(t, err, `a.yaml:2:7: rows: 8 is not text`)
}

// What is not there still knows where it should be.
func TestAbsent(t *testing.T) {
	v := parse(t, "a:\n  b: 1\n")
	x := v.Get("a").Get("c").Get("d")
	require.False(t, x.Exists())
	require.Equal(t, Null, x.Kind())
	require.Equal(t, "a.c.d", x.Path())
	require.Equal(t, 2, x.Pos().Line)
	_, err := x.Int()
	require.EqualError(t, err, "a.yaml:2:3: a.c.d: is missing (want a whole number)")
	require.Nil(t, x.Any())
	var zero Value
	require.False(t, zero.Exists())
	require.False(t, zero.Get("x").Exists())
	require.Equal(t, "", zero.Path())
	require.Equal(t, Pos{}, zero.Pos())
}

func TestEditingIsPure(t *testing.T) {
	v := parse(t, "a: {b: 1, c: 2}\nd: 3\n")
	before := string(v.Canonical())
	w := v.With("d", parse(t, "4")).Without("a").With("e", parse(t, "[1]"))
	require.Equal(t, "d: 4\ne:\n  - 1\n", string(w.Canonical()))
	m := v.Merge(parse(t, "a: {b: 9}\nf: x\nd: null\n"))
	require.Equal(t, "a:\n  b: 9\n  c: 2\nf: x\n", string(m.Canonical()))
	require.Equal(t, before, string(v.Canonical()))
	require.Equal(t, "a.b", m.Get("a").Get("b").Path())
}

func TestMergeKeysAndAnchors(t *testing.T) {
	v := parse(t, "base: &b {x: 1, y: 2}\nother: &o {y: 3, z: 4}\none: {<<: *b, y: 5}\ntwo: {<<: [*b, *o]}\nsame: *b\n")
	require.Equal(t, "x: 1\n\"y\": 5\n", string(v.Get("one").Canonical()))
	require.Equal(t, "x: 1\n\"y\": 2\nz: 4\n", string(v.Get("two").Canonical()))
	require.Equal(t, v.Get("base").Any(), v.Get("same").Any())
	require.Equal(t, 1, v.Get("one").Get("x").Pos().Line, "what a merge key brings in stays where it was written")
	require.Equal(t, "one.x", v.Get("one").Get("x").Path())
}

func TestErrorsAreSortedAndSaidOnce(t *testing.T) {
	v := parse(t, "b: 1\na: 2\n")
	var errs Errors
	errs.Add(nil)
	errs.Add(v.Get("a").Errorf([]string{"x", "y"}, "is bad"))
	errs.Add(errors.Join(v.Get("b").Errorf(nil, "is worse"), v.Get("a").Errorf([]string{"x", "y"}, "is bad")))
	errs.Add(Errors{errors.New("plain")})
	require.EqualError(t, errs.Err(), "plain\na.yaml:1:4: b: is worse\na.yaml:2:4: a: is bad (want one of: x, y)")
	require.NoError(t, Errors(nil).Err())
	var e *Error
	require.ErrorAs(t, errs.Err(), &e)
	require.Equal(t, Pos{"a.yaml", 1, 4}, PosOf(v.Get("b").Errorf(nil, "x")))
}

func TestNearest(t *testing.T) {
	words := []string{"rows", "cols", "clock", "dataflow", "outstanding", "os", "ws"}
	for word, want := range map[string]string{
		"rosw": "rows", "row": "rows", "Rows": "rows", "colls": "cols", "clk": "clock", "data_flow": "dataflow", "data-flow": "dataflow",
		"out": "outstanding", "so": "os", "w": "", "banana": "", "": "", "r": "", "x": "",
	} {
		require.Equal(t, want, Nearest(word, words), word)
	}
}

// The fast distance against the definition.
func TestDistanceTwin(t *testing.T) {
	words := []string{"", "a", "ab", "ba", "abc", "acb", "rows", "rosw", "kitten", "sitting", "ca", "abcd"}
	for _, a := range words {
		for _, b := range words {
			require.Equal(t, slowDistance(a, b), distance(a, b, 60), "%s %s", a, b)
		}
	}
}

func slowDistance(a, b string) int {
	if a == "" || b == "" {
		return len(a) + len(b)
	}
	d := min(slowDistance(a[1:], b)+1, slowDistance(a, b[1:])+1)
	if a[0] == b[0] {
		d = min(d, slowDistance(a[1:], b[1:]))
	} else {
		d = min(d, slowDistance(a[1:], b[1:])+1)
	}
	if len(a) > 1 && len(b) > 1 && a[0] == b[1] && a[1] == b[0] {
		d = min(d, slowDistance(a[2:], b[2:])+1)
	}
	return d
}

func TestCompareNames(t *testing.T) {
	sorted := []string{"A", "A1", "A2", "A10", "A10b", "B", "Core[2]", "Core[10]", "core"}
	for i, a := range sorted {
		for j, b := range sorted {
			require.Equal(t, i < j, CompareNames(a, b) < 0, "%s %s", a, b)
			require.Equal(t, i == j, CompareNames(a, b) == 0, "%s %s", a, b)
		}
	}
	require.NotZero(t, CompareNames("A1", "A01"), "other names are never equal")
}

func ExampleValue_Errorf() {
	v, _ := ParseValue("system.yaml", []byte("policy:\n  name: lur\n"))
	fmt.Println(v.Get("policy").Get("name").Errorf([]string{"fifo", "lru"}, "no such policy"))
	// Output: system.yaml:2:9: policy.name: no such policy (want one of: fifo, lru; did you mean "lru"?)
}
