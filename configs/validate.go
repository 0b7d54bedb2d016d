package configs

import (
	"fmt"
	"math/big"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/santhosh-tekuri/jsonschema/v6/kind"
)

// compiled is a schema ready to validate, and as a tree for messages.
type compiled struct {
	tree   Schema
	schema *jsonschema.Schema
}

// schemas caches one compiled schema per Spec type.
var schemas sync.Map // reflect.Type -> *compiled

func compiledFor(t reflect.Type) *compiled {
	if c, ok := schemas.Load(t); ok {
		return c.(*compiled)
	}
	c := compile(reflectSchema(t))
	schemas.Store(t, c)
	return c
}

const schemaURL = "causeway:spec"

// compile panics on a schema that is none: it was made from a Spec.
func compile(tree Schema) *compiled {
	doc, err := jsonschema.UnmarshalJSON(strings.NewReader(string(mustJSON(tree))))
	if err == nil {
		comp := jsonschema.NewCompiler()
		if err = comp.AddResource(schemaURL, doc); err == nil {
			var s *jsonschema.Schema
			if s, err = comp.Compile(schemaURL); err == nil {
				return &compiled{tree, s}
			}
		}
	}
	panic("configs: " + err.Error())
}

// validate compares v with the schema and adds what said does not cover.
func (c *compiled) validate(v Value, beside []string, errs *Errors, said map[string]bool) {
	err := c.schema.Validate(v.n.instance())
	if err == nil {
		return
	}
	x, ok := err.(*jsonschema.ValidationError)
	if !ok {
		panic("configs: " + err.Error())
	}
	c.report(v, x, beside, errs, said)
}

// instance is the plain tree without what was complained about already.
func (n *node) instance() any {
	switch n.kind {
	case Map:
		out := make(map[string]any, len(n.entries))
		for _, e := range n.entries {
			if !e.val.bad {
				out[e.key] = e.val.instance()
			}
		}
		return out
	case List:
		out := make([]any, len(n.items))
		for i, x := range n.items {
			out[i] = x.instance()
		}
		return out
	}
	return n.any()
}

// report turns a tree of validation errors into located ones. The library's
// own sentences speak of JSON and of schemas; these speak of the file.
func (c *compiled) report(root Value, x *jsonschema.ValidationError, beside []string, errs *Errors, said map[string]bool) {
	v := root.at(x.InstanceLocation)
	add := func(e *Error) {
		if !said[e.Path] {
			errs.Add(e)
		}
	}
	switch k := x.ErrorKind.(type) {
	case *kind.AdditionalProperties:
		want := c.keysAt(x.SchemaURL)
		if len(x.InstanceLocation) == 0 {
			want = append(want, beside...)
		}
		for _, key := range k.Properties {
			add(v.UnknownKey(key, want))
		}
	case *kind.Required:
		for _, key := range k.Missing {
			if m := v.Get(key); !m.Exists() {
				add(m.Errorf(nil, "is missing"))
			}
		}
	case *kind.Enum:
		want := make([]string, len(k.Want))
		for i, w := range k.Want {
			want[i] = fmt.Sprint(w)
		}
		add(v.Errorf(want, "%s is not known", v.shown()))
	case *kind.Const:
		add(v.Errorf([]string{fmt.Sprint(k.Want)}, "%s is not known", v.shown()))
	case *kind.Minimum:
		add(v.Errorf(nil, "%s is too small (want at least %s)", v.shown(), decimal(k.Want)))
	case *kind.Maximum:
		add(v.Errorf(nil, "%s is too large (want at most %s)", v.shown(), decimal(k.Want)))
	case *kind.ExclusiveMinimum:
		add(v.Errorf(nil, "%s is too small (want more than %s)", v.shown(), decimal(k.Want)))
	case *kind.ExclusiveMaximum:
		add(v.Errorf(nil, "%s is too large (want less than %s)", v.shown(), decimal(k.Want)))
	case *kind.MultipleOf:
		add(v.Errorf(nil, "%s is no multiple of %s", v.shown(), decimal(k.Want)))
	case *kind.MinItems:
		add(v.Errorf(nil, "has %d items (want at least %d)", k.Got, k.Want))
	case *kind.MaxItems:
		add(v.Errorf(nil, "has %d items (want at most %d)", k.Got, k.Want))
	case *kind.UniqueItems:
		add(v.Errorf(nil, "items %d and %d are the same", k.Duplicates[0], k.Duplicates[1]))
	case *kind.MinLength, *kind.Pattern:
		add(v.Errorf(nil, "%s does not have the right form%s", v.shown(), c.exampleAt(x.SchemaURL)))
	case *kind.Type:
		add(v.Errorf(nil, "%s is not %s", v.shown(), typeWords(k.Want)))
	default:
		if len(x.Causes) == 0 {
			add(v.Errorf(nil, "%s is not allowed here", v.shown()))
		}
	}
	switch x.ErrorKind.(type) {
	case *kind.AnyOf, *kind.OneOf, *kind.Not:
		add(v.Errorf(nil, "%s has none of the allowed forms%s", v.shown(), c.exampleAt(x.SchemaURL)))
		return // what each form lacks says more than anybody wants to know
	}
	for _, cause := range x.Causes {
		c.report(root, cause, beside, errs, said)
	}
}

// at follows the location of an instance.
func (v Value) at(location []string) Value {
	for _, step := range location {
		if v.Kind() == List {
			i, err := strconv.Atoi(step)
			items := v.Items()
			if err != nil || i >= len(items) {
				return v
			}
			v = items[i]
			continue
		}
		v = v.Get(step)
	}
	return v
}

// treeAt is the part of the schema that a validation error points at.
func (c *compiled) treeAt(url string) Schema {
	_, pointer, _ := strings.Cut(url, "#")
	var at any = c.tree
	for _, step := range strings.Split(strings.TrimPrefix(pointer, "/"), "/") {
		if step == "" {
			continue
		}
		step = strings.NewReplacer("~1", "/", "~0", "~").Replace(step)
		switch x := at.(type) {
		case Schema:
			at = x[step]
		case []any:
			if i, err := strconv.Atoi(step); err == nil && i < len(x) {
				at = x[i]
			}
		}
	}
	s, _ := at.(Schema)
	return s
}

func (c *compiled) keysAt(url string) []string {
	props, _ := c.treeAt(url)["properties"].(Schema)
	return sortedKeys(props)
}

func (c *compiled) exampleAt(url string) string {
	if ex, _ := c.treeAt(url)["examples"].([]any); len(ex) > 0 {
		return fmt.Sprintf(" (for example %v)", ex[0])
	}
	return ""
}

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

func decimal(r *big.Rat) string {
	if r.IsInt() {
		return r.Num().String()
	}
	f, _ := r.Float64()
	return strconv.FormatFloat(f, 'g', -1, 64)
}
