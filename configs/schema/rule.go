package schema

import (
	"fmt"
	"maps"
	"math"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"sync"
)

// A Rule is a schema prepared for checks of values. It has the part of JSON Schema that Specs and
// Register need.
type Rule struct {
	Types     []string // of JSON Schema, any of them; none: every type
	Enum      []any    // allowed scalars; none: all
	Bounds    []Bound  // of a number
	Pattern   *regexp.Regexp
	MinLength int // in characters
	MinItems  int
	MaxItems  int // negative: no limit
	Unique    bool
	Items     *Rule
	Props     map[string]*Rule
	Keys      []string // of Props, sorted
	Closed    bool     // no keys are allowed besides those of Props
	Rest      *Rule    // of keys that Props does not have
	Required  []string
	AnyOf     []*Rule
	OneOf     []*Rule
	Example   string // " (for example 64KiB)", or ""
}

// A Bound is one bound of a number.
type Bound struct {
	Value float64
	Text  string // the error of a number outside, with verbs for the number and the bound

	holds func(x, bound float64) bool
}

// Holds reports whether a number is within the bound.
func (b Bound) Holds(x float64) bool { return b.holds(x, b.Value) }

// String is the bound in decimals.
func (b Bound) String() string { return strconv.FormatFloat(b.Value, 'f', -1, 64) }

var bounds = map[string]Bound{
	"minimum":          {holds: func(x, b float64) bool { return x >= b }, Text: "%s is too small (want at least %s)"},
	"maximum":          {holds: func(x, b float64) bool { return x <= b }, Text: "%s is too large (want at most %s)"},
	"exclusiveMinimum": {holds: func(x, b float64) bool { return x > b }, Text: "%s is too small (want more than %s)"},
	"exclusiveMaximum": {holds: func(x, b float64) bool { return x < b }, Text: "%s is too large (want less than %s)"},
	"multipleOf":       {holds: func(x, b float64) bool { return x/b == math.Trunc(x/b) }, Text: "%s is no multiple of %s"},
}

// rules caches one Rule per Spec type.
var rules sync.Map // reflect.Type -> *Rule

// RuleFor returns the Rule of a Spec type. It also bounds numbers without bounds, far beyond
// realistic values.
func RuleFor(t reflect.Type) *Rule {
	if r, ok := rules.Load(t); ok {
		return r.(*Rule)
	}
	s := reflectSchema(t)
	refuseAbsurd(s, t)
	r := newRule(s)
	rules.Store(t, r)
	return r
}

// newRule panics on keywords that it does not know, so that none is ignored.
func newRule(s Schema) *Rule {
	r := &Rule{MaxItems: -1}
	for _, key := range slices.Sorted(maps.Keys(s)) {
		x := s[key]
		if b, ok := bounds[key]; ok {
			b.Value = Number(x)
			r.Bounds = append(r.Bounds, b)
			continue
		}
		switch key {
		case "title", "description", "default":
		case "examples":
			if list, _ := x.([]any); len(list) > 0 {
				r.Example = fmt.Sprintf(" (for example %v)", list[0])
			}
		case "type":
			r.Types = words(x)
		case "enum":
			r.Enum = x.([]any)
		case "const":
			r.Enum = []any{x}
		case "pattern":
			r.Pattern = regexp.MustCompile(x.(string))
		case "minLength":
			r.MinLength = int(Number(x))
		case "minItems":
			r.MinItems = int(Number(x))
		case "maxItems":
			r.MaxItems = int(Number(x))
		case "uniqueItems":
			r.Unique = x.(bool)
		case "required":
			r.Required = words(x)
		default:
			r.nest(key, x)
		}
	}
	return r
}

// nest adds the rules of a keyword with schemas inside.
func (r *Rule) nest(key string, x any) {
	switch key {
	case "items":
		r.Items = newRule(x.(Schema))
	case "properties":
		props := x.(Schema)
		r.Keys, r.Props = slices.Sorted(maps.Keys(props)), map[string]*Rule{}
		for _, k := range r.Keys {
			r.Props[k] = newRule(props[k].(Schema))
		}
	case "additionalProperties":
		if in, ok := x.(Schema); ok {
			r.Rest = newRule(in)
		} else {
			r.Closed = !x.(bool)
		}
	case "anyOf", "oneOf":
		var forms []*Rule
		for _, in := range x.([]any) {
			forms = append(forms, newRule(in.(Schema)))
		}
		if key == "anyOf" {
			r.AnyOf = forms
		} else {
			r.OneOf = forms
		}
	default:
		panic(fmt.Sprintf("schema: keyword %q is not known", key))
	}
}

// words are the texts of one text or a list.
func words(x any) []string {
	list, ok := x.([]any)
	if !ok {
		return []string{x.(string)}
	}
	out := make([]string, len(list))
	for i, w := range list {
		out[i] = w.(string)
	}
	return out
}

// Number returns a number of a schema, of whatever type it is.
func Number(x any) float64 {
	switch v := reflect.ValueOf(x); {
	case v.CanInt():
		return float64(v.Int())
	case v.CanUint():
		return float64(v.Uint())
	case v.CanFloat():
		return v.Float()
	}
	panic(fmt.Sprintf("schema: %v is no number", x))
}
