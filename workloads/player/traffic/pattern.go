package traffic

import (
	"bufio"
	"bytes"
	"fmt"
	"os"
	"reflect"
	"strconv"
	"strings"

	"github.com/causeway-sim/causeway/components/system"
	"github.com/causeway-sim/causeway/configs"
	"github.com/causeway-sim/causeway/configs/schema"
	"github.com/causeway-sim/causeway/noc/topology"
	"github.com/causeway-sim/causeway/noc/traffic"
)

// A Pattern is the key of that name: uniform, {name: hotspot, terminals: [0]},
// {name: permutation, file: to.txt}, or a list of these with percent.
type Pattern struct {
	text  string
	parts []part
	at    configs.Value
}

// A part is one pattern of a mix.
type part struct {
	name   string
	spec   any
	weight float64 // percent
	file   configs.Value
	to     []int // of the file
	at     configs.Value
}

// String is the name, or those of a mix.
func (p Pattern) String() string { return p.text }

// permutation is the name of the pattern that is read from a file.
const permutation = "permutation"

// UnmarshalConfig implements configs.Unmarshaler.
func (p *Pattern) UnmarshalConfig(v configs.Value) error {
	out := Pattern{at: v}
	items := []configs.Value{v}
	if v.Kind() == configs.List {
		items = v.Items()
		if len(items) == 0 {
			return v.Errorf(nil, "a mix of nothing")
		}
	}
	var errs configs.Errors
	var names []string
	sum := 0.0
	for _, x := range items {
		one, err := decodePart(x, v.Kind() == configs.List)
		if err != nil {
			errs.Add(err)
			continue
		}
		sum += one.weight
		out.parts = append(out.parts, one)
		names = append(names, one.name)
	}
	if err := errs.Err(); err != nil {
		return err
	}
	if v.Kind() == configs.List && (sum < 99.999 || sum > 100.001) {
		return v.Errorf(nil, "the parts of a mix are %g percent together, not 100", sum)
	}
	out.text = strings.Join(names, ", ")
	*p = out
	return nil
}

func decodePart(v configs.Value, mixed bool) (part, error) {
	one := part{at: v, weight: 100}
	n := v
	beside := []string{"name"}
	if v.Kind() == configs.Map {
		n = v.Get("name")
		if mixed {
			beside = append(beside, "percent")
			x, err := v.Get("percent").Float()
			if err != nil {
				return one, err
			}
			if !(x > 0 && x <= 100) {
				return one, v.Get("percent").Errorf(nil, "is %g (want more than 0, at most 100)", x)
			}
			one.weight = x
		}
	} else if mixed {
		return one, v.Errorf(nil, "a part of a mix is a mapping: {name: uniform, percent: 80}")
	}
	names := append(traffic.All.Names(), permutation)
	if !n.Exists() {
		return one, v.Errorf(names, "a pattern needs a name")
	}
	name, err := n.String()
	if err != nil {
		return one, err
	}
	one.name = name
	if name == permutation {
		var s struct {
			File configs.Value `yaml:"file"`
		}
		var err error
		if v.Kind() == configs.Map {
			err = v.Decode(&s, configs.Beside(beside...))
		}
		if err == nil && !s.File.Exists() {
			err = v.Errorf(nil, "pattern permutation needs a file: line i names the destination of terminal i, or - for none (randperm draws one)")
		}
		one.file = s.File
		return one, err
	}
	e, _, err := traffic.Find(name)
	if err != nil {
		return one, n.Errorf(names, "%s", strings.SplitN(err.Error(), " (want", 2)[0])
	}
	if v.Kind() != configs.Map {
		return one, nil
	}
	if e.Spec == nil {
		var none struct{}
		return one, v.Decode(&none, configs.Beside(beside...))
	}
	p := reflect.New(reflect.TypeOf(e.Spec))
	p.Elem().Set(reflect.ValueOf(e.Spec))
	err = v.Decode(p.Interface(), configs.Beside(beside...))
	one.spec = p.Elem().Interface()
	return one, err
}

