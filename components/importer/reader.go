package importer

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// A Reader hands out the settings of an input and keeps account of them.
type Reader struct {
	tool      string
	format    Format
	fold      bool // names of keys without regard to upper and lower case
	keys      map[string]Key
	order     []string // names of settings, as they were added
	settings  map[string]Value
	used      map[string]bool
	left      []Left
	also      []string // keys that the tool knows besides those of the table
	strangers []Left   // unknown keys that are no settings
	errs      []error
}

// Left is a setting that was not carried over, or not as it is.
type Left struct {
	Key, Value string
	Place      string // file:line; "" of a default of the tool
	External   bool   // it stands in no file as a setting
	Why        string
	Nearest    string // of an unknown key: the known one that looks most like it
}

// Setting is the setting and its place.
func (l Left) Setting() string {
	s := l.Key
	if l.Value != "" {
		s += " = " + l.Value
	}
	switch {
	case l.External:
		return s
	case l.Place != "":
		return l.Place + ": " + s
	}
	return s + " (the tool's default)"
}

// A Reason is why settings were not carried over.
type Reason struct {
	Why  string
	Left []Left
}

// Reasons groups settings by reason, in the order of the first of each.
func Reasons(left []Left) (out []Reason) {
	at := map[string]int{}
	for _, l := range left {
		i, ok := at[l.Why]
		if !ok {
			i = len(out)
			at[l.Why], out = i, append(out, Reason{Why: l.Why})
		}
		out[i].Left = append(out[i].Left, l)
	}
	return out
}

// A Value is a setting, or the tool's default of it.
type Value struct {
	Key, Text string
	Place     string // "" of a default
	external  bool
	whole     string // the setting, where Text is an item of it
	r         *Reader
}

// NewReader returns a reader without settings.
func NewReader(f Format) *Reader {
	r := &Reader{tool: f.Title, format: f, keys: map[string]Key{}, settings: map[string]Value{}, used: map[string]bool{}}
	for _, k := range f.Keys {
		r.keys[k.Name] = k
	}
	return r
}

// Fold has the names of keys compared without regard to upper and lower case. It comes before Add.
func (r *Reader) Fold() {
	r.fold = true
	for name, k := range r.keys {
		r.keys[strings.ToLower(name)] = k
	}
}

func (r *Reader) name(key string) string {
	if r.fold {
		return strings.ToLower(key)
	}
	return key
}

// Add adds a setting. A later one of the same key replaces the earlier one, as in the tools.
func (r *Reader) Add(place, key, text string) {
	name := r.name(key)
	if _, again := r.settings[name]; !again {
		r.order = append(r.order, name)
	}
	r.settings[name] = Value{Key: key, Text: text, Place: place, r: r}
}

// Has reports whether a setting is there, without taking it.
func (r *Reader) Has(key string) bool { _, ok := r.settings[r.name(key)]; return ok }

// Get takes a setting; fallback is the tool's default.
func (r *Reader) Get(key, fallback string) Value {
	name := r.name(key)
	if k, ok := r.keys[name]; !ok || k.Ours == "" {
		panic("importer: " + r.tool + ": " + key + " is asked for, and the table carries it nowhere")
	}
	r.used[name] = true
	if v, ok := r.settings[name]; ok {
		return v
	}
	return Value{Key: key, Text: fallback, r: r}
}

// Peek is the text of a setting that others depend on, without taking it.
func (r *Reader) Peek(key, fallback string) string {
	if v, ok := r.settings[r.name(key)]; ok {
		return v.Text
	}
	return fallback
}

// Take says that a setting has been carried over by another one.
func (r *Reader) Take(keys ...string) {
	for _, key := range keys {
		r.used[r.name(key)] = true
	}
}

// Leave says why a value is not carried over, or not as it is.
func (r *Reader) Leave(v Value, format string, args ...any) {
	r.used[r.name(v.Key)] = true
	r.left = append(r.left, Left{Key: v.Key, Value: v.setting(), Place: v.Place, External: v.external, Why: fmt.Sprintf(format, args...)})
}

