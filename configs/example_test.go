package configs_test

import (
	"fmt"

	"github.com/causeway-sim/causeway/components/units"
	"github.com/causeway-sim/causeway/configs"
)

// A configuration with a parameter, an override for one element, and a Spec
// that one of its nodes decodes into.
func Example() {
	const text = `schema: causeway/1
params: {cores: 2}
nodes:
  - {name: Core, kind: systolic, count: $cores, rows: 128, clock: 940MHz}
`
	doc, err := configs.Parse("system.yaml", []byte(text), configs.Options{Set: []string{"cores=4", "Core[1].rows=64"}})
	if err != nil {
		fmt.Println(err)
		return
	}
	type Spec struct {
		Rows  int             `yaml:"rows" jsonschema:"minimum=1"`
		Clock units.Frequency `yaml:"clock"`
	}
	for _, node := range doc.Root.Get("nodes").Items() {
		count, _ := node.Get("count").Int()
		for i := range int(count) {
			element, err := node.Element(i, int(count))
			if err != nil {
				fmt.Println(err)
				return
			}
			spec := Spec{Rows: 1}
			if err := element.Decode(&spec, configs.Beside("name", "kind")); err != nil {
				fmt.Println(err)
				return
			}
			fmt.Println(i, spec.Rows, spec.Clock)
		}
	}
	// Output:
	// 0 128 940MHz
	// 1 64 940MHz
	// 2 128 940MHz
	// 3 128 940MHz
}

// Everything wrong is said at once, with its place and what is allowed.
func ExampleValue_Decode() {
	v, _ := configs.ParseValue("core.yaml", []byte("rosw: 8\nclock: 940\nmode: fats\n"))
	spec := struct {
		Rows  int             `yaml:"rows"`
		Clock units.Frequency `yaml:"clock"`
		Mode  string          `yaml:"mode" jsonschema:"enum=fast,enum=slow"`
	}{}
	fmt.Println(v.Decode(&spec))
	// Output:
	// core.yaml:1:1: rosw: unknown key (want one of: clock, mode, rows; did you mean "rows"?)
	// core.yaml:2:8: clock: "940" lacks a unit (units: GHz, MHz, KHz, kHz, Hz, ps, ns, us, ms, s)
	// core.yaml:3:7: mode: "fats" is not known (want one of: fast, slow; did you mean "fast"?)
}

// The resolved configuration is canonical: two spellings, the same bytes.
func ExampleDocument_Resolved() {
	doc, _ := configs.Parse("a.yaml", []byte("schema: causeway/1\nparams: {n: 2}\nnodes: [{kind: b, name: B10}, {name: B9, kind: b, count: $n}]\n"), configs.Options{})
	fmt.Print(string(doc.Resolved()))
	// Output:
	// schema: causeway/1
	// params:
	//   "n": 2
	// nodes:
	//   - name: B9
	//     kind: b
	//     count: 2
	//   - name: B10
	//     kind: b
}
