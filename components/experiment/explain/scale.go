package explain

import (
	"encoding"
	"errors"
	"fmt"
	"maps"
	"math/big"
	"reflect"
	"slices"
	"strings"

	"github.com/causeway-sim/causeway/components/experiment/result"
	"github.com/causeway-sim/causeway/components/units"
)

// errNothing is of a value that says that there is nothing of it, or that something else
// decides: it has no double and no half.
var errNothing = errors.New("nothing is given there")

// scaled prints twice or half a value as --set takes it: a quantity, a number, or a mapping
// of them.
func scaled(v reflect.Value, half bool) (string, error) {
	for v.Kind() == reflect.Pointer || v.Kind() == reflect.Interface {
		if v.IsNil() {
			return "", errNothing
		}
		v = v.Elem()
	}
	if v.IsZero() {
		return "", errNothing
	}
	switch v.Interface().(type) {
	case encoding.TextMarshaler:
		return scaledText(v, half)
	}
	switch {
	case v.CanInt():
		n := v.Int()
		if half && n%2 != 0 {
			return "", fmt.Errorf("%d has no half", n)
		}
		if half {
			return fmt.Sprint(n / 2), nil
		}
		return fmt.Sprint(2 * n), nil
	case v.CanFloat() && half:
		return result.Number(v.Float() / 2), nil
	case v.CanFloat():
		return result.Number(2 * v.Float()), nil
	case v.Kind() == reflect.Map || v.Kind() == reflect.Struct:
		return scaledAll(v, half)
	}
	return "", fmt.Errorf("%s is no quantity", v.Type())
}

// scaledText scales a value that prints as a number with a unit. A clock that prints as a
// period is doubled by half the period.
func scaledText(v reflect.Value, half bool) (string, error) {
	text, err := v.Interface().(encoding.TextMarshaler).MarshalText()
	if err != nil {
		return "", err
	}
	s := string(text)
	at := strings.IndexFunc(s, func(r rune) bool { return (r < '0' || r > '9') && r != '.' })
	if at < 0 {
		at = len(s)
	}
	x, ok := new(big.Rat).SetString(s[:at])
	if !ok {
		return "", errNothing // auto, none
	}
	if x.Sign() == 0 {
		return "", errNothing
	}
	_, clock := v.Interface().(units.Frequency)
	if half != (clock && !strings.HasSuffix(s, "Hz")) {
		x.Quo(x, big.NewRat(2, 1))
	} else {
		x.Mul(x, big.NewRat(2, 1))
	}
	digits, exact := x.FloatPrec()
	if !exact {
		return "", fmt.Errorf("%s cannot be printed exactly", s)
	}
	out := x.FloatString(digits) + s[at:]
	// What the type cannot hold, half a cycle, the configuration would refuse.
	again := reflect.New(v.Type())
	if u, ok := again.Interface().(encoding.TextUnmarshaler); ok {
		if err := u.UnmarshalText([]byte(out)); err != nil {
			return "", err
		}
	}
	return out, nil
}

// scaledAll scales the entries of a mapping that have a value.
func scaledAll(v reflect.Value, half bool) (string, error) {
	var out []string
	for _, e := range entries(v) {
		text, err := scaled(e.value, half)
		if errors.Is(err, errNothing) {
			continue
		}
		if err != nil {
			return "", err
		}
		out = append(out, e.key+": "+text)
	}
	if len(out) == 0 {
		return "", errNothing
	}
	return "{" + strings.Join(out, ", ") + "}", nil
}

// An entry is one value of a mapping.
type entry struct {
	key   string
	value reflect.Value
}

// entries are those of a map by key, or the fields of a struct by their yaml tags.
func entries(v reflect.Value) (out []entry) {
	if v.Kind() == reflect.Map {
		byKey := map[string]reflect.Value{}
		for _, k := range v.MapKeys() {
			byKey[k.String()] = v.MapIndex(k)
		}
		for _, k := range slices.Sorted(maps.Keys(byKey)) {
			out = append(out, entry{k, byKey[k]})
		}
		return out
	}
	for f := range v.Type().Fields() {
		name, options, _ := strings.Cut(f.Tag.Get("yaml"), ",")
		switch {
		case !f.IsExported() || name == "-":
		case strings.Contains(options, "inline"), f.Anonymous && name == "" && f.Type.Kind() == reflect.Struct:
			out = append(out, entries(v.FieldByIndex(f.Index))...)
		default:
			out = append(out, entry{name, v.FieldByIndex(f.Index)})
		}
	}
	return out
}

// named are the items of a list by their names.
func named(v reflect.Value) (out []entry) {
	for i := range v.Len() {
		if name, ok := find(v.Index(i), "name"); ok && name.Kind() == reflect.String {
			out = append(out, entry{name.String(), v.Index(i)})
		}
	}
	return out
}

// find is the value at a path of keys and names of items: link.lanes, levels.Buffer.capacity.
func find(v reflect.Value, path string) (reflect.Value, bool) {
	for key := range strings.SplitSeq(path, ".") {
		for v.Kind() == reflect.Pointer {
			if v.IsNil() {
				return v, false
			}
			v = v.Elem()
		}
		var all []entry
		switch v.Kind() {
		case reflect.Struct, reflect.Map:
			all = entries(v)
		case reflect.Slice:
			all = named(v)
		}
		i := slices.IndexFunc(all, func(e entry) bool { return e.key == key })
		if i < 0 {
			return v, false
		}
		v = all[i].value
	}
	return v, true
}