// LeaveKey is Leave for a setting that may be absent: then nothing is said.
func (r *Reader) LeaveKey(key, format string, args ...any) {
	if v, ok := r.settings[r.name(key)]; ok {
		r.Leave(v, format, args...)
	}
}

// FailKey is Fail for a setting that may be absent.
func (r *Reader) FailKey(key, format string, args ...any) {
	if v, ok := r.settings[r.name(key)]; ok {
		r.used[r.name(key)] = true
		v.Fail(format, args...)
	}
}

// Fail adds an error at a value.
func (v Value) Fail(format string, args ...any) {
	place := v.Place
	if place == "" {
		place = "default"
	}
	v.r.errs = append(v.r.errs, fmt.Errorf("%s: %s: %s", place, v.Key, fmt.Sprintf(format, args...)))
}

// From says where the value comes from, for a comment.
func (v Value) From() string {
	switch {
	case v.external:
		return v.Key
	case v.Place == "":
		return v.r.tool + "'s default of " + v.Key
	}
	return v.Key + " = " + v.setting()
}

func (v Value) setting() string {
	if v.whole != "" {
		return v.whole
	}
	return v.Text
}

// Item is a part of the value, for its numbers.
func (v Value) Item(text string) Value {
	v.whole = v.setting()
	v.Text = text
	return v
}

// Int is the value as a whole number.
func (v Value) Int() int {
	n, err := strconv.Atoi(v.Text)
	if err != nil {
		v.Fail("%q is not a whole number", v.Text)
	}
	return n
}

// Float is the value as a number.
func (v Value) Float() float64 {
	x, err := strconv.ParseFloat(v.Text, 64)
	if err != nil {
		v.Fail("%q is not a number", v.Text)
	}
	return x
}

// Choice is what the table has for the value; ok is false, and an error added, if it has nothing.
func (v Value) Choice(table map[string]string) (string, bool) {
	to, ok := table[v.Text]
	if !ok {
		var names []string
		for name := range table {
			names = append(names, name)
		}
		slices.Sort(names)
		v.Fail("unknown value %q (want one of: %s)", v.Text, strings.Join(names, ", "))
	}
	return to, ok
}

// account gives the draft what was left, and what is the same here.
func (r *Reader) account(d *Draft) {
	d.Left = r.left
	groups := map[string]int{}
	for _, name := range r.order {
		v := r.settings[name]
		k, known := r.keys[name]
		if group, ok := r.group(name); ok && !known {
			if groups[group]++; groups[group] == fewInGroup {
				d.Left = append(d.Left, Left{Key: group, Value: "...", Place: v.Place, Why: r.keys[group].Why})
			} else if groups[group] > fewInGroup {
				continue
			}
			k, known = r.keys[group], true
		}
		switch {
		case r.used[name]:
			if !d.names(v.Key) && !slices.ContainsFunc(d.Left, func(l Left) bool { return l.Key == v.Key }) {
				d.Left = append(d.Left, Left{Key: v.Key, Value: v.Text, Place: v.Place, Why: without})
			}
		case !known: // in d.Unknown
		case k.Ours != "":
			d.Left = append(d.Left, Left{Key: v.Key, Value: v.Text, Place: v.Place, Why: without})
		case slices.Contains(k.Same, v.Text):
			d.Same = append(d.Same, v.Key+" = "+v.Text)
		case groups[k.Name] != fewInGroup:
			d.Left = append(d.Left, Left{Key: v.Key, Value: v.Text, Place: v.Place, Why: k.Why})
		}
	}
}

const without = "adds nothing to the other settings"

// fewInGroup bounds the settings of a group that are listed one by one.
const fewInGroup = 12

// group finds the key that stands for all settings inside another one: a.b.* for a.b.c.d.
func (r *Reader) group(name string) (string, bool) {
	for at := strings.LastIndexByte(name, '.'); at > 0; at = strings.LastIndexByte(name[:at], '.') {
		if _, ok := r.keys[name[:at]+".*"]; ok {
			return name[:at] + ".*", true
		}
	}
	return "", false
}

// External is a value that stands in no file of the tool: a flag, or a file that was found.
func External(what, text string) Value {
	return Value{Key: what, Text: text, Place: what, external: true}
}
