package configs

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"

	"github.com/causeway-sim/causeway/components/units"
)

// A KindSchema is one node kind at one fidelity.
type KindSchema struct {
	Kind     string
	Fidelity string // "" if the kind has one level only
	Default  bool   // taken where the node names no fidelity
	Doc      string // one sentence
	Spec     any    // struct with the defaults
}

// A SectionSchema is one top-level section that a caller of this package reads.
type SectionSchema struct {
	Name string // workload
	Doc  string
	Spec any
}

// DocumentSchema is the JSON Schema of a whole configuration, for completion
// and checks in an editor:
//
//	# yaml-language-server: $schema=causeway.schema.json
//
// It accepts more than Decode: $name for every value, and no key is required, because presets and
// extends may supply it. It uses draft 7 with if/then by kind and fidelity, which editors support.
func DocumentSchema(kinds []KindSchema, more ...SectionSchema) ([]byte, error) {
	defs := Schema{"param": Schema{"type": "string", "pattern": `\$`, "title": "a parameter"}}
	node, err := nodeSchema(kinds, defs)
	if err != nil {
		return nil, err
	}
	defs["node"] = node
	nodes := Schema{"type": "array", "items": ref("node")}
	params := Schema{"type": "object", "description": "Named values; --set name=value overrides one.", "propertyNames": Schema{"pattern": isName.String()}}
	group := Schema{"type": "object", "properties": Schema{"params": params, "nodes": nodes, "links": ref("links"), "ports": Schema{"type": "object"}}}
	link := loosen(SchemaOf(linkSpec{}), "").(Schema)
	link["required"] = []any{"link"}
	defs["links"] = Schema{"type": "array", "description": "A.port -> B.port, or a mapping with link: and attributes.",
		"items": Schema{"anyOf": []any{Schema{"type": "string"}, link}}}
	props := Schema{
		"schema":  Schema{"const": Version},
		"extends": Schema{"description": "Files or preset:NAME that this configuration overrides.", "type": []any{"string", "array"}, "items": Schema{"type": "string"}},
		"params":  params,
		"presets": Schema{"type": "object", "description": "Defaults for nodes, by name.", "additionalProperties": Schema{"type": "object"}},
		"nodes":   nodes,
		"groups":  Schema{"type": "object", "additionalProperties": group},
		"links":   ref("links"),
	}
	for _, s := range sections {
		if _, done := props[s]; !done {
			props[s] = true
		}
	}
	for _, s := range more {
		body := loosen(SchemaOf(s.Spec), "").(Schema)
		body["description"] = s.Doc
		props[s.Name] = body
	}
	return json.MarshalIndent(Schema{
		"$schema": "http://json-schema.org/draft-07/schema#", "title": "A Causeway configuration", "type": "object",
		"properties": props, "required": []any{"schema"}, "additionalProperties": false, "definitions": defs,
	}, "", " ")
}

func ref(name string) Schema { return Schema{"$ref": "#/definitions/" + name} }

// linkSpec is what a link may carry; components/system gives it its meaning.
type linkSpec struct {
	Link      string          `yaml:"link" doc:"A.port -> B.port"`
	Latency   units.Latency   `yaml:"latency" doc:"from end to end, in cycles of the receiver or time"`
	Bandwidth units.Bandwidth `yaml:"bandwidth" doc:"each way"`
	Placement string          `yaml:"placement" doc:"of an array of nodes on the terminals of a network: linear, random, router, group or spread"`
}

