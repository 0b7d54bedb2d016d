package schema

import (
	"encoding/json"
	"fmt"
	"reflect"
	"strconv"
	"strings"
)

// generate is the schema of a type: its shape, and the bounds that the jsonschema
// tags of its fields add.
func generate(t reflect.Type) Schema {
	t = elem(t)
	if s := typeSchema(t); s != nil {
		return plainTree(s)
	}
	switch t.Kind() {
	case reflect.Struct:
		return generateStruct(t)
	case reflect.Slice:
		return Schema{"type": "array", "items": generate(t.Elem())}
	case reflect.Array:
		n := float64(t.Len())
		return Schema{"type": "array", "items": generate(t.Elem()), "minItems": n, "maxItems": n}
	case reflect.Map:
		return Schema{"type": "object", "additionalProperties": generate(t.Elem())}
	case reflect.Interface:
		return Schema{}
	case reflect.Float32, reflect.Float64:
		return Schema{"type": "number"}
	case reflect.Bool:
		return Schema{"type": "boolean"}
	case reflect.String:
		return Schema{"type": "string"}
	}
	return Schema{"type": "integer"} // checkSpec refused everything else
}

func generateStruct(t reflect.Type) Schema {
	props := Schema{}
	s := Schema{"type": "object", "properties": props, "additionalProperties": false}
	var required []any
	for _, f := range Fields(t) {
		p := generate(f.Type)
		if doc := f.Tag.Get("doc"); doc != "" {
			p["description"] = doc
		}
		for _, item := range tagItems(f.Tag.Get("jsonschema")) {
			if item == "required" {
				required = append(required, f.Key)
			} else if err := addBound(p, item); err != nil {
				panic(fmt.Sprintf("schema: Spec %s: field %s: jsonschema tag: %v", t, f.Name, err))
			}
		}
		props[f.Key] = p
	}
	if required != nil {
		s["required"] = required
	}
	return s
}

// tagItems splits a tag at its commas; a description is the rest of it.
func tagItems(tag string) []string {
	var out []string
	for tag != "" {
		if strings.HasPrefix(tag, "description=") {
			return append(out, tag)
		}
		item, rest, _ := strings.Cut(tag, ",")
		out, tag = append(out, item), rest
	}
	return out
}

// addBound adds one item of a tag to the schema of its field. Words and bounds of a
// list are those of its items.
func addBound(p Schema, item string) error {
	key, text, _ := strings.Cut(item, "=")
	switch key {
	case "description", "title":
		p[key] = text
		return nil
	case "minItems", "maxItems":
		n, err := strconv.ParseUint(text, 10, 32)
		p[key] = float64(n)
		return err
	case "uniqueItems":
		p[key] = true
		return nil
	}
	if items, ok := p["items"].(Schema); ok && p["type"] == "array" {
		p = items
	}
	var x any = text
	if p["type"] == "integer" || p["type"] == "number" {
		f, err := strconv.ParseFloat(text, 64)
		if err != nil {
			return err
		}
		x = f
	}
	switch key {
	case "enum":
		list, _ := p[key].([]any)
		p[key] = append(list, x)
	case "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf", "pattern":
		p[key] = x
	case "minLength":
		n, err := strconv.ParseUint(text, 10, 32)
		p[key] = float64(n)
		return err
	default:
		return fmt.Errorf("%q is not known", item)
	}
	return nil
}

// plainTree copies a schema, with the types that a decoder of JSON gives.
func plainTree(s Schema) Schema {
	var out Schema
	if err := json.Unmarshal(mustJSON(s), &out); err != nil {
		panic("schema: " + err.Error()) // its own output
	}
	return out
}
