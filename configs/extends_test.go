package configs

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// disk serves files from a map.
func disk(files map[string]string) Options {
	return Options{ReadFile: func(name string) ([]byte, error) {
		if text, ok := files[filepath.ToSlash(name)]; ok {
			return []byte(text), nil
		}
		return nil, &os.PathError{Op: "open", Path: name, Err: os.ErrNotExist}
	}}
}

const header = "schema: causeway/1\n"

func TestExtends(t *testing.T) {
	base := header + `params: {cores: 4, mode: min}
workload: {model: resnet50, dtype: int8, batch: 1}
nodes:
  - {name: Core, kind: core, rows: 64, sram: {ifmap: 1MiB, filter: 2MiB}, policy: {name: dco, depth: 4}}
  - {name: Mem, kind: memory, latency: 80ns}
links:
  - Core -> Mem
memory:
  - {tier: near, node: Mem, size: 1GiB}
  - {tier: far, node: Mem, size: 2GiB}
`
	for _, c := range []struct{ name, over, path, want string }{
		{"one key, the rest stays", "nodes: [{name: Core, sram: {ifmap: 4MiB}}]", "nodes.Core.sram", "filter: 2MiB\nifmap: 4MiB\n"},
		{"other nodes stay", "nodes: [{name: Core, rows: 8}]", "nodes.Mem", "name: Mem\nkind: memory\nlatency: 80ns\n"},
		{"a new node", "nodes: [{name: New, kind: x}]", "nodes.New", "name: New\nkind: x\n"},
		{"a node goes", "nodes: [{name: Mem, remove: true}]", "nodes.Mem", ""},
		{"a node that was not there goes", "nodes: [{name: Nope, remove: true}]", "nodes.Nope", ""},
		{"a key goes", "nodes: [{name: Core, rows: null}]", "nodes.Core.rows", ""},
		{"a nested key goes", "workload: {batch: ~}", "workload", "dtype: int8\nmodel: resnet50\n"},
		{"other lists are replaced", "links: [A -> B]", "links", "- A -> B\n"},
		{"a scalar by a mapping", "workload: {dtype: {weight: int8}}", "workload.dtype", "weight: int8\n"},
		{"a parameter", "params: {cores: 8}", "params", "cores: 8\nmode: min\n"},
		{"ranges by tier", "memory: [{tier: far, size: 9GiB}]", "memory.far", "tier: far\nnode: Mem\nsize: 9GiB\n"},
		{"another name is another thing", "nodes: [{name: Core, policy: {name: lru}}]", "nodes.Core.policy", "name: lru\n"},
		{"the same name is the same thing", "nodes: [{name: Core, policy: {name: dco, bits: 2}}]", "nodes.Core.policy", "name: dco\nbits: 2\ndepth: 4\n"},
		{"a section goes", "memory: null", "memory", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			o := disk(map[string]string{"dir/base.yaml": base, "dir/over.yaml": header + "extends: base.yaml\n" + c.over + "\n"})
			d, err := Load("dir/over.yaml", o)
			require.NoError(t, err)
			require.Equal(t, c.want, string(find(d.Root, c.path).Canonical()))
			require.False(t, d.Root.Get("extends").Exists())
			require.Equal(t, []string{"dir/over.yaml", "dir/base.yaml"}, d.Files)
		})
	}
}

// find follows a printed path without indices.
func find(v Value, path string) Value {
next:
	for _, step := range strings.Split(path, ".") {
		if v.Kind() == List {
			for _, x := range v.Items() {
				if strings.HasSuffix("."+x.Path(), "."+step) {
					v = x
					continue next
				}
			}
			return Value{}
		}
		v = v.Get(step)
	}
	return v
}

// Places point at the file that supplied the value.
func TestExtendsKeepsPlaces(t *testing.T) {
	o := disk(map[string]string{
		"a.yaml":     header + "extends: sub/b.yaml\nnodes:\n  - {name: Core, cols: x}\n",
		"sub/b.yaml": header + "nodes:\n  - {name: Core, kind: core, rows: y}\n",
	})
	d, err := Load("a.yaml", o)
	require.NoError(t, err)
	require.EqualError(t, decodeAll(d), `a.yaml:4:24: nodes.Core.cols: "x" is not a whole number
sub/b.yaml:3:36: nodes.Core.rows: "y" is not a whole number`)
}

// The later base wins over the earlier, the file itself over both; each base
// brings what it extends.
func TestExtendsInOrder(t *testing.T) {
	o := disk(map[string]string{
		"a.yaml": header + "extends: [b.yaml, c.yaml]\nworkload: {a: 1}\n",
		"b.yaml": header + "extends: d.yaml\nworkload: {a: 2, b: 2}\n",
		"c.yaml": header + "workload: {b: 3, c: 3}\n",
		"d.yaml": header + "workload: {b: 4, c: 4, d: 4}\n",
	})
	d, err := Load("a.yaml", o)
	require.NoError(t, err)
	require.Equal(t, "a: 1\nb: 3\nc: 3\nd: 4\n", string(d.Root.Get("workload").Canonical()))
	require.Equal(t, []string{"a.yaml", "b.yaml", "d.yaml", "c.yaml"}, d.Files)
}

