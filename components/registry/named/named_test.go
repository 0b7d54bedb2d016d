package named_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/components/registry"
	"github.com/causeway-sim/causeway/components/registry/named"
	"github.com/causeway-sim/causeway/configs"
	"github.com/causeway-sim/causeway/configs/schema"
	_ "github.com/causeway-sim/causeway/configs/yaml"
)

type strict struct {
	Limit int `yaml:"limit" doc:"Most"`
}

func rules() *registry.Registry[int] {
	r := registry.New[int]("rule")
	r.Add(registry.Entry[int]{Name: "loose", Doc: "Takes no parameters."})
	r.Add(registry.Entry[int]{Name: "strict", Doc: "Takes one.", Spec: strict{Limit: 3}})
	return r
}

func TestRead(t *testing.T) {
	for text, want := range map[string]named.Choice{
		"rule: loose":                     {Name: "loose"},
		"rule: {name: loose}":             {Name: "loose"},
		"rule: strict":                    {Name: "strict", Spec: strict{3}},
		"rule: {name: strict, limit: 12}": {Name: "strict", Spec: strict{12}},
	} {
		v, err := configs.ParseValue("a.yaml", []byte(text))
		require.NoError(t, err)
		n, err := named.Read(v.Get("rule"), "rule", rules())
		require.NoError(t, err, text)
		require.Equal(t, want, n, text)
		require.Equal(t, want.Name, n.String())
	}
}

func TestReadRefuses(t *testing.T) {
	for text, want := range map[string]string{
		"rule: lose":                    `a.yaml:1:7: rule: unknown rule "lose" (want one of: loose, strict; did you mean "loose"?)`,
		"rule: {limit: 3}":              "rule: has no name",
		"rule: {name: loose, limit: 3}": "a.yaml:1:21: rule.limit: unknown key (want name)",
		"rule: [loose]":                 "a.yaml:1:7",
	} {
		v, err := configs.ParseValue("a.yaml", []byte(text))
		require.NoError(t, err)
		_, err = named.Read(v.Get("rule"), "rule", rules())
		require.ErrorContains(t, err, want, text)
	}
}

func TestSchemaNamesAll(t *testing.T) {
	require.Equal(t, schema.Schema{
		"title": "a rule: its name and parameters", "examples": []any{"loose"},
		"anyOf": []any{schema.Schema{"type": "string", "enum": []string{"loose", "strict"}}, schema.Schema{"type": "object", "required": []any{"name"}}},
	}, named.Schema("a rule", rules()))
}
