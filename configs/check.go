package configs

import (
	"fmt"
	"math"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/causeway-sim/causeway/configs/schema"
)

// check compares v with the rule and passes each complaint to add. beside are keys
// of v itself that other code reads. It skips values that already have a complaint.
func (v Value) check(r *schema.Rule, beside []string, add func(*Error)) {
	if r.Types != nil && !slices.ContainsFunc(r.Types, v.isType) {
		add(v.Errorf(nil, "%s is not %s", v.shown(), typeWords(r.Types)))
		return
	}
	if r.Enum != nil && !slices.ContainsFunc(r.Enum, v.equals) {
		add(v.unknown(r.Enum))
	}
	switch v.Kind() {
	case Int, Float:
		x, _ := strconv.ParseFloat(v.n.text, 64)
		for _, b := range r.Bounds {
			if !b.Holds(x) {
				add(v.Errorf(nil, b.Text, v.shown(), b))
			}
		}
	case String:
		if r.Pattern != nil && !r.Pattern.MatchString(v.n.text) || utf8.RuneCountInString(v.n.text) < r.MinLength {
			add(v.Errorf(nil, "%s does not have the right form%s", v.shown(), r.Example))
		}
	case List:
		v.checkList(r, add)
	case Map:
		v.checkMap(r, beside, add)
	}
	if r.AnyOf != nil && v.fits(r.AnyOf) == 0 || r.OneOf != nil && v.fits(r.OneOf) != 1 {
		// a list of what each form lacks would be too long to help
		add(v.Errorf(nil, "%s has none of the allowed forms%s", v.shown(), r.Example))
	}
}

// fits counts the forms that v has.
func (v Value) fits(forms []*schema.Rule) (n int) {
	for _, r := range forms {
		ok := true
		v.check(r, nil, func(*Error) { ok = false })
		if ok {
			n++
		}
	}
	return n
}

func (v Value) checkList(r *schema.Rule, add func(*Error)) {
	items := v.Items()
	if len(items) < r.MinItems {
		add(v.Errorf(nil, "has %d items (want at least %d)", len(items), r.MinItems))
	}
	if r.MaxItems >= 0 && len(items) > r.MaxItems {
		add(v.Errorf(nil, "has %d items (want at most %d)", len(items), r.MaxItems))
	}
	for i, x := range items {
		if r.Items != nil && !x.n.bad {
			x.check(r.Items, nil, add)
		}
		if !r.Unique {
			continue
		}
		for j, y := range items[:i] {
			if reflect.DeepEqual(x.Any(), y.Any()) {
				add(v.Errorf(nil, "items %d and %d are the same", j, i))
			}
		}
	}
}

func (v Value) checkMap(r *schema.Rule, beside []string, add func(*Error)) {
	for _, key := range r.Required {
		if x := v.Get(key); !x.Exists() {
			add(x.Errorf(nil, "is missing"))
		}
	}
	for _, e := range v.n.entries {
		in, known := r.Props[e.key]
		switch {
		case e.val.bad:
		case known:
			v.Get(e.key).check(in, nil, add)
		case r.Closed:
			add(v.UnknownKey(e.key, slices.Concat(r.Keys, beside)))
		case r.Rest != nil:
			v.Get(e.key).check(r.Rest, nil, add)
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
	return f == schema.Number(x)
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