// Two files may extend the same one; that is no circle.
func TestExtendsDiamond(t *testing.T) {
	o := disk(map[string]string{
		"a.yaml": header + "extends: [b.yaml, c.yaml]\n",
		"b.yaml": header + "extends: d.yaml\n",
		"c.yaml": header + "extends: d.yaml\n",
		"d.yaml": header + "workload: {d: 4}\n",
	})
	_, err := Load("a.yaml", o)
	require.NoError(t, err)
}

func TestExtendsCircle(t *testing.T) {
	o := disk(map[string]string{
		"x/a.yaml": header + "extends: ../y/b.yaml\n",
		"y/b.yaml": header + "extends: c.yaml\n",
		"y/c.yaml": header + "extends: [./b.yaml]\n",
	})
	_, err := Load("x/a.yaml", o)
	require.EqualError(t, err, "y/c.yaml:2:11: extends[0]: extends itself: y/b.yaml -> y/c.yaml -> y/b.yaml")
}

// All that is wrong in all files is said at once.
func TestExtendsCollects(t *testing.T) {
	o := disk(map[string]string{
		"a.yaml": header + "extends: [b.yaml, c.yaml, d.yaml]\nnodse: 1\n",
		"b.yaml": header + "a: [\n",
		"c.yaml": "nodes: []\n",
	})
	_, err := Load("a.yaml", o)
	var errs Errors
	require.True(t, errors.As(err, &errs))
	require.Len(t, errs, 4)
	require.Contains(t, err.Error(), "a.yaml:2:27: extends[2]: d.yaml: no such file")
	require.Contains(t, err.Error(), "b.yaml:3:1: not YAML")
	require.Contains(t, err.Error(), "c.yaml:1:1: schema: is missing")
}

func TestMissingMainFile(t *testing.T) {
	_, err := Load("nowhere.yaml", disk(nil))
	require.EqualError(t, err, "nowhere.yaml: no such file")
}

// A node of another kind replaces the one of its name: the keys of a bank of DRAM mean
// nothing to a CXL device. A node of the same kind, and an element, go on merging.
func TestExtendsSwapsAKind(t *testing.T) {
	base := "schema: causeway/1\nnodes:\n" +
		"  - {name: Mem, kind: memory, fidelity: bank, preset: ddr4_3200, channels: 2}\n" +
		"  - {name: Core, kind: systolic, rows: 8, count: 2}\n"
	for over, want := range map[string]string{
		"{name: Mem, kind: cxl_type3, size: 1GiB}":                         "name: Mem\nkind: cxl_type3\nsize: 1GiB\n",
		"{name: Mem, group: Pool}":                                         "name: Mem\ngroup: Pool\n",
		"{name: Core, kind: systolic, rows: 16}":                           "name: Core\nkind: systolic\ncount: 2\nrows: 16\n",
		"{name: Core, elements: [{index: 1, kind: roofline, rows: null}]}": "name: Core\nkind: systolic\ncount: 2\n",
	} {
		d, err := Parse("over.yaml", []byte("schema: causeway/1\nextends: base.yaml\nnodes:\n  - "+over+"\n"),
			Options{ReadFile: func(string) ([]byte, error) { return []byte(base), nil }})
		require.NoError(t, err, over)
		name := over[len("{name: "):strings.Index(over, ",")]
		require.Contains(t, string(d.Resolved()), "- "+strings.ReplaceAll(strings.TrimSpace(want), "\n", "\n    "), name)
	}
}

// A list in extends stands for the first of its files that exists, whatever parameter chooses it.
func TestExtendsTheFirstThere(t *testing.T) {
	files := map[string]string{
		"a.yaml":       header + "params: {n: 1}\nextends: [[\"own/${n}.yaml\", rest.yaml]]\n",
		"own/1.yaml":   header + "workload: {batch: 1}\n",
		"rest.yaml":    header + "workload: {batch: 2}\n",
		"none.yaml":    header + "extends: [[b.yaml, sub/c.yaml]]\n",
		"broken.yaml":  header + "extends: [[bad.yaml, rest.yaml]]\n",
		"bad.yaml":     "schema: causeway/0\n",
		"numbers.yaml": header + "extends: [[1, rest.yaml], []]\n",
	}
	for set, want := range map[string]string{"n=1": "1", "n=2": "2"} {
		o := disk(files)
		o.Set = []string{set}
		d, err := Load("a.yaml", o)
		require.NoError(t, err)
		require.Equal(t, want, d.Root.Get("workload").Get("batch").Text())
	}
	for file, want := range map[string]string{
		"none.yaml":    "none.yaml:2:20: extends[0][1]: sub/c.yaml: no such file",
		"broken.yaml":  "bad.yaml:1:9: schema: \"causeway/0\" is not known",
		"numbers.yaml": "numbers.yaml:2:12: extends[0][0]: 1 is not text\nnumbers.yaml:2:27: extends[1]: is empty (want files",
	} {
		_, err := Load(file, disk(files))
		require.ErrorContains(t, err, want)
	}
}
