package schema

import (
	"fmt"
	"reflect"
	"strconv"
	"strings"
)

// A Key describes one key of a Spec, for people.
type Key struct {
	Path     string // sram.ifmap
	Type     string // "whole number", "an amount of data", "list of text"
	Default  string // "" if there is none
	Doc      string
	Values   []string // allowed words, if only some are
	Names    []string // of the implementations that it chooses one of, by name or by a mapping with a name
	Range    string   // "at least 1", "1 to 64", or ""
	Required bool
}

// Keys lists the keys of a Spec in the order of its fields, those of a nested mapping after its
// key.
func Keys(spec any) []Key {
	v := reflect.ValueOf(spec)
	for v.Kind() == reflect.Pointer {
		v = v.Elem()
	}
	return listKeys(Of(spec), v.Type(), "")
}

func listKeys(s Schema, t reflect.Type, prefix string) []Key {
	var out []Key
	props, _ := s["properties"].(Schema)
	required, _ := s["required"].([]any)
	for _, f := range Fields(t) {
		p, _ := props[f.Key].(Schema)
		k := Key{Path: prefix + f.Key, Type: describe(p), Range: rangeText(p)}
		k.Doc, _ = p["description"].(string)
		if d, ok := p["default"]; ok {
			k.Default = strings.Trim(string(mustJSON(d)), `"`)
		}
		for _, r := range required {
			k.Required = k.Required || r == f.Key
		}
		enum, _ := p["enum"].([]any)
		for _, w := range enum {
			k.Values = append(k.Values, fmt.Sprint(w))
		}
		k.Names = namesOf(p)
		out = append(out, k)
		if in := elem(f.Type); in.Kind() == reflect.Struct && !Opaque(in) {
			out = append(out, listKeys(p, in, k.Path+".")...)
		} else if keys := keysOf(in); keys != nil {
			if _, ok := p["properties"]; !ok { // a word or a mapping
				p = Of(keys)
			}
			out = append(out, listKeys(p, reflect.TypeOf(keys), k.Path+".")...)
		}
	}
	return out
}

// namesOf are the names that a key takes alone or in a mapping of its own (named.Schema), or nil.
func namesOf(s Schema) []string {
	forms, _ := s["anyOf"].([]any)
	if len(forms) != 2 {
		return nil
	}
	name, _ := forms[0].(Schema)
	body, _ := forms[1].(Schema)
	if body["type"] != "object" {
		return nil
	}
	names, _ := name["enum"].([]string)
	words, _ := name["enum"].([]any)
	for _, w := range words {
		names = append(names, fmt.Sprint(w))
	}
	return names
}

func describe(s Schema) string {
	if title, ok := s["title"].(string); ok {
		return title
	}
	switch s["type"] {
	case "integer":
		return "a whole number"
	case "number":
		return "a number"
	case "boolean":
		return "true or false"
	case "string":
		return "text"
	case "array":
		in, _ := s["items"].(Schema)
		return "a list: " + describe(in)
	case "object":
		if in, ok := s["additionalProperties"].(Schema); ok {
			return "a mapping: " + describe(in)
		}
		return "a mapping"
	}
	return "any"
}

func rangeText(s Schema) string {
	lo, hasLo := s["minimum"]
	hi, hasHi := s["maximum"]
	switch {
	case hasLo && hasHi:
		return plain(lo) + " to " + plain(hi)
	case hasLo:
		return "at least " + plain(lo)
	case hasHi:
		return "at most " + plain(hi)
	}
	if x, ok := s["exclusiveMinimum"]; ok {
		return "more than " + plain(x)
	}
	return ""
}

// plain prints a bound of a schema without an exponent: 1048576, not 1.048576e+06.
func plain(bound any) string {
	if f, ok := bound.(float64); ok {
		return strconv.FormatFloat(f, 'f', -1, 64)
	}
	return fmt.Sprint(bound)
}
