// Package editor writes the JSON Schema of whole configurations, with which an editor completes and
// checks them:
//
//	# yaml-language-server: $schema=causeway.schema.json
//
// The schema accepts more than a run does. $name is allowed for every value, and no key is required,
// because presets and extends may supply it. It uses draft 7 with if/then by kind and fidelity, which
// editors support. What a run accepts is decided by package configs.
package editor

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"

	"github.com/causeway-sim/causeway/components/units"
	"github.com/causeway-sim/causeway/configs"
	"github.com/causeway-sim/causeway/configs/schema"
)

// Schema returns the JSON Schema of a configuration with nodes of the kinds given, and with more
// sections. Two kinds of one name and fidelity are an error.
func Schema(kinds []schema.Kind, more ...schema.Section) ([]byte, error) {
	defs := schema.Schema{"param": schema.Schema{"type": "string", "pattern": `\$`, "title": "a parameter"}}
	node, err := nodeSchema(kinds, defs)
	if err != nil {
		return nil, err
	}
	defs["node"] = node
	nodes := schema.Schema{"type": "array", "items": ref("node")}
	params := schema.Schema{"type": "object", "description": "Named values; --set name=value overrides one.", "propertyNames": schema.Schema{"pattern": configs.ParameterName}}
	group := schema.Schema{"type": "object", "properties": schema.Schema{"params": params, "nodes": nodes, "links": ref("links"), "ports": schema.Schema{"type": "object"}}}
	link := loosen(schema.Of(linkSpec{}), "").(schema.Schema)
	link["required"] = []any{"link"}
	defs["links"] = schema.Schema{"type": "array", "description": "A.port -> B.port, or a mapping with link: and attributes.",
		"items": schema.Schema{"anyOf": []any{schema.Schema{"type": "string"}, link}}}
	props := schema.Schema{
		"schema":  schema.Schema{"const": configs.Version},
		"extends": schema.Schema{"description": "Files or preset:NAME that this configuration overrides.", "type": []any{"string", "array"}, "items": schema.Schema{"type": []any{"string", "array"}, "items": schema.Schema{"type": "string"}}},
		"params":  params,
		"presets": schema.Schema{"type": "object", "description": "Defaults for nodes, by name.", "additionalProperties": schema.Schema{"type": "object"}},
		"nodes":   nodes,
		"groups":  schema.Schema{"type": "object", "additionalProperties": group},
		"links":   ref("links"),
	}
	for _, s := range configs.Sections() {
		if _, done := props[s]; !done {
			props[s] = true
		}
	}
	for _, s := range more {
		body := loosen(schema.Of(s.Spec), "").(schema.Schema)
		body["description"] = s.Doc
		props[s.Name] = body
	}
	return json.MarshalIndent(schema.Schema{
		"$schema": "http://json-schema.org/draft-07/schema#", "title": "A Causeway configuration", "type": "object",
		"properties": props, "required": []any{"schema"}, "additionalProperties": false, "definitions": defs,
	}, "", " ")
}

func ref(name string) schema.Schema { return schema.Schema{"$ref": "#/definitions/" + name} }

// linkSpec is what a link may carry; components/system gives it its meaning.
type linkSpec struct {
	Link      string          `yaml:"link" doc:"A.port -> B.port"`
	Latency   units.Latency   `yaml:"latency" doc:"from end to end, in cycles of the receiver or time"`
	Bandwidth units.Bandwidth `yaml:"bandwidth" doc:"each way"`
	Placement string          `yaml:"placement" doc:"of an array of nodes on the terminals of a network: linear, random, router, group or spread"`
}

// nodeSchema picks the keys of a node by its kind and fidelity.
func nodeSchema(kinds []schema.Kind, defs schema.Schema) (schema.Schema, error) {
	own := schema.Schema{
		"name":     schema.Schema{"type": "string", "pattern": "^[A-Z]", "description": "Unique; starts with a capital."},
		"kind":     schema.Schema{"type": "string"},
		"fidelity": schema.Schema{"type": "string"},
		"group":    schema.Schema{"type": "string", "description": "The group that this node is one of."},
		"params":   schema.Schema{"type": "object", "description": "Parameters of the group."},
		"count":    orParam(schema.Schema{"type": "integer", "minimum": 1}),
		"preset":   presetKey(),
		"elements": schema.Schema{"type": "array", "description": "What single elements do differently.",
			"items": schema.Schema{"type": "object", "required": []any{"index"}}},
		"override": schema.Schema{"type": "object", "description": "What changes inside the group, by node."},
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
		body := loosen(schema.Of(k.Spec), "").(schema.Schema)
		props, _ := body["properties"].(schema.Schema)
		all := maps.Clone(own)
		maps.Copy(all, props)
		words := []any{}
		for _, f := range levels[k.Kind] {
			if f != "" {
				words = append(words, f)
			}
		}
		all["kind"] = schema.Schema{"const": k.Kind}
		all["fidelity"] = schema.Schema{"enum": words}
		if len(words) == 0 {
			delete(all, "fidelity")
		}
		body["properties"], body["description"] = all, k.Doc
		name := k.Kind
		cond := schema.Schema{"properties": schema.Schema{"kind": schema.Schema{"const": k.Kind}}, "required": []any{"kind"}}
		if k.Fidelity != "" {
			name += "." + k.Fidelity
			cond["properties"].(schema.Schema)["fidelity"] = schema.Schema{"const": k.Fidelity}
			if !k.Default {
				cond["required"] = []any{"kind", "fidelity"}
			}
		}
		defs[name] = body
		rules = append(rules, schema.Schema{"if": cond, "then": ref(name)})
	}
	for _, kind := range names {
		if words := levels[kind.(string)]; words[0] != "" {
			rules = append(rules, schema.Schema{
				"if":   schema.Schema{"properties": schema.Schema{"kind": schema.Schema{"const": kind}}, "required": []any{"kind"}},
				"then": schema.Schema{"properties": schema.Schema{"fidelity": orParam(schema.Schema{"enum": words})}},
			})
		}
	}
	own["kind"] = orParam(schema.Schema{"enum": names})
	node := schema.Schema{"type": "object", "properties": own, "required": []any{"name"}}
	if len(rules) > 0 {
		node["allOf"] = rules
	}
	return node, nil
}

func presetKey() schema.Schema {
	var names []any
	for _, p := range configs.Presets() {
		if p.Kind != "" {
			names = append(names, p.Name)
		}
	}
	return schema.Schema{"type": "string", "description": "Defaults to start from: a built-in preset, one of presets, or a file.", "examples": names}
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
	case schema.Schema:
		out := schema.Schema{}
		for k, e := range x {
			switch k {
			case "required":
			case "properties":
				in := schema.Schema{}
				for name, p := range e.(schema.Schema) {
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
	s, ok := p.(schema.Schema)
	if !ok || s["type"] != "object" && s["type"] != "array" {
		return p
	}
	in, out := maps.Clone(s), schema.Schema{}
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
func orParam(s schema.Schema) schema.Schema {
	t, _ := s["type"].(string)
	_, enum := s["enum"]
	if t == "object" || t == "array" || t == "" && !enum || t == "string" && !enum && s["pattern"] == nil {
		return s
	}
	in, out := maps.Clone(s), schema.Schema{}
	for _, k := range []string{"description", "default", "title"} {
		if x, ok := in[k]; ok {
			out[k] = x
			delete(in, k)
		}
	}
	out["anyOf"] = []any{in, ref("param")}
	return out
}