// make builds the pattern for a topology.
func (p *Pattern) make(t topology.Topology, seed uint64) (traffic.Pattern, error) {
	var parts []traffic.Part
	var errs configs.Errors
	for i := range p.parts {
		x := &p.parts[i]
		one, err := x.make(t, seed)
		if err != nil {
			if x.at.Exists() {
				err = x.at.Errorf(nil, "%s", err)
			}
			errs.Add(err)
			continue
		}
		parts = append(parts, traffic.Part{Pattern: one, Weight: x.weight})
	}
	if err := errs.Err(); err != nil {
		return nil, err
	}
	if len(parts) == 1 {
		return parts[0].Pattern, nil
	}
	return traffic.Mix(parts...), nil
}

func (x *part) make(t topology.Topology, seed uint64) (traffic.Pattern, error) {
	if x.name != permutation {
		return traffic.NewSpec(x.name, t, seed, x.spec)
	}
	if len(x.to) != t.Terminals() {
		return nil, fmt.Errorf("the permutation has %d lines, the network %d terminals", len(x.to), t.Terminals())
	}
	return traffic.Permutation(x.to)
}

// read reads the files of all patterns.
func (s *Spec) read(env *system.Env) error {
	var errs configs.Errors
	all := []*Pattern{&s.Pattern}
	for i := range s.Changes.list {
		all = append(all, &s.Changes.list[i].pattern)
	}
	for _, p := range all {
		for i := range p.parts {
			x := &p.parts[i]
			if !x.file.Exists() {
				continue
			}
			path, err := env.File(x.file)
			if err == nil {
				var text []byte
				if text, err = os.ReadFile(path); err == nil {
					x.to, err = parsePermutation(text)
				}
				if err != nil {
					err = x.file.Errorf(nil, "%s", err)
				}
			}
			errs.Add(err)
		}
	}
	return errs.Err()
}

// parsePermutation reads a destination per line; - is none, # starts a comment.
func parsePermutation(text []byte) ([]int, error) {
	var out []int
	sc := bufio.NewScanner(bytes.NewReader(text))
	for line := 1; sc.Scan(); line++ {
		s, _, _ := strings.Cut(sc.Text(), "#")
		s = strings.TrimSpace(s)
		if s == "" {
			continue
		}
		n := traffic.Silent
		if s != "-" {
			var err error
			if n, err = strconv.Atoi(s); err != nil || n < 0 {
				return nil, fmt.Errorf("line %d: %q is no terminal (want a number, or - for none)", line, s)
			}
		}
		out = append(out, n)
	}
	return out, sc.Err()
}

// Changes is the value of key changes: patterns and loads that change during the run.
type Changes struct{ list []change }

// A change holds from a cycle on.
type change struct {
	at      int64
	pattern Pattern // no parts: as before
	load    float64 // negative: as before
}

// UnmarshalConfig implements configs.Unmarshaler.
func (c *Changes) UnmarshalConfig(v configs.Value) error {
	if v.Kind() != configs.List {
		return v.Errorf(nil, "is %s, not a list of changes {at: 5000, pattern: uniform}", v.Kind())
	}
	var errs configs.Errors
	var list []change
	for _, x := range v.Items() {
		s := struct {
			At      int64   `yaml:"at" jsonschema:"required,minimum=1" doc:"Cycle from which on it holds"`
			Pattern Pattern `yaml:"pattern"`
			Load    float64 `yaml:"load" jsonschema:"maximum=1"`
		}{Load: -1}
		if err := x.Decode(&s); err != nil {
			errs.Add(err)
			continue
		}
		switch l := x.Get("load"); {
		case l.Exists() && !(s.Load >= 0 && s.Load <= 1):
			errs.Add(l.Errorf(nil, "is %g (want 0 to 1)", s.Load))
		case !l.Exists() && s.Pattern.parts == nil:
			errs.Add(x.Errorf(nil, "changes nothing (want pattern or load)"))
		case len(list) > 0 && s.At <= list[len(list)-1].at:
			errs.Add(x.Get("at").Errorf(nil, "is %d, not after the change before", s.At))
		}
		list = append(list, change{s.At, s.Pattern, s.Load})
	}
	if err := errs.Err(); err != nil {
		return err
	}
	c.list = list
	return nil
}

func init() {
	object := schema.Schema{"type": "object"}
	schema.Register[Pattern](schema.Schema{
		"anyOf": []any{schema.Schema{"type": "string"}, object, schema.Schema{"type": "array", "items": object}},
		"title": "a pattern: its name, with parameters, or a mix", "examples": []any{"uniform"},
	})
	schema.Register[Changes](schema.Schema{"type": "array", "items": object, "title": "a list of changes"})
}
