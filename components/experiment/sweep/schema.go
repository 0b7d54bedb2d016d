package sweep

import (
	"encoding/json"

	"github.com/causeway-sim/causeway/components/explore"
	"github.com/causeway-sim/causeway/configs/schema"
)

// Schema is the JSON Schema of a sweep file, for editors:
//
//	# yaml-language-server: $schema=causeway-sweep.schema.json
//
// It accepts more than Load: paths of axes, metrics and formulas are any text.
func Schema() ([]byte, error) {
	text := schema.Schema{"type": "string"}
	texts := schema.Schema{"type": "array", "items": text}
	oneOrMore := schema.Schema{"anyOf": []any{text, texts}}
	count := schema.Schema{"type": "integer", "minimum": 1}
	number := schema.Schema{"type": "number"}
	rule := schema.Schema{"type": "object", "additionalProperties": false, "required": []any{"from", "to"},
		"properties": schema.Schema{"from": number, "to": number, "step": number, "times": number, "unit": text},
		"oneOf":      []any{schema.Schema{"required": []any{"step"}}, schema.Schema{"required": []any{"times"}}}}
	axis := schema.Schema{"anyOf": []any{schema.Schema{"type": "array", "minItems": 1}, rule}}
	axes := schema.Schema{"type": "object", "minProperties": 1, "additionalProperties": axis,
		"description": "Values of each setting, by its path; PATH, PATH sets several together: a list, or {from, to, step|times, unit}."}
	goals := schema.Schema{"anyOf": []any{texts, schema.Schema{"type": "object", "additionalProperties": schema.Schema{"enum": []any{"min", "max"}}}},
		"description": "What is best: metrics or formulas, each with min or max; a list is to be small."}
	table := schema.Schema{"type": "object", "additionalProperties": false, "required": []any{"metric", "rows", "columns"},
		"properties": schema.Schema{"metric": text, "rows": true, "columns": true, "unless": text}}
	var modes []any
	for _, m := range illegalModes {
		modes = append(modes, m)
	}
	described := func(s schema.Schema, doc string) schema.Schema {
		out := schema.Schema{"description": doc}
		for k, v := range s {
			out[k] = v
		}
		return out
	}
	props := schema.Schema{
		"base":        described(text, "The configuration that is varied, relative to this file."),
		"set":         described(texts, "PATH=VALUE for all points."),
		"sweep":       axes,
		"metrics":     described(texts, "Columns of sweep.csv; all, if left out."),
		"where":       described(oneOrMore, "Conditions on settings; points that do not meet them are left out."),
		"method":      methodSchema(),
		"objectives":  goals,
		"constraints": described(oneOrMore, "Conditions on metrics that a good point meets."),
		"seeds":       described(schema.Schema{"anyOf": []any{count, schema.Schema{"type": "array", "items": schema.Schema{"type": "integer"}, "minItems": 1}}}, "Each point with the seeds 1 to N, or with these; means are in mean.csv."),
		"average":     described(texts, "Axes that means are taken over as well."),
		"labels":      schema.Schema{"type": "object", "description": "What the values of an axis are called in tables.", "additionalProperties": schema.Schema{"type": "array"}},
		"tables":      schema.Schema{"type": "object", "description": "Tables of a metric by two axes.", "additionalProperties": table},
		"illegal":     schema.Schema{"enum": modes, "description": "What happens to points that cannot be run."},
	}
	return json.MarshalIndent(schema.Schema{
		"$schema": "http://json-schema.org/draft-07/schema#", "title": "A Causeway sweep", "type": "object",
		"properties": props, "required": []any{"base"}, "additionalProperties": false,
	}, "", " ")
}

// methodSchema has the keys of each search method, by its name.
func methodSchema() schema.Schema {
	var names, rules []any
	for _, e := range explore.All.Entries() {
		names = append(names, e.Name)
		props := schema.Schema{"name": schema.Schema{"const": e.Name}}
		if e.Spec != nil {
			if own, ok := schema.Of(e.Spec)["properties"].(schema.Schema); ok {
				for k, v := range own {
					props[k] = v
				}
			}
		}
		is := schema.Schema{"properties": schema.Schema{"name": schema.Schema{"const": e.Name}}}
		rules = append(rules, schema.Schema{"if": is, "then": schema.Schema{"properties": props, "additionalProperties": false, "description": e.Doc}})
	}
	return schema.Schema{"type": "object", "description": "Which points are run, or a search; all of the grid, if left out.",
		"properties": schema.Schema{"name": schema.Schema{"enum": names}}, "required": []any{"name"}, "allOf": rules}
}
