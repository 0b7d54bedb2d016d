package configs

import (
	"fmt"
	"math"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"unicode/utf8"
)

// A rule is a schema made ready to check values with. It knows the part of JSON
// Schema that Specs and RegisterSchema need; other keywords panic when the rule is
// made, so that none is ignored.
type rule struct {
	types    []string // any of; none: every type
	enum     []any
	constant []any // of length 1 where there is one
	bounds   []limit
	pattern  *regexp.Regexp
	short    int // least number of characters
	least    int // items
	most     int // items, if positive or none is set
	none     bool
	unique   bool
	items    *rule
	props    map[string]*rule
	keys     []string // of props, sorted
	closed   bool     // no keys but those of props
	rest     *rule    // of keys that props does not have
	required []string
	anyOf    []*rule
	oneOf    []*rule
	example  string
}

// A limit is one bound of a number.
type limit struct {
	value float64
	ok    func(x, bound float64) bool
	text  string // what is wrong, with the value and the bound
}

var limits = map[string]limit{
	"minimum":          {ok: func(x, b float64) bool { return x >= b }, text: "%s is too small (want at least %s)"},
	"maximum":          {ok: func(x, b float64) bool { return x <= b }, text: "%s is too large (want at most %s)"},
	"exclusiveMinimum": {ok: func(x, b float64) bool { return x > b }, text: "%s is too small (want more than %s)"},
	"exclusiveMaximum": {ok: func(x, b float64) bool { return x < b }, text: "%s is too large (want less than %s)"},
	"multipleOf":       {ok: func(x, b float64) bool { return x/b == math.Trunc(x/b) }, text: "%s is no multiple of %s"},
}

// rules caches one rule per Spec type.
var rules sync.Map // reflect.Type -> *rule

func ruleFor(t reflect.Type) *rule {
	if r, ok := rules.Load(t); ok {
		return r.(*rule)
	}
	s := reflectSchema(t)
	refuseAbsurd(s, t)
	r := newRule(s)
	rules.Store(t, r)
	return r
}

// newRule panics on a schema that it does not know: it was made from a Spec.
func newRule(s Schema) *rule {
	r := &rule{}
	for _, key := range sortedKeys(s) {
		x := s[key]
		if l, ok := limits[key]; ok {
			l.value = number(x)
			r.bounds = append(r.bounds, l)
			continue
		}
		switch key {
		case "title", "description", "default":
		case "examples":
			if list, _ := x.([]any); len(list) > 0 {
				r.example = fmt.Sprintf(" (for example %v)", list[0])
			}
		case "type":
			r.types = words(x)
		case "enum":
			r.enum = x.([]any)
		case "const":
			r.constant = []any{x}
		case "pattern":
			r.pattern = regexp.MustCompile(x.(string))
		case "minLength":
			r.short = int(number(x))
		case "minItems":
			r.least = int(number(x))
		case "maxItems":
			r.most = int(number(x))
			r.none = r.most == 0
		case "uniqueItems":
			r.unique = x.(bool)
		case "required":
			r.required = words(x)
		default:
			r.nest(key, x)
		}
	}
	return r
}