// nodeSchema picks the keys of a node by its kind and fidelity.
func nodeSchema(kinds []KindSchema, defs Schema) (Schema, error) {
	own := Schema{
		"name":     Schema{"type": "string", "pattern": "^[A-Z]", "description": "Unique; starts with a capital."},
		"kind":     Schema{"type": "string"},
		"fidelity": Schema{"type": "string"},
		"group":    Schema{"type": "string", "description": "The group that this node is one of."},
		"params":   Schema{"type": "object", "description": "Parameters of the group."},
		"count":    orParam(Schema{"type": "integer", "minimum": 1}),
		"preset":   presetKey(),
		elementsKey: Schema{"type": "array", "description": "What single elements do differently.",
			"items": Schema{"type": "object", "required": []any{"index"}}},
		overrideKey: Schema{"type": "object", "description": "What changes inside the group, by node."},
	}
	var names, rules []any
	levels := map[string][]string{}
	for _, k := range kinds {
		if slices.Contains(levels[k.Kind], k.Fidelity) {
			return nil, fmt.Errorf("node kind %s %s twice", k.Kind, k.Fidelity)
		}
		if len(levels[k.Kind]) == 0 {
			names = append(names, k.Kind)
		}
		levels[k.Kind] = append(levels[k.Kind], k.Fidelity)
	}
	for _, k := range kinds {
		body := loosen(SchemaOf(k.Spec), "").(Schema)
		props, _ := body["properties"].(Schema)
		all := maps.Clone(own)
		maps.Copy(all, props)
		words := []any{}
		for _, f := range levels[k.Kind] {
			if f != "" {
				words = append(words, f)
			}
		}
		all["kind"] = Schema{"const": k.Kind}
		all["fidelity"] = Schema{"enum": words}
		if len(words) == 0 {
			delete(all, "fidelity")
		}
		body["properties"], body["description"] = all, k.Doc
		name := k.Kind
		cond := Schema{"properties": Schema{"kind": Schema{"const": k.Kind}}, "required": []any{"kind"}}
		if k.Fidelity != "" {
			name += "." + k.Fidelity
			cond["properties"].(Schema)["fidelity"] = Schema{"const": k.Fidelity}
			if !k.Default {
				cond["required"] = []any{"kind", "fidelity"}
			}
		}
		defs[name] = body
		rules = append(rules, Schema{"if": cond, "then": ref(name)})
	}
	for _, kind := range names {
		if words := levels[kind.(string)]; words[0] != "" {
			rules = append(rules, Schema{
				"if":   Schema{"properties": Schema{"kind": Schema{"const": kind}}, "required": []any{"kind"}},
				"then": Schema{"properties": Schema{"fidelity": orParam(Schema{"enum": words})}},
			})
		}
	}
	own["kind"] = orParam(Schema{"enum": names})
	node := Schema{"type": "object", "properties": own, "required": []any{"name"}}
	if len(rules) > 0 {
		node["allOf"] = rules
	}
	return node, nil
}

func presetKey() Schema {
	var names []any
	for _, p := range Presets() {
		if p.Kind != "" {
			names = append(names, p.Name)
		}
	}
	return Schema{"type": "string", "description": "Defaults to start from: a built-in preset, one of presets, or a file.", "examples": names}
}

// loosen allows $name wherever a scalar is, a preset in every mapping, and
// requires nothing.
func loosen(s any, key string) any {
	switch x := s.(type) {
	case []any:
		out := make([]any, len(x))
		for i, e := range x {
			out[i] = loosen(e, "")
		}
		return out
	case Schema:
		out := Schema{}
		for k, e := range x {
			switch k {
			case "required":
			case "properties":
				in := Schema{}
				for name, p := range e.(Schema) {
					in[name] = orWhole(loosen(p, name))
				}
				if _, has := in["preset"]; !has && key != "" {
					in["preset"] = presetKey()
				}
				out[k] = in
			case "items", "additionalProperties", "anyOf", "oneOf", "allOf":
				out[k] = loosen(e, k)
			default:
				out[k] = e
			}
		}
		return orParam(out)
	}
	return s
}

// orWhole lets a parameter stand for a mapping or a list, the value of a key.
func orWhole(p any) any {
	s, ok := p.(Schema)
	if !ok || s["type"] != "object" && s["type"] != "array" {
		return p
	}
	in, out := maps.Clone(s), Schema{}
	for _, k := range []string{"description", "title"} {
		if x, ok := in[k]; ok {
			out[k] = x
			delete(in, k)
		}
	}
	out["anyOf"] = []any{in, ref("param")}
	return out
}

// orParam lets a parameter stand for a scalar. Description and default stay
// outside, where an editor shows them.
func orParam(s Schema) Schema {
	t, _ := s["type"].(string)
	_, enum := s["enum"]
	if t == "object" || t == "array" || t == "" && !enum || t == "string" && !enum && s["pattern"] == nil {
		return s
	}
	in, out := maps.Clone(s), Schema{}
	for _, k := range []string{"description", "default", "title"} {
		if x, ok := in[k]; ok {
			out[k] = x
			delete(in, k)
		}
	}
	out["anyOf"] = []any{in, ref("param")}
	return out
}
