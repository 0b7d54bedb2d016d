package sweep

import (
	"encoding/json"

	"github.com/causeway-sim/causeway/components/explore"
	"github.com/causeway-sim/causeway/configs"
)

// Schema is the JSON Schema of a sweep file, for editors:
//
//	# yaml-language-server: $schema=causeway-sweep.schema.json
//
// It accepts more than Load: paths of axes, metrics and formulas are any text.
func Schema() ([]byte, error) {
	text := configs.Schema{"type": "string"}
	texts := configs.Schema{"type": "array", "items": text}
	oneOrMore := configs.Schema{"anyOf": []any{text, texts}}
	count := configs.Schema{"type": "integer", "minimum": 1}
	number := configs.Schema{"type": "number"}
	rule := configs.Schema{"type": "object", "additionalProperties": false, "required": []any{"from", "to"},
		"properties": configs.Schema{"from": number, "to": number, "step": number, "times": number, "unit": text},
		"oneOf":      []any{configs.Schema{"required": []any{"step"}}, configs.Schema{"required": []any{"times"}}}}
	axis := configs.Schema{"anyOf": []any{configs.Schema{"type": "array", "minItems": 1}, rule}}
	axes := configs.Schema{"type": "object", "minProperties": 1, "additionalProperties": axis,
		"description": "Values of each setting, by its path; PATH, PATH sets several together: a list, or {from, to, step|times, unit}."}
	goals := configs.Schema{"anyOf": []any{texts, configs.Schema{"type": "object", "additionalProperties": configs.Schema{"enum": []any{"min", "max"}}}},
		"description": "What is best: metrics or formulas, each with min or max; a list is to be small."}
	table := configs.Schema{"type": "object", "additionalProperties": false, "required": []any{"metric", "rows", "columns"},
		"properties": configs.Schema{"metric": text, "rows": true, "columns": true, "unless": text}}
	var modes []any
	for _, m := range illegalModes {
		modes = append(modes, m)
	}
	described := func(s configs.Schema, doc string) configs.Schema {
		out := configs.Schema{"description": doc}
		for k, v := range s {
			out[k] = v
		}
		return out
	}
	props := configs.Schema{
		"base":        described(text, "The configuration that is varied, relative to this file."),
		"set":         described(texts, "PATH=VALUE for all points."),
		"sweep":       axes,
		"metrics":     described(texts, "Columns of sweep.csv; all, if left out."),
		"where":       described(oneOrMore, "Conditions on settings; points that do not meet them are left out."),
		"method":      methodSchema(),
		"objectives":  goals,
		"constraints": described(oneOrMore, "Conditions on metrics that a good point meets."),
		"seeds":       described(configs.Schema{"anyOf": []any{count, configs.Schema{"type": "array", "items": configs.Schema{"type": "integer"}, "minItems": 1}}}, "Each point with the seeds 1 to N, or with these; means are in mean.csv."),
		"average":     described(texts, "Axes that means are taken over as well."),
		"labels":      configs.Schema{"type": "object", "description": "What the values of an axis are called in tables.", "additionalProperties": configs.Schema{"type": "array"}},
		"tables":      configs.Schema{"type": "object", "description": "Tables of a metric by two axes.", "additionalProperties": table},
		"illegal":     configs.Schema{"enum": modes, "description": "What happens to points that cannot be run."},
	}
	return json.MarshalIndent(configs.Schema{
		"$schema": "http://json-schema.org/draft-07/schema#", "title": "A Causeway sweep", "type": "object",
		"properties": props, "required": []any{"base"}, "additionalProperties": false,
	}, "", " ")
}

// methodSchema has the keys of each search method, by its name.
func methodSchema() configs.Schema {
	var names, rules []any
	for _, e := range explore.All.Entries() {
		names = append(names, e.Name)
		props := configs.Schema{"name": configs.Schema{"const": e.Name}}
		if e.Spec != nil {
			if own, ok := configs.SchemaOf(e.Spec)["properties"].(configs.Schema); ok {
				for k, v := range own {
					props[k] = v
				}
			}
		}
		is := configs.Schema{"properties": configs.Schema{"name": configs.Schema{"const": e.Name}}}
		rules = append(rules, configs.Schema{"if": is, "then": configs.Schema{"properties": props, "additionalProperties": false, "description": e.Doc}})
	}
	return configs.Schema{"type": "object", "description": "Which points are run, or a search; all of the grid, if left out.",
		"properties": configs.Schema{"name": configs.Schema{"enum": names}}, "required": []any{"name"}, "allOf": rules}
}