// nest adds the rules of a keyword with schemas inside.
func (r *rule) nest(key string, x any) {
	switch key {
	case "items":
		r.items = newRule(x.(Schema))
	case "properties":
		props := x.(Schema)
		r.keys, r.props = sortedKeys(props), map[string]*rule{}
		for _, k := range r.keys {
			r.props[k] = newRule(props[k].(Schema))
		}
	case "additionalProperties":
		if in, ok := x.(Schema); ok {
			r.rest = newRule(in)
		} else {
			r.closed = !x.(bool)
		}
	case "anyOf", "oneOf":
		var forms []*rule
		for _, in := range x.([]any) {
			forms = append(forms, newRule(in.(Schema)))
		}
		if key == "anyOf" {
			r.anyOf = forms
		} else {
			r.oneOf = forms
		}
	default:
		panic(fmt.Sprintf("configs: schema keyword %q is not known", key))
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

// number reads a number of any type.
func number(x any) float64 {
	switch v := reflect.ValueOf(x); {
	case v.CanInt():
		return float64(v.Int())
	case v.CanUint():
		return float64(v.Uint())
	case v.CanFloat():
		return v.Float()
	}
	panic(fmt.Sprintf("configs: %v in a schema is no number", x))
}

// check compares v with the rule and passes each complaint to add. beside are keys
// of v itself that other code reads. It skips values that already have a complaint.
func (r *rule) check(v Value, beside []string, add func(*Error)) {
	if r.types != nil && !slices.ContainsFunc(r.types, v.isType) {
		add(v.Errorf(nil, "%s is not %s", v.shown(), typeWords(r.types)))
		return
	}
	if r.enum != nil && !slices.ContainsFunc(r.enum, v.equals) {
		add(v.unknown(r.enum))
	}
	if r.constant != nil && !v.equals(r.constant[0]) {
		add(v.unknown(r.constant))
	}
	switch v.Kind() {
	case Int, Float:
		x, _ := strconv.ParseFloat(v.n.text, 64)
		for _, l := range r.bounds {
			if !l.ok(x, l.value) {
				add(v.Errorf(nil, l.text, v.shown(), strconv.FormatFloat(l.value, 'f', -1, 64)))
			}
		}
	case String:
		if r.pattern != nil && !r.pattern.MatchString(v.n.text) || utf8.RuneCountInString(v.n.text) < r.short {
			add(v.Errorf(nil, "%s does not have the right form%s", v.shown(), r.example))
		}
	case List:
		r.checkList(v, add)
	case Map:
		r.checkMap(v, beside, add)
	}
	if r.anyOf != nil && v.fits(r.anyOf) == 0 || r.oneOf != nil && v.fits(r.oneOf) != 1 {
		// a list of what each form lacks would be too long to help
		add(v.Errorf(nil, "%s has none of the allowed forms%s", v.shown(), r.example))
	}
}

// fits counts the forms that v has.
func (v Value) fits(forms []*rule) (n int) {
	for _, r := range forms {
		ok := true
		r.check(v, nil, func(*Error) { ok = false })
		if ok {
			n++
		}
	}
	return n
}

func (r *rule) checkList(v Value, add func(*Error)) {
	items := v.Items()
	if len(items) < r.least {
		add(v.Errorf(nil, "has %d items (want at least %d)", len(items), r.least))
	}
	if len(items) > r.most && (r.most > 0 || r.none) {
		add(v.Errorf(nil, "has %d items (want at most %d)", len(items), r.most))
	}
	for i, x := range items {
		if r.items != nil && !x.n.bad {
			r.items.check(x, nil, add)
		}
		if !r.unique {
			continue
		}
		for j, y := range items[:i] {
			if reflect.DeepEqual(x.Any(), y.Any()) {
				add(v.Errorf(nil, "items %d and %d are the same", j, i))
			}
		}
	}
}

func (r *rule) checkMap(v Value, beside []string, add func(*Error)) {
	for _, key := range r.required {
		if x := v.Get(key); !x.Exists() {
			add(x.Errorf(nil, "is missing"))
		}
	}
	for _, e := range v.n.entries {
		in, known := r.props[e.key]
		switch {
		case e.val.bad:
		case known:
			in.check(v.Get(e.key), nil, add)
		case r.closed:
			add(v.UnknownKey(e.key, slices.Concat(r.keys, beside)))
		case r.rest != nil:
			r.rest.check(v.Get(e.key), nil, add)
		}
	}
}

// unknown is the complaint about a value that is none of some.
func (v Value) unknown(allowed []any) *Error {
	want := make([]string, len(allowed))
	for i, w := range allowed {
		want[i] = fmt.Sprint(w)
	}
	return v.Errorf(want, "%s is not known", v.shown())
}

// isType reports whether v is of a type of JSON Schema.
func (v Value) isType(name string) bool {
	switch v.Kind() {
	case Null:
		return name == "null"
	case Bool:
		return name == "boolean"
	case Int:
		return name == "integer" || name == "number"
	case Float:
		f, err := strconv.ParseFloat(v.n.text, 64)
		return name == "number" || name == "integer" && err == nil && f == math.Trunc(f)
	case String:
		return name == "string"
	case List:
		return name == "array"
	}
	return name == "object"
}

// equals reports whether v is a scalar of a schema.
func (v Value) equals(x any) bool {
	switch x := x.(type) {
	case nil:
		return v.Kind() == Null
	case bool:
		return v.Kind() == Bool && v.Any() == x
	case string:
		return v.Kind() == String && v.n.text == x
	}
	if k := v.Kind(); k != Int && k != Float {
		return false
	}
	f, _ := strconv.ParseFloat(v.n.text, 64)
	return f == number(x)
}

// typeWords says in words what types of JSON Schema are.
func typeWords(types []string) string {
	words := map[string]string{"null": "null", "boolean": Bool.String(), "integer": Int.String(), "number": Float.String(),
		"string": String.String(), "array": List.String(), "object": Map.String()}
	out := make([]string, len(types))
	for i, t := range types {
		out[i] = words[t]
	}
	slices.Sort(out)
	return strings.Join(out, " or ")
}
